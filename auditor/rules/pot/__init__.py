"""POT: the money."""
