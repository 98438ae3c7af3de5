"""Which motifs does a directed graph have more often than chance? And who takes part in them?

Run: python examples/motif_profile.py
"""

import networkx as nx
import numpy as np

import hoscpool as hp


def feed_forward_graph(seed: int = 0) -> nx.DiGraph:
    """A random directed graph in which many feed-forward loops are planted."""
    rng = np.random.default_rng(seed)
    graph = nx.gnm_random_graph(150, 250, seed=seed, directed=True)
    for _ in range(60):
        a, b, c = rng.choice(150, 3, replace=False).tolist()
        graph.add_edges_from([(a, b), (b, c), (a, c)])
    return graph


def main() -> None:
    graph = feed_forward_graph()
    profile = hp.motif_profile(graph, samples=100, random_state=0)
    print(profile.round(2).to_string())
    best = profile["z"].idxmax()
    row = profile.loc[best]
    print(f"most over chance: {best}, {row['count'] / max(row['mean'], 1):.0f} times, p = {row['p']:.3f}")
    print(f"edges that the random graphs share with ours: {profile.attrs['edges_kept']:.1%}")

    counts = hp.node_motif_counts(graph, ["feed-forward-loop"], induced=True)
    print("nodes in most feed-forward loops:", counts["feed-forward-loop"].nlargest(3).to_dict())

    # undirected, and of higher order: how often is a triangle with one more edge part of a four-clique?
    club = nx.karate_club_graph()
    for order in (2, 3):
        print(f"clustering of order {order}: {hp.metrics.higher_order_clustering(club, order):.3f}")


if __name__ == "__main__":
    main()
