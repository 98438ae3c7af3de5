"""The version is written once, in ``hoscpool.__version__``; what repeats it agrees."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from hoscpool import __version__

ROOT = Path(__file__).resolve().parents[2]


def test_the_package_takes_its_version_from_the_module() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert "version" not in project["project"]
    assert project["tool"]["hatch"]["version"]["path"] == "src/hoscpool/__init__.py"


def test_the_citation_has_the_version_and_the_date_of_the_release() -> None:
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    version, date = (re.search(rf"^{key}: (\S+)$", citation, re.MULTILINE) for key in ("version", "date-released"))
    assert version is not None
    assert date is not None
    assert version[1] == __version__
    assert f"## [{version[1]}] - {date[1]}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
