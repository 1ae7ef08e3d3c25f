"""BRD: burns and board."""
