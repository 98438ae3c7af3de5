"""Choose the default regularisation of spectral clustering by the objective of the labels, without class labels.

    python benchmarks/choose_regularization.py        # needs HOSCPOOL_DATA; writes results/regularization.csv

Every graph is clustered with every value of τ, by its edges and by its triangles, with seed 0. K is the number of
classes; nothing else of the classes is used. The clusterings are compared by L_mc + L_o of their cluster labels on the
matrix that was clustered. The default is the value with the lowest mean over all graphs and both matrices.
"""

from __future__ import annotations

import csv
import warnings
from pathlib import Path

import numpy as np
import torch

from hoscpool.cluster import MotifSpectralClustering
from hoscpool.datasets import load
from hoscpool.motifs import motif_adjacency
from hoscpool.objectives import hosc_loss

OUTPUT = Path(__file__).resolve().parents[1] / "results" / "regularization.csv"
GRAPHS = ("karate", "syn1", "syn2", "syn3", "email-eu", "polblogs", "cora", "citeseer", "photo", "pubmed", "dblp", "pc",
          "cs")  # fmt: skip
VALUES = (0.0, 1 / 64, 1 / 16, 1 / 4, 1.0, 4.0)


def main() -> None:
    """Measure, write the table, and print the best value."""
    rows = [(graph, motif, *scores(graph, motif)) for graph in GRAPHS for motif in ("edge", "triangle")]
    mean = np.mean([row[2:] for row in rows], axis=0)
    OUTPUT.parent.mkdir(exist_ok=True)
    with OUTPUT.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["graph", "motif", *(f"tau={value:g}" for value in VALUES)])
        writer.writerows([*row[:2], *(f"{score:.4f}" for score in row[2:])] for row in [*rows, ("mean", "both", *mean)])
    print(f"{OUTPUT.name}: lowest mean objective of the labels {mean.min():.4f} at τ = {VALUES[int(mean.argmin())]:g}")


def scores(name: str, motif: str) -> list[float]:
    """The objective of the labels for every value of τ."""
    graph = load(name).undirected()
    if name == "polblogs":
        graph = graph.largest_component()
    assert graph.labels is not None
    k, matrix = len(np.unique(graph.labels)), motif_adjacency(graph, motif).astype(np.float64)
    found = []
    for value in VALUES:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            model = MotifSpectralClustering(k, motif, regularize=value, random_state=0).fit(graph)
        s = torch.nn.functional.one_hot(torch.from_numpy(model.labels_), k).double()
        found.append(float(hosc_loss({motif: matrix}, s, {motif: 1.0}, mu=1.0).total))
    print(f"{name:9} {motif:9}", "  ".join(f"{score:.3f}" for score in found), flush=True)
    return found


if __name__ == "__main__":
    main()
