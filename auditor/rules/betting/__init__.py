"""BET: the betting."""
