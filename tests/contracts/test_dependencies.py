"""The page of dependencies, the limits, the pins and the licences agree."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
LIMITS = {("", limit) for limit in PROJECT["dependencies"]} | {
    (extra, limit) for extra, limits in PROJECT["optional-dependencies"].items() for limit in limits
}
TRIED_LOW = {"hypothesis", "pytest", "pytest-xdist"}
"""Packages that only the tests need and of which the lowest version is tried too."""
UNTRIED_LOW = {"torch"}
FAMILIES = ("BSD", "MIT", "Apache", "MPL", "GPL", "ISC")


def normal(name: str) -> str:
    return name.lower().replace("_", "-")


def rows() -> dict[tuple[str, str], list[str]]:
    """The rows of both tables by extra and package: lowest, tested, licence, last release, wheels, why."""
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in PAGE.splitlines() if "|" in line]
    found = [row if len(row) == 8 else ["", *row] for row in cells if len(row) in (7, 8)]
    return {(row[0], row[1]): row[2:] for row in found if re.fullmatch(r"\d{4}-\d\d-\d\d|not known", row[5])}


def lowest_of(limit: str) -> tuple[str, str]:
    match = re.match(r"([\w.-]+)(?:\[\w+\])?>=([\d.]+)", limit)
    assert match, f"{limit}: no lowest version"
    return match[1], match[2]


def pins(file: str) -> dict[str, str]:
    text = (ROOT / file).read_text(encoding="utf-8")
    return {normal(name): version for name, version in re.findall(r"^([\w.-]+)(?:\[\w+\])?==(\S+)", text, re.MULTILINE)}


def test_every_dependency_has_its_row_and_no_other() -> None:
    assert {(extra, lowest_of(limit)[0]) for extra, limit in LIMITS} == set(rows())


@pytest.mark.parametrize(("extra", "limit"), sorted(LIMITS))
def test_a_row_says_what_is_true(extra: str, limit: str) -> None:
    name, lowest = lowest_of(limit)
    row = rows()[extra, name]
    assert row[:2] == [lowest, pins("constraints.txt")[normal(name)]]
    try:
        declared = metadata(name)
    except PackageNotFoundError:
        return  # an extra that is not installed here
    licence = " ".join(
        [line[:500] for field in ("License-Expression", "License") for line in declared.get_all(field) or []]
        + [line for line in declared.get_all("Classifier") or [] if line.startswith("License")]
    )
    family = next(word for word in FAMILIES if word in row[2])
    assert family in licence, f"{name} declares {licence[:80]}"


def test_the_lowest_versions_are_the_limits() -> None:
    """What the library needs is pinned to its limit, and nothing besides it and what the tests need is pinned."""
    low = pins("constraints-lowest.txt")
    limits = {name: version for extra, limit in LIMITS for name, version in [lowest_of(limit)]
              if extra in ("", "report", "parquet", "excel", "distributed") or name in TRIED_LOW}  # fmt: skip
    assert set(low) == {normal(name) for name in limits}
    for name, version in limits.items():
        padded = [*version.split("."), "0", "0"][:3]
        assert name in UNTRIED_LOW or [*low[normal(name)].split("."), "0"][:3] == padded, name


def test_no_hashes_in_constraints() -> None:
    """With one hash pip refuses the project itself; the page says so."""
    assert "--hash" not in (ROOT / "constraints.txt").read_text(encoding="utf-8")
