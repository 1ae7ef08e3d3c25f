"""A card room that deals legal hold'em hands and makes mistakes on purpose, and says which.

It shares no code with the auditor's state and rules: what one gets wrong the other must not get wrong too.
"""

from auditor.simulate.mistakes import MISTAKES
from auditor.simulate.room import OPENS, open_room, play
from auditor.simulate.table import Line
from auditor.simulate.truth import Truth

__all__ = ["MISTAKES", "OPENS", "Line", "Truth", "open_room", "play"]
