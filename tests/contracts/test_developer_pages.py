"""The pages for developers are true: their code runs, and what they name is there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

import hoscpool
from hoscpool.cli import main
from hoscpool.datasets.dataset_catalog import CATALOG
from hoscpool.experiments.paper_tables import PAPER_TABLES
from hoscpool.motifs.catalog import MOTIFS
from hoscpool.nn.encoders.encoder import ENCODERS
from hoscpool.nn.pools.registry import POOLS

SOURCE = Path(hoscpool.__file__).parent
DOCS = Path(__file__).resolve().parents[2] / "docs"
ARCHITECTURE = (DOCS / "architecture.md").read_text(encoding="utf-8")
WALKS = re.split(r"^\*\*", ARCHITECTURE.split("## Five walks")[1].split("## Why")[0], flags=re.MULTILINE)[1:]


@pytest.fixture(scope="module")
def extended() -> Iterator[dict[str, Any]]:
    """What the code of docs/extending.md leaves behind; its registrations are taken out again."""
    page = (DOCS / "extending.md").read_text(encoding="utf-8")
    names: dict[str, Any] = {}
    known = set(MOTIFS)
    with ExitStack() as stack:
        for registry in (ENCODERS, POOLS, CATALOG, PAPER_TABLES):
            stack.enter_context(registry.restored())
        for number, block in enumerate(re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL)):
            exec(compile(block, f"extending.md, block {number + 1}", "exec"), names)
        yield names
    for name in set(MOTIFS) - known:
        del MOTIFS[name]


def test_the_page_adds_one_of_each_kind(extended: dict[str, Any]) -> None:
    hp = extended["hp"]
    assert "bowtie" in hp.list_motifs()
    assert "mean-sum" in hp.nn.list_encoders()
    assert "edge-cut" in hp.nn.list_pools()
    assert "two-cliques" in hp.datasets.list_datasets()
    assert set(extended["out"].losses) == {"cut", "even"}
    assert set(extended["model"].history_) == {"loss", "objective", "cut", "even"}


def test_the_command_line_knows_them(
    extended: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert extended
    assert main(["motifs", "two-cliques", "--motif", "bowtie"]) == 0
    assert main(["reproduce", "cliques", "--results", str(tmp_path)]) == 0
    assert "1.000" in capsys.readouterr().out


def test_every_room_is_on_the_map() -> None:
    rooms = {folder.name for folder in SOURCE.iterdir() if (folder / "__init__.py").exists()}
    assert set(re.findall(r"^\| `(\w+)/` \|", ARCHITECTURE, re.MULTILINE)) == rooms
    assert set(re.findall(r">(\w+)/<", (DOCS / "images" / "map.svg").read_text(encoding="utf-8"))) == rooms


def test_a_walk_has_ten_steps() -> None:
    assert [len(re.findall(r"^\d+\. ", walk, re.MULTILINE)) for walk in WALKS] == [10] * 5


@pytest.mark.parametrize("name", sorted(set(re.findall(r"`([\w/]+/\w+\.[A-Za-z_.]+)`", "".join(WALKS)))))
def test_what_a_walk_names_is_there(name: str) -> None:
    path, _, function = name.partition(".")
    files = [file for file in SOURCE.rglob("*.py") if str(file.with_suffix("")).endswith(f"/{path}")]
    folders = [folder for folder in SOURCE.rglob("*") if folder.is_dir() and str(folder).endswith(f"/{path}")]
    text = "".join(file.read_text(encoding="utf-8") for file in files or folders[0].rglob("*.py"))
    for part in function.split("."):
        assert re.search(rf"^\s*(def|class) {part}\b", text, re.MULTILINE), f"{name} is not there any more"
