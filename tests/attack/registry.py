"""All attacks. An attack is one module with an `Attack`; add it here."""

from __future__ import annotations

from attack.bombs import BOMBS
from attack.disk import DISK
from attack.fuzzing import FILES
from attack.kills import KILLS
from attack.load import LOAD
from attack.numbers import NUMBERS
from attack.reports import Attack

ATTACKS: dict[str, Attack] = {attack.name: attack for attack in (LOAD, KILLS, DISK, NUMBERS, FILES, BOMBS)}
PROFILES = {"quick": 120.0, "long": 3300.0}
"""Profile → seconds for all attacks together."""
