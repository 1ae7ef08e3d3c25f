"""DEAL: what makes a misdeal."""
