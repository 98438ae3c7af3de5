"""``hoscpool motifs`` as a user runs it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import scipy.sparse as sp

from hoscpool.cli import main

K4_WITH_TAIL = "from,to\nann,bob\nann,cat\nann,dan\nbob,cat\nbob,dan\ncat,dan\ndan,eve\n"


@pytest.fixture
def graph_file(tmp_path: Path) -> Path:
    path = tmp_path / "friends.csv"
    path.write_text(K4_WITH_TAIL)
    return path


def test_counts_and_heaviest_edges(graph_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["motifs", str(graph_file), "--motif", "triangle", "--top", "1"]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["triangle", "4", "6", "4", "three", "nodes,", "all", "joined"] in lines
    assert ["ann", "bob", "2"] in lines
    assert ["ann", "cat", "2"] not in lines


def test_all_motifs_by_default(graph_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["motifs", str(graph_file)]) == 0
    output = capsys.readouterr().out
    assert "clique4" in output
    assert "M1" not in output
    assert main(["motifs", str(graph_file), "--directed"]) == 0
    output = capsys.readouterr().out
    assert "M13" in output
    assert "clique4" not in output


def test_writes_the_matrix_under_the_users_names(graph_file: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.csv"
    assert main(["motifs", str(graph_file), "--motif", "wedge", "-o", str(target)]) == 0
    rows = target.read_text().splitlines()
    assert rows[0] == "source,target,weight"
    assert "ann,eve,1" in rows, "the full matrix has pairs that are not joined"
    assert main(["motifs", str(graph_file), "--motif", "wedge", "--on-edges", "-o", str(target)]) == 0
    assert not [row for row in target.read_text().splitlines() if row.startswith("ann,eve")]


def test_npz_and_induced(graph_file: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.npz"
    assert main(["motifs", str(graph_file), "--motif", "wedge", "--induced", "-o", str(target)]) == 0
    assert int(sp.load_npz(target).sum()) == 6 * 3  # dan is the centre of the only induced wedges: ann, bob, cat – eve
    assert (tmp_path / "out.nodes.csv").read_text().splitlines()[1] == "0,ann"


def test_notes_reach_the_user(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "loops.csv"
    path.write_text("a,a\na,b\nb,c\n")
    assert main(["motifs", str(path), "--motif", "wedge"]) == 0
    assert "hoscpool: note: 1 self-loop" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere.csv"], "nowhere.csv"),
        (["nowhere"], "neither a file nor a dataset"),
        (["krate"], "; did you mean 'karate'?"),
        (["{file}", "--motif", "pentagon"], "Valid motifs"),
        (["{file}", "--motif", "edge", "--motif", "wedge", "-o", "x.npz"], "exactly one --motif"),
        (["{file}", "--motif", "edge", "-o", "x.png"], "valid extensions"),
        (["{file}", "--motif", "edge", "-o", "no/such/folder.npz"], "does not exist"),
        (["{file}", "--top", "-1"], "--top"),
        (["{file}", "--motif", "edge", "--motif", "edge"], "--motif: expected every motif only once"),
        (["{file}", "--threads", "0"], "--threads: expected at least 1, got 0"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(
    arguments: list[str], message: str, graph_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["motifs", *(a.format(file=graph_file) for a in arguments)]) == 2
    error = capsys.readouterr().err
    assert error.startswith("hoscpool: error: ")
    assert message in error
    assert error.count("\n") == 1


def test_names_with_brackets_are_printed_as_they_are(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "d[" / "b]"
    folder.mkdir(parents=True)
    (folder / "a[b].csv").write_text("a,b\nb,c\n")
    assert main(["motifs", str(folder / "a[b].csv"), "--motif", "wedge", "-o", str(folder / "m.npz")]) == 0
    shown = capsys.readouterr().out
    assert "a[b].csv" in shown
    assert "d[/b]/m.npz" in shown


def test_a_closed_pipe_does_not_lose_the_files(graph_file: Path, tmp_path: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    program = "import sys; from hoscpool.cli import main; sys.exit(main())"
    target = tmp_path / "m.npz"
    command = [sys.executable, "-c", program, "motifs", str(graph_file), "--motif", "edge", "-o", str(target)]
    done = subprocess.run(command, stdout=write, stderr=subprocess.PIPE, check=False)
    os.close(write)
    assert (done.returncode, done.stderr) == (0, b"")
    assert target.exists()


def test_names_send_no_escape_sequences_to_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    red, back = "\x1b[31mred", "\u202eback"
    (tmp_path / "g.csv").write_text(f"{red},{back}\n{back},c\nc,{red}\n[bold]x,{red}\n", encoding="utf-8")
    assert main(["motifs", str(tmp_path / "g.csv"), "--motif", "triangle"]) == 0
    shown = capsys.readouterr().out
    assert r"\x1b[31mred" in shown
    assert r"\u202eback" in shown
    assert "\x1b" not in shown
    assert "\u202e" not in shown


def test_errors_send_none_either_and_are_not_endless(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "g.csv").write_text("a,b,1\na,b,\x1b[31m" + "x" * 100_000 + "\n")
    assert main(["motifs", str(tmp_path / "g.csv"), "--weight", "3"]) == 2
    shown = capsys.readouterr().err
    assert "\x1b" not in shown
    assert len(shown) < 3_000
