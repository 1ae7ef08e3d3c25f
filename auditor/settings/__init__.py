"""What a run is told: one model, and where each of its values came from."""

from auditor.settings.model import Settings
from auditor.settings.sources import Gathered, SettingsWrong, gather, resolve

__all__ = ["Gathered", "Settings", "SettingsWrong", "gather", "resolve"]
