"""What ``hoscpool motifs`` answers besides counts: what is more than chance, and who takes part. Motifs from files."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hoscpool.cli.output_options import graph_json, open_console, print_json
from hoscpool.cli.sources import load_graph

if TYPE_CHECKING:
    import pandas as pd
    from rich.console import Console

    from hoscpool.motifs import Motif

REMARKABLE = 3.0
"""A count whose z-score is beyond this is remarked on."""
_TABLES = (".csv", ".tsv", ".txt")


def read_motif_files(paths: Iterable[Path], anchors: str | None) -> list[Motif]:
    """Motifs of one's own: small graphs in files. A directed motif is an edge list with arrows of its reader.

    Raises:
        ValueError: A file is not a motif, or an anchor is not a node of it.
    """
    paths = list(paths)
    if anchors is not None and len(paths) != 1:
        raise ValueError(f"--anchors: expected exactly one --motif-file, got {len(paths)}")
    return [_read_motif(path, anchors) for path in paths]


def _read_motif(path: Path, anchors: str | None) -> Motif:
    import numpy as np

    from hoscpool.graph import as_graph
    from hoscpool.motifs import Motif, get_motif

    graph = as_graph(path)
    if graph.num_edges == 0:
        raise ValueError(f"--motif-file: {path} has no edges")
    tails = np.repeat(np.arange(graph.num_nodes), graph.degree).tolist()
    arcs = [(a, b) for a, b in zip(tails, graph.indices.tolist(), strict=True) if graph.is_directed or a < b]
    roles = None
    if anchors is not None:
        place = {str(name): role for role, name in enumerate(graph.names)}
        wanted = [name.strip() for name in anchors.split(",")]
        for name in wanted:
            if name not in place:
                raise ValueError(f"--anchors: expected nodes of the motif, {', '.join(place)}, got {name!r}")
        roles = [place[name] for name in wanted]
    name = path.name.split(".")[0].replace("_", "-").replace(" ", "-")
    return get_motif(Motif.from_edges(name, arcs, graph.is_directed, anchors=roles))


def explain_motifs(console: Console, motifs: list[Motif]) -> None:
    """Say of a motif that is not in the catalogue how it is counted."""
    from hoscpool.motifs import MOTIFS, of_same_shape

    for motif in motifs:
        if motif.name not in MOTIFS:
            known = of_same_shape(motif, MOTIFS.values())
            how = "by a search for its instances" if known is None else f"as fast as {known.name}"
            console.print(f"{motif.name} ({motif.description}) is counted {how}", markup=False)


def answer(args: argparse.Namespace, motifs: list[Motif]) -> int:
    """Print and write the profile or the counts of the nodes."""
    from hoscpool.motifs import check_target
    from hoscpool.science import motif_profile, node_motif_counts

    if args.output is not None:
        if args.output.suffix not in _TABLES:
            raise ValueError(f"-o: cannot write {args.output.name!r}; valid extensions here: {', '.join(_TABLES)}")
        check_target(args.output)
    console = open_console(args)
    graph = load_graph(args)
    console.print(str(graph), markup=False)
    explain_motifs(console, motifs)
    if args.profile:
        table = motif_profile(
            graph, motifs or None, samples=args.samples, keep_mutual=args.keep_mutual,
            random_state=args.random_state, n_jobs=args.threads,
        )  # fmt: skip
        _print_profile(console, table)
    else:
        limit = args.max_seconds or None
        table = node_motif_counts(
            graph, motifs or None, induced=args.induced, n_threads=args.threads, max_seconds=limit
        )
        _print_nodes(console, table, args.top)
    if args.json:
        print_json({"graph": graph_json(graph), **_as_json(table)})
    if args.output is not None:
        _write(args.output, table)
        console.print(f"wrote {args.output}", soft_wrap=True, markup=False)
    return 0


def _as_json(table: pd.DataFrame) -> dict[str, Any]:
    """A table as a list of records. The name of its rows is the first entry of each; no number: null."""
    records = table.reset_index(names=str(table.index.name)).to_dict("records")
    plain = [{name: None if value != value else value for name, value in record.items()} for record in records]
    return {"rows": plain}


def _print_profile(console: Console, table: pd.DataFrame) -> None:
    from hoscpool.support.text_tables import Grid, to_rich

    rows: list[tuple[str, ...]] = [
        (str(name), f"{int(row['count']):,}", f"{row['mean']:,.1f}", f"{row['std']:,.1f}", f"{row['z']:+,.1f}",
         f"{row['significance']:+.2f}", f"{row['p']:.3g}")
        for name, row in table.iterrows()
    ]  # fmt: skip
    columns = ("motif", "count", "by chance", "deviation", "z", "significance", "p")
    samples = table.attrs["samples"]
    console.print(to_rich(Grid(f"induced motifs, and {samples} random graphs of the same degrees", columns, rows)))
    for sentence in remarks(table) or ["No motif is much more or much less frequent than by chance."]:
        console.print(sentence, markup=False, highlight=False)


def remarks(table: pd.DataFrame) -> list[str]:
    """One sentence on every motif with a z-score beyond `REMARKABLE`, the most surprising first."""
    from hoscpool.motifs import MOTIFS

    found = []
    for name, row in sorted(table.iterrows(), key=lambda entry: -abs(entry[1]["z"])):
        if abs(row["z"]) >= REMARKABLE:
            what = f" ({MOTIFS[str(name)].description})" if re.fullmatch(r"M\d+", str(name)) else ""
            found.append(f"{name}{what}: {_compared(row['count'], row['mean'])} chance would give.")
    return found


def _compared(count: float, mean: float) -> str:
    """How a count compares with its mean, in words that end with "than".

    Examples:
        >>> _compared(90, 2), _compared(110, 100), _compared(1, 4), _compared(3, 0), _compared(0, 5)
        ('45 times more than', '10 % more than', '75 % less than', '3, more than', 'none, less than')
    """
    if mean == 0 or count == 0:
        return f"{int(count):,}, more than" if count else "none, less than"
    if count >= 2 * mean:
        return f"{count / mean:,.2g} times more than" if count < 100 * mean else f"{count / mean:,.0f} times more than"
    return f"{abs(count / mean - 1):.0%} {'more' if count > mean else 'less'} than".replace("%", " %")


def _print_nodes(console: Console, table: pd.DataFrame, top: int) -> None:
    from rich.markup import escape

    from hoscpool.support.text_tables import Grid, to_rich

    if top == 0 or not len(table):
        return
    key: Any = table.columns[-1]
    best = table.sort_values(key, ascending=False, kind="stable").head(top)
    rows = [(escape(str(node)), *(f"{int(value):,}" for value in row)) for node, row in best.iterrows()]
    console.print(to_rich(Grid(f"nodes in most {key}s", ("node", *map(str, table.columns)), rows)))
    central = best.iloc[0]
    total = int(table[key].sum())
    if total:
        share = central[key] / total
        console.print(f"{best.index[0]} takes part in most {key}s: {share:.1%} of all places.", markup=False)


def _write(path: Path, table: pd.DataFrame) -> None:
    from hoscpool.graph import write_rows
    from hoscpool.support.files import whole_file

    delimiter = {".csv": ",", ".tsv": "\t", ".txt": " "}[path.suffix]
    with whole_file(path, text=True) as file:
        write_rows(file, [(table.index.name, *table.columns)], delimiter)
        write_rows(file, ((name, *row) for name, *row in table.itertuples()), delimiter)
