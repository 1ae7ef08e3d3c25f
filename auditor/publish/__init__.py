"""Findings and rejects on their way out, besides the store: at least once, each under a name that never changes."""
