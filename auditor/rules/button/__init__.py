"""BTN: the button and the blinds."""
