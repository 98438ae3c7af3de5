"""What ``hoscpool cluster`` prints: the communities first, and with ``-v`` how they were found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hoscpool.cli.output_options import print_table

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from hoscpool.report import Answer, Clustering

MAX_ROWS = 20
"""A table shows at most this many clusters."""
MOST_NAMED = 5
"""So many nodes between two communities are named."""
NARROW = 60
"""On a narrower terminal fewer members are named, and the share of ties is left out."""


def print_answer(console: Console, result: Clustering) -> None:
    """Print every community with its size and most central members, and one sentence on how clear they are."""
    answer, model = result.answer, result.model
    found = len(answer.communities)
    console.print(f"\n[bold]{found:,} {'community' if found == 1 else 'communities'}[/bold]{_of_auto(model)}")
    console.print(_communities(answer, console.width))
    if found > MAX_ROWS:
        console.print(f"the {MAX_ROWS} largest are shown\n")
    console.print(answer.quality)
    console.print(_between(answer, model), end="", markup=False)
    if result.scores.nmi is not None and result.scores.accuracy is not None:
        console.print(
            f"{result.scores.accuracy:.0%} of the nodes are in the community that matches their known class "
            f"(NMI {result.scores.nmi:.2f})."
        )


def _between(answer: Answer, model: Any) -> str:
    """Who stands between two communities, the least sure first; nothing if nobody does."""
    nodes = model.between_.nonzero()[0]
    if not len(nodes):
        return ""
    least_sure = nodes[model.confidence_[nodes].argsort(kind="stable")][:MOST_NAMED]
    named = [f"{answer.names[n]} ({model.labels_[n]} or {model.second_choice_[n]})" for n in least_sure.tolist()]
    many = len(nodes) > MOST_NAMED
    begin = f"{len(nodes):,} nodes are between two communities, most of all" if many else "Between two communities:"
    return f"{begin} {', '.join(named)}.\n"


def _of_auto(model: Any) -> str:
    if not hasattr(model, "selection_"):
        return ""
    tried = model.selection_.k
    return f": K = {model.n_clusters_} has the best score of K = {tried[0]} to {tried[-1]}"


def _communities(answer: Answer, width: int) -> Table:
    from rich import box
    from rich.markup import escape
    from rich.table import Table

    from hoscpool.report import named_members

    narrow = width < NARROW
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.add_column("no." if narrow else "community", justify="right", style="bold")
    table.add_column("nodes", justify="right")
    if not narrow:
        table.add_column("ties inside", justify="right")
    table.add_column("most central members", overflow="fold")
    for community in answer.communities[:MAX_ROWS]:
        members = list(named_members(answer, community, 3 if narrow else 6, 20 if narrow else 40))
        comma = ";" if any("," in name for name in members) else ","
        share = "–" if community.inside is None else f"{community.inside:.0%}"
        middle = [] if narrow else [share]
        rest = f"{comma} …" if community.size > 3 + 3 * (not narrow) else ""
        table.add_row(str(community.number), f"{community.size:,}", *middle, escape(f"{comma} ".join(members)) + rest)
    return table


def print_details(console: Console, result: Clustering) -> None:
    """Print the clusters with their scores, and which run was kept and why."""
    from hoscpool.report import cluster_table, run_table, why_kept, why_solver

    model = result.model
    print_table(console, *cluster_table(result, MAX_ROWS))
    print_table(console, ("score", "value"), result.scores.lines())
    print_table(console, *run_table(model))
    console.print(why_solver(model), markup=False)
    console.print(why_kept(model))
