"""Cluster a NetworkX graph with HOSC, motif spectral clustering and plain spectral clustering.

Zachary's Karate club split in two after a quarrel. We know who joined which side. Run ``python cluster_networkx.py``.
"""

import networkx as nx

import hoscpool as hp

graph = nx.karate_club_graph()
sides = [graph.nodes[node]["club"] for node in graph]  # only to compare; no method sees them

hosc = hp.HoscClustering(2, motifs={"edge": 0.5, "triangle": 0.5}, random_state=0)
models = {
    "HOSC, edges and triangles": hosc,
    "spectral, triangles": hp.MotifSpectralClustering(2, motif="triangle", random_state=0),
    "spectral, edges": hp.MotifSpectralClustering(2, motif="edge", random_state=0),
}
for name, model in models.items():
    labels = model.fit(graph).labels_
    agreement = hp.metrics.accuracy(sides, labels)
    cut = hp.metrics.motif_conductance(graph, labels, "triangle")
    print(f"{name:26} {agreement:.0%} on the right side, {cut:.1%} of the triangles cut")

nx.set_node_attributes(graph, dict(zip(graph, hosc.labels_.tolist(), strict=True)), "cluster")
print("the two leaders:", graph.nodes[0]["cluster"], graph.nodes[33]["cluster"])

# Memberships are soft. The least certain member is between the two sides.
certainty = hosc.assignment_.max(axis=1)
print(f"least certain: node {certainty.argmin()}, {certainty.min():.3f}")

# A hierarchy: start from four clusters and merge them. Every level has its coarsened graph.
fine = hp.HoscClustering(4, random_state=0).fit(graph)
for level in fine.hierarchy([4, 3, 2]):
    sizes = hp.metrics.cluster_sizes(level.labels).tolist()
    print(f"{level.n_clusters} clusters of {sizes} nodes; {level.graph.num_edges} links between them")
