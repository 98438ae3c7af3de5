"""Small files that claim to be large, and files that take a bad reader very long.

Each is read in a process of its own with little memory. It must be refused, or read, within seconds.
"""

from __future__ import annotations

import gzip
import io
import json
import resource
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

from attack.mutations import Case
from attack.reports import Attack, Budget, Report

SECONDS = 30.0
MEMORY = 3 << 29
"""Bytes beyond those of the process that has imported the library."""

HEADER = "{'descr': '%s', 'fortran_order': False, 'shape': %s, }"


def _npy(dtype: str, shape: str, body: bytes = b"") -> bytes:
    header = (HEADER % (dtype, shape)).encode() + b"\n"
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + body


def _npz(**members: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, raw in members.items():
            archive.writestr(f"{name}.npy", raw)
    return out.getvalue()


def _gz(pattern: bytes, size: int, begin: bytes = b"", end: bytes = b"") -> bytes:
    out = io.BytesIO()
    with gzip.GzipFile(fileobj=out, mode="wb", compresslevel=9, mtime=0) as file:
        file.write(begin)
        block = pattern * (1_000_000 // len(pattern))
        for _ in range(size // len(block)):
            file.write(block)
        file.write(end)
    return out.getvalue()


def _sparse(form: str, size: int, **members: bytes) -> bytes:
    shape = _npy("<i8", "(2,)", size.to_bytes(8, "little") * 2)
    return _npz(format=_npy(f"|S{len(form)}", "()", form.encode()), shape=shape, **members)


_ONE, _ZERO = _npy("<f8", "(1,)", b"\0" * 6 + b"\xf0?"), _npy("<i8", "(1,)", b"\0" * 8)
TYPES = "[Content_Types].xml"
MTX = "%%MatrixMarket matrix {} {} {}\n{}\n"

BOMBS_BY_NAME: dict[str, Callable[[], Case]] = {
    "mtx that claims 2 billion nodes": lambda: {
        "graph.mtx": (MTX.format("coordinate", "real", "symmetric", "2147483647 2147483647 1") + "1 2 1\n").encode()
    },
    "mtx that claims 9e18 entries": lambda: {
        "graph.mtx": MTX.format("coordinate", "real", "general", "9 9 9223372036854775806").encode()
    },
    "mtx that claims a large dense matrix": lambda: {
        "graph.mtx": MTX.format("array", "real", "symmetric", "2000000 2000000").encode()
    },
    "csv.gz of 600 MB": lambda: {"graph.csv.gz": _gz(b"0,1\n", 600_000_000)},
    "csv.gz of 600 MB of names": lambda: {"graph.csv.gz": _gz(b"a,b\n", 600_000_000)},
    "csv.gz of one line of 600 MB": lambda: {"graph.csv.gz": _gz(b"a", 600_000_000)},
    "mtx.gz of 600 MB": lambda: {
        "graph.mtx.gz": _gz(b"%%MatrixMarket matrix coordinate real general\n", 46) + _gz(b"% a\n", 600_000_000)
    },
    "gml.gz of 600 MB": lambda: {"graph.gml.gz": _gz(b"graph [\n", 600_000_000)},
    "graphml.gz of 600 MB": lambda: {"graph.graphml.gz": _gz(b"<graphml>\n", 600_000_000)},
    "graphml.gz of 250 MB of elements": lambda: {"graph.graphml.gz": _gz(b"<a/>", 250_000_000, b"<graphml>")},
    "gexf.gz of 250 MB of elements": lambda: {"graph.gexf.gz": _gz(b"<a/>", 250_000_000, b"<gexf>")},
    "gexf.gz of 30 MB of elements": lambda: {"graph.gexf.gz": _gz(b"<a/>", 30_000_000, b"<gexf>")},
    "json.gz of 250 MB of lists": lambda: {"graph.json.gz": _gz(b"[],", 250_000_000, b"[")},
    "json.gz of 30 MB of lists": lambda: {"graph.json.gz": _gz(b"[],", 30_000_000, b"[", b"1]")},
    "npz that unpacks to 600 MB": lambda: {
        "graph.npz": _sparse("coo", 9, data=_ONE, row=_npy("<i8", "(75000000,)", b"\0" * 600_000_000), col=_ZERO)
    },
    "npz with a node claim": lambda: {"graph.npz": _sparse("coo", 2**31 - 1, data=_ONE, row=_ZERO, col=_ZERO)},
    "npz whose header claims 100 GB": lambda: {
        "graph.npz": _sparse("csr", 9, data=_npy("<f8", "(13000000000,)"), indices=_ZERO, indptr=_ZERO)
    },
    "npy whose header claims 745 GB": lambda: {"table.npy": _npy("<f8", "(100000000000,)")},
    "npy of empty elements": lambda: {"table.npy": _npy("|V0", "(4, 1000000000000)")},
    "npz table of zeros, 1 TB as dense": lambda: {"table.npz": _npz(x=_npy("<f4", "(250000000000,)"))},
    "gml with many blank lines": lambda: {
        "graph.gml": b"graph [ node [ id 0 ] node [ id 1 ]" + b"\n" * 60_000
        + b"edge [ source 0 target 1 ] edge [ source 0 target 1 ] ]\n"
    },
    "csv of a quote and tabs": lambda: {"graph.csv": b'a"' + b"\t" * 200_000},
    "csv of quotes": lambda: {"graph.csv": b'"' * 200_000 + b"\n"},
    "csv of spaces": lambda: {"graph.csv": b'a"' + b" " * 200_000 + b'"b,c' + b", " * 100_000},
    "csv of a quoted cell of 1 MB": lambda: {"table.csv": b'"' + b"a" * 1_000_000 + b'",1\n'},
    "csv of one million columns": lambda: {"graph.csv": b"1," * 1_000_000 + b"1\n"},
    "graphml with a billion laughs": lambda: {"graph.graphml": _laughs()},
    "graphml nested deeply": lambda: {"graph.graphml": b"<a>" * 200_000},
    "gml nested deeply": lambda: {"graph.gml": b"graph [ " + b"a [ " * 100_000},
    "gml with a long number": lambda: {"graph.gml": b"graph [ node [ id " + b"1" * 1_000_000 + b" ] ]"},
    "csv of a long number": lambda: {"graph.csv": b"1" * 1_000_000 + b",1\n"},
    "csv.gz of 600 MB of names, whose end claims 1 kB": lambda: {
        "graph.csv.gz": _gz(b"a,b\n", 600_000_000)[:-4] + (1000).to_bytes(4, "little")
    },
    "parquet of one long text in every row": lambda: {"graph.parquet": _parquet(use_dictionary=True)},
    "parquet of long texts": lambda: {"graph.parquet": _parquet(use_dictionary=False)},
    "xlsx with a cell far away": lambda: {"graph.xlsx": xlsx(_cell("A1") + _cell("XFD1048576"))},
    "xlsx with a row far away": lambda: {"graph.xlsx": xlsx(_cell("A1") + _cell("A99999999999"))},
    "xlsx of wide rows": lambda: {"graph.xlsx": xlsx("".join(_cell(f"XFD{row}") for row in range(1, 50_000)))},
    "xlsx of empty rows": lambda: {"graph.xlsx": xlsx("<row/>" * 5_000_000)},
    "xlsx of shared texts": lambda: {"graph.xlsx": xlsx(_cell("A1"), "<si><t/></si>" * 2_400_000)},
    "xlsx that unpacks to 600 MB": lambda: {"graph.xlsx": xlsx(" " * 600_000_000)},
    "deep JSON in a model": lambda: {"model.json": b"[" * 1_000_000, "model.safetensors": b""},
}  # fmt: skip


def _parquet(use_dictionary: bool) -> bytes:
    """A billion letters in 500 rows."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    out, ends = io.BytesIO(), ["a" * 2_000_000] * 500
    table = pa.table({"source": ends, "target": ends})
    pq.write_table(table, out, compression="zstd", use_dictionary=use_dictionary, store_schema=False)
    return out.getvalue()


def _cell(place: str) -> str:
    number = place.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    return f'<row r="{number}"><c r="{place}"><v>1</v></c></row>'


def xlsx(rows: str, texts: str = "") -> bytes:
    """A spreadsheet with these rows, and with texts that its cells could share."""
    import pandas as pd

    plain, out = io.BytesIO(), io.BytesIO()
    pd.DataFrame({"source": ["a"], "target": ["b"]}).to_excel(plain, index=False)
    space = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"
    with zipfile.ZipFile(plain) as whole, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        parts = {name: whole.read(name).decode() for name in whole.namelist()}
        parts["xl/worksheets/sheet1.xml"] = f"<worksheet {space}><sheetData>{rows}</sheetData></worksheet>"
        parts["xl/sharedStrings.xml"] = f"<sst {space}>{texts}</sst>"
        if "sharedStrings" not in parts[TYPES]:
            named = f'<Override PartName="/xl/sharedStrings.xml" ContentType="{kind}"/></Types>'
            parts[TYPES] = parts[TYPES].replace("</Types>", named)
        for name, text in parts.items():
            archive.writestr(name, text)
    return out.getvalue()


def _laughs() -> bytes:
    entities = "".join(f"<!ENTITY l{i} '{f'&l{i - 1};' * 10 if i else 'ha' * 10}'>" for i in range(12))
    return f"<!DOCTYPE a [{entities}]><graphml><graph><node id='&l11;'/></graph></graphml>".encode()


def main(folder: Path) -> None:
    """Read the case in a folder with little memory, and print what came of it."""
    import hoscpool as hp
    from attack.formats import NODES, Format
    from attack.trial import judge
    from attack.worker import limit_memory
    from hoscpool.graph import read_features

    hp.HoscClustering  # noqa: B018 (import it before memory is limited)
    name = next(iter(sorted(path.name for path in folder.iterdir())))
    read: Callable[[Path], object] = lambda folder: hp.as_graph(folder / name)  # noqa: E731
    if name.startswith("table"):
        read = lambda folder: read_features(folder / name, NODES)  # noqa: E731
    elif name.startswith("model"):
        read = hp.HoscClustering.load
    limit_memory(MEMORY)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    outcome, wrong = judge(Format(read, list), folder)
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
    print(json.dumps({"outcome": outcome, "wrong": wrong, "grown": grown}))


def explode(name: str, folder: Path) -> str | None:
    """Read one bomb. Returns what is wrong with the outcome, if anything is."""
    case = folder / name.replace(" ", "-")
    case.mkdir(parents=True, exist_ok=True)
    for file, raw in BOMBS_BY_NAME[name]().items():
        (case / file).write_bytes(raw)
    command = [
        sys.executable,
        "-c",
        f"from attack.bombs import main; from pathlib import Path; main(Path({str(case)!r}))",
    ]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS + 30, check=False)
    except subprocess.TimeoutExpired:
        return f"{name}: it took more than {SECONDS:.0f} s (case: {case})"
    if done.returncode:
        return f"{name}: the process died, exit code {done.returncode}: {done.stderr[-200:]} (case: {case})"
    result = json.loads(done.stdout.splitlines()[-1])
    return None if result["wrong"] is None else f"{name}: {result['wrong']} (case: {case})"


def run(budget: Budget) -> Report:
    """Read every bomb once."""
    report = Report()
    for name in BOMBS_BY_NAME:
        report.tried["bombs"] += 1
        if wrong := explode(name, budget.folder):
            report.failures.append(wrong)
    return report


BOMBS = Attack("bombs", "small files that claim to be large, or take long to read", share=1, run=run)
