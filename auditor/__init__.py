"""An event-sourced hand-history auditor for poker."""

__version__ = "0.1.0"
