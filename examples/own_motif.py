"""Count a motif of one's own, see who takes part in it, and cluster by it.

Run: python examples/own_motif.py
"""

import networkx as nx

import hoscpool as hp


def main() -> None:
    novel = nx.les_miserables_graph()

    # two triangles that share one node, given by its edges
    bowtie = hp.Motif.from_edges("bowtie", [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 2)])
    print(f"bowties: {hp.motif_count(novel, bowtie):,}")

    # it stands wherever the name of a motif does
    counts = hp.node_motif_counts(novel, ["triangle", bowtie])
    print(counts.sort_values("bowtie", ascending=False).head(5))
    together = hp.motif_adjacency(novel, bowtie)
    print(f"pairs of characters in a bowtie: {together.nnz // 2:,}")

    # with anchors only the node in the middle counts together with its partners on one side
    side = hp.Motif.from_edges("bowtie-side", bowtie.edges, anchors=[0, 1, 2])
    print(f"pairs on one side of a bowtie: {hp.motif_adjacency(novel, side).nnz // 2:,}")

    # once registered, its name is known to estimators, pools and the command line
    hp.motifs.register_motif(bowtie)
    model = hp.HoscClustering(6, motifs={"edge": 0.5, "bowtie": 0.5}, n_init=1, max_epochs=100, random_state=0)
    labels = model.fit(novel).labels_
    print(f"clusters by edges and bowties: {len(set(labels.tolist()))}")


if __name__ == "__main__":
    main()
