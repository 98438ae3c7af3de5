"""Cluster a graph in a CSV file, under your own node names.

Run it with ``python cluster_csv.py friends.csv``. The file has one edge per line. Without a file it writes a small one.
"""

import csv
import itertools
import sys
import tempfile
from pathlib import Path

import hoscpool as hp

TEAMS = {
    "red": ["Ann", "Bob", "Cid", "Dot", "Eve"],
    "green": ["Flo", "Gus", "Hal", "Ida", "Jan"],
    "blue": ["Kim", "Lee", "Max", "Nan", "Ole"],
}


def write_friends(path: Path) -> Path:
    """Three teams. All members of a team are friends. There are friends in other teams too, but no triangles."""
    inside = [pair for team in TEAMS.values() for pair in itertools.combinations(team, 2)]
    teams = itertools.combinations(TEAMS.values(), 2)
    between = [(name, two[i - shift]) for shift, (one, two) in enumerate(teams) for i, name in enumerate(one)]
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([("source", "target"), *inside, *between])
    return path


with tempfile.TemporaryDirectory() as folder:
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else write_friends(Path(folder) / "friends.csv")
    graph = hp.as_graph(path)
    print(graph)

    # An edge joins two friends; a triangle is three people who all know each other.
    for motif in ("edge", "triangle"):
        print(f"{motif}: {hp.motif_count(graph, motif)}")

    model = hp.HoscClustering(n_clusters=3, motifs={"edge": 0.5, "triangle": 0.5}, random_state=0).fit(graph)
    for cluster in range(3):
        members = [str(name) for name, label in zip(graph.names, model.labels_, strict=True) if label == cluster]
        print(f"cluster {cluster}: {', '.join(members)}")

    print(f"edges cut: {hp.metrics.conductance(graph, model.labels_):.2f}")
    print(f"triangles cut: {hp.metrics.motif_conductance(graph, model.labels_, 'triangle'):.2f}")

    model.save(Path(folder) / "model")  # safetensors and JSON; nothing is pickled
    again = hp.HoscClustering.load(Path(folder) / "model")
    print("the same after loading:", bool((again.labels_ == model.labels_).all()))
