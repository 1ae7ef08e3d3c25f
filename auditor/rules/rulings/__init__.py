"""RUL: the rulings themselves."""
