"""Measures, as ratios in one run: `make bench`. Nothing here asserts a time."""
