"""SHF: shuffle and cut, in games that the players deal."""
