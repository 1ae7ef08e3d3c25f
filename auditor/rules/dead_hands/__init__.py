"""HND: dead hands."""
