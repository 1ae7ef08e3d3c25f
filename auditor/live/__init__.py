"""The running service: the loop, its part in a consumer group, and what goes out."""

from auditor.live.loop import Checkpoint, Loop, News, Offsets, Pace, Totals, Watcher
from auditor.live.service import PortTaken, Settings, serve, stopped_by_signals

__all__ = [
    "Checkpoint",
    "Loop",
    "News",
    "Offsets",
    "Pace",
    "PortTaken",
    "Settings",
    "Totals",
    "Watcher",
    "serve",
    "stopped_by_signals",
]
