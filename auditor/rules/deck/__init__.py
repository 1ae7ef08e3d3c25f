"""DCK: the deck itself."""
