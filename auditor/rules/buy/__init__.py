"""BUY: buying in, and chips between hands."""
