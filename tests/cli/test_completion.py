"""The completion scripts hold every command and option, and bash completes with its script."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from hoscpool.cli import COMMANDS, main
from hoscpool.cli.completion import SHELLS, bash_script, command_tree
from hoscpool.motifs import list_motifs


@pytest.fixture(scope="module")
def script() -> str:
    return bash_script(command_tree())


def test_every_command_and_its_options_are_in_the_tree() -> None:
    tree = {place.path: place for place in command_tree()}
    assert list(tree[""].commands) == list(COMMANDS)
    assert {f"/{name}" for name in COMMANDS} <= set(tree)
    assert {"--motif", "--json", "-o"} <= set(tree["/cluster"].flags)
    assert "--graphs" in tree["/bench/motifs"].flags
    motif = next(option for option in tree["/cluster"].options if "--motif" in option.flags)
    assert list(motif.words) == list_motifs()
    assert tree["/cluster"].takes_file
    assert {"karate", "cora"} <= set(tree["/cluster"].words)
    assert "proteins" in tree["/classify"].words


@pytest.mark.parametrize("shell", SHELLS)
def test_the_command_prints_a_script(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == 0
    out = capsys.readouterr().out
    assert all(f"{name}" in out for name in COMMANDS)
    assert "tailed-triangle" in out


CASES = [
    ([""], set(COMMANDS)),
    (["cl"], {"cluster", "classify"}),
    (["cluster", "cites"], {"citeseer"}),
    (["cluster", "my"], {"my graph.csv"}),
    (["cluster", "x.csv", "--motif", "tri"], {"triangle"}),
    (["cluster", "x.csv", "--motif", "=", "tri"], {"triangle"}),
    (["cluster", "bench", "--solv"], {"--solver"}),
    (["cluster", "x.csv", "--labels", ""], {"my graph.csv"}),
    (["cluster", "x.csv", "-k", ""], set()),
    (["bench", "mo"], {"motifs"}),
    (["bench", "motifs", "--gr"], {"--graphs"}),
    (["completion", ""], set(SHELLS)),
]


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
@pytest.mark.parametrize(("words", "expected"), CASES, ids=[" ".join(case[0]) for case in CASES])
def test_bash_completes(words: list[str], expected: set[str], script: str, tmp_path: Path) -> None:
    (tmp_path / "my graph.csv").touch()
    call = """
source /dev/stdin
COMP_WORDS=("hoscpool" "$@"); COMP_CWORD=$#; _hoscpool; printf '%s\\n' "${COMPREPLY[@]}"
"""
    done = subprocess.run(
        ["bash", "-c", call, "bash", *words], input=script, cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    assert {line for line in done.stdout.splitlines() if line} == expected
