"""The cluster around one node, without clustering the whole graph.

Run: python examples/local_cluster.py
"""

import networkx as nx

import hoscpool as hp


def main() -> None:
    novel = nx.les_miserables_graph()
    found = hp.local_cluster(novel, "Gavroche", motif="triangle")
    print(found)
    for name, score in zip(found.members[:5], found.scores, strict=False):
        print(f"  {name:<12} {score:.4f}")
    by_edges = hp.local_cluster(novel, "Gavroche", motif="edge")
    print(f"by triangles {len(found.members)} members, by edges {len(by_edges.members)}")

    # a large graph: motifs are counted only around the node
    graph = hp.datasets.planted_communities(100_000, 1_200_000, 500, random_state=0)
    around = hp.local_cluster(graph, 4711)
    community = graph.labels == graph.labels[4711]
    right = community[around.nodes].mean()
    print(f"{len(around.members)} members, {right:.0%} of them in its community of {community.sum():,}")
    print(f"read {around.edges_read:,} of {2 * graph.num_edges:,} entries")


if __name__ == "__main__":
    main()
