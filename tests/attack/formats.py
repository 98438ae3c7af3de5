"""The formats under attack: small valid files of each, and the call that a user makes to read them."""

from __future__ import annotations

import gzip
import io
import json
import pickle
import tempfile
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import scipy.sparse as sp

import hoscpool as hp
from attack.block_formats import blocks_cases, read_as_blocks, read_blocks, seal_blocks
from attack.checkpoint_formats import search_cases, search_from, train_from, training_cases
from attack.frames import frame_cases, read_frames
from attack.mutations import Case
from hoscpool.graph import read_features, read_labels


@dataclass(frozen=True)
class Format:
    """One kind of file or folder.

    Attributes:
        read: Reads the folder of the case.
        seeds: Makes the valid cases.
        seal: Gives a damaged case its checksums again.
    """

    read: Callable[[Path], object]
    seeds: Callable[[], Sequence[Case]]
    seal: Callable[[Case], Case] = dict


def _graph(name: str) -> Callable[[Path], object]:
    return lambda folder: hp.as_graph(folder / name)


def _text(name: str, *texts: str | bytes) -> Format:
    raw = [text.encode() if isinstance(text, str) else text for text in texts]
    if name.endswith(".gz"):
        raw = [gzip.compress(text, mtime=0) for text in raw]
    return Format(_graph(name), lambda: [{name: text} for text in raw])


LISTS = (
    "0,1\n1,2\n2,0\n2,3\n3,4\n4,5\n5,3\n",
    "source,target,weight\nann,bob,1.5\nbob,cid,2\ncid,ann,0.25\n",
    "# comment\n0 1\n1 2\n2 0\n% other\n10 12\n",
    'a;b\n"Smith, John";"x ""y"" z"\nb;a\n',
    "0\t1\t0.5\n1\t2\t1e3\n",
    "a b\nb c\n",
)
GML = """graph [
  directed 0
  node [ id 1 label "a" ]
  node [ id 2 label "b" x 1.5 ]
  node [ id 3 label "c &amp; d" ]
  edge [ source 1 target 2 weight 2.5 ]
  edge [ source 2 target 3 ]
  edge [ source 2 target 3 ]
]
"""
GRAPHML = "\n".join(nx.generate_graphml(nx.relabel_nodes(nx.house_graph(), str))) + "\n"
NAMED = GRAPHML.replace("<graph ", "<key id='d0' for='node' attr.name='name' attr.type='string'/><graph ", 1)
MATRICES = (
    "%%MatrixMarket matrix coordinate real symmetric\n% note\n4 4 3\n2 1 1.5\n3 2 2\n4 1 1\n",
    "%%MatrixMarket matrix coordinate pattern general\n3 3 4\n1 2\n2 1\n2 3\n3 2\n",
    "%%MatrixMarket matrix array real general\n2 2\n0\n1\n1\n0\n",
    "%%MatrixMarket matrix array integer symmetric\n2 2\n0\n3\n0\n",
)
RING = sp.csr_array(nx.to_scipy_sparse_array(nx.cycle_graph(6), weight=None))


def _bytes_of(write: Callable[..., Any], *args: Any, **options: Any) -> bytes:
    out = io.BytesIO()
    write(out, *args, **options)
    return out.getvalue()


def _archives() -> Sequence[Case]:
    kinds = [
        sp.csr_array(RING),
        sp.csc_array(RING),
        sp.coo_array(RING),
        sp.bsr_array(RING, blocksize=(2, 2)),
        sp.dia_array(RING),
        sp.csr_array(RING, dtype=np.float32),
    ]
    return [{"graph.npz": _bytes_of(sp.save_npz, matrix, compressed=i % 2 == 0)} for i, matrix in enumerate(kinds)]


def _parquet() -> Sequence[Case]:
    import pandas as pd

    plain = pd.DataFrame({"source": [0, 1, 2], "target": [1, 2, 0], "weight": [0.5, 1.0, 2.0]})
    named = pd.DataFrame({"from": ["a", "b", "a"], "to": ["b", "c", "c"], "when": [1, 2, 3]})
    return [{"graph.parquet": _bytes_of(lambda out, table=table: table.to_parquet(out))} for table in (plain, named)]


def _read_fast(folder: Path) -> object:
    """Read by the compiled reader, which is meant for large files. It must give what the exact reader gives."""
    from hoscpool.graph.readers import edge_list_fast
    from hoscpool.graph.readers.edge_list_exact import read_exact
    from hoscpool.graph.readers.opening import reporting

    path = folder / "graph.csv"
    with reporting(path, "an edge list"):
        found = edge_list_fast.read_fast(path)
    if found is not None:
        try:
            exact = read_exact(path)
        except ValueError as error:
            raise AssertionError("only the compiled reader takes the file") from error
        pairs = [(getattr(found, part), getattr(exact, part)) for part in ("rows", "cols", "weights", "node_names")]
        assert all(np.array_equal(one, other) for one, other in pairs), "the two readers differ"
    before, edge_list_fast.LARGE = edge_list_fast.LARGE, 0
    try:
        return hp.as_graph(path)
    finally:
        edge_list_fast.LARGE = before


NODES = ("ann", "bob", "cid", "7")


def _tables(name: str, cells: Sequence[str]) -> Callable[[], Sequence[Case]]:
    return lambda: [{name: text.encode()} for text in cells]


FEATURE_TABLES = (
    "node,age,height\nann,1,2.5\nbob,3,4\ncid,-1,0\n7,1e3,9\n",
    "1,2\n3,4\n5,6\n7,8\n",
    '"ann"\t1\nbob\t2\ncid\t3\n7\t4\n',
)
LABEL_TABLES = ("node,class\nann,x\nbob,y\ncid,x\n7,y\n", "0\n1\n1\n0\n", "a b\na b\nc\nc\n", "01\n1\n1\n2\n")


def _feature_arrays() -> Sequence[Case]:
    table = np.arange(8.0).reshape(4, 2)
    return [
        {"table.npz": _bytes_of(np.savez, x=table)},
        {"table.npz": _bytes_of(np.savez_compressed, x=table.astype(np.int32))},
        {"table.npz": _bytes_of(sp.save_npz, sp.csr_array(table))},
        {"table.npz": _bytes_of(sp.save_npz, sp.coo_array(table))},
    ]


def _arrays(*arrays: Any) -> Callable[[], Sequence[Case]]:
    return lambda: [{"table.npy": _bytes_of(np.save, array)} for array in arrays]


def _files_of(folder: Path) -> Case:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@cache
def _saved(write: Callable[[Path], object]) -> Case:
    with tempfile.TemporaryDirectory() as name:
        write(Path(name))
        return _files_of(Path(name))


def _seal_model(case: Case) -> Case:
    """Give the JSON file the checksums of both files."""
    sealed = dict(case)
    for name in [name for name in case if name.endswith(".json")]:
        tensors = case.get(name.removesuffix(".json") + ".safetensors", b"")
        try:
            content = json.loads(case[name])
        except (ValueError, RecursionError):
            continue
        if not isinstance(content, dict):
            continue
        body = {key: value for key, value in content.items() if key != "sha256"}
        if "tensors_sha256" in body:
            body["tensors_sha256"] = sha256(tensors).hexdigest()
        seal = sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()
        sealed[name] = json.dumps({**body, "sha256": seal}).encode()
    return sealed


def _clustering(**settings: Any) -> Callable[[Path], object]:
    def write(folder: Path) -> None:
        model = hp.HoscClustering(2, random_state=0, **settings)
        model.fit(graph=nx.karate_club_graph()).save(folder)

    return write


_CLUSTERINGS = (_clustering(max_epochs=3, n_init=1), _clustering(solver="multilevel"))


def _toy_graphs() -> list[Any]:
    import torch
    from torch_geometric.utils import from_networkx

    graphs = []
    for i in range(12):
        data = from_networkx(nx.complete_graph(4 + i % 3) if i % 2 else nx.wheel_graph(5))
        data.x, data.y = torch.ones(data.num_nodes, 2), torch.tensor([i % 2])
        graphs.append(data)
    return graphs


def _write_classifier(folder: Path) -> None:
    with tempfile.TemporaryDirectory() as unfinished:
        model = hp.GraphClassifier("hosc", max_epochs=2, hidden=4, random_state=0, checkpoint=unfinished)
        model.fit(_toy_graphs()).save(folder)


RECORD = {
    "experiment": "clustering", "dataset": "cora", "method": "hosc", "seed": 0, "hash": "x", "status": "ok",
    "metrics": {"nmi": 0.5, "n_clusters": 7, "live_clusters": 7, "epochs": 9, "hard_objective": -0.5},
    "seconds": {"wall": 1.5, "cpu": 1.0}, "peak_memory": 10_000, "info": {"start": "raw"},
    "curve": {"epoch": [1, 2], "loss": [1.0, 0.5], "objective": [1.0, 0.5], "orthogonality": [1.0, 0.5]},
    "settings": {"mu": 0.1, "preset": "paper"}, "versions": {"python": "3.11"}, "finished": "2026-01-01T00:00:00Z",
    "machine": {"processor": "x", "cores": "2", "memory": "1 GB", "system": "Linux"},
}  # fmt: skip
FAILED = {name: RECORD[name] for name in ("experiment", "dataset", "method", "hash")} | {
    "seed": 1, "status": "failed", "error": "ValueError: no", "seconds": {"wall": 1.0}
}  # fmt: skip


def _store() -> Sequence[Case]:
    """Records under the current hash, because the tables leave others out."""
    from hoscpool.experiments import find_experiment
    from hoscpool.experiments.running.cell import settings_hash

    cells = [("cora", "hosc"), ("pubmed", "mincut")]
    records = []
    for dataset, method in cells:
        current = settings_hash(find_experiment("clustering").settings(dataset, method))
        records += [part | {"dataset": dataset, "method": method, "hash": current} for part in (RECORD, FAILED)]
    return [{"clustering.jsonl": "".join(json.dumps(record) + "\n" for record in records).encode()}]


def _read_store(folder: Path) -> object:
    from hoscpool.experiments import Results, loss_curves
    from hoscpool.experiments.tables import make_views
    from hoscpool.report.results.reproduction import circumstances

    results = Results(folder)
    return [make_views(results), loss_curves(results), circumstances(results)]


def _tu_files() -> Sequence[Case]:
    base = {
        "T_A.txt": b"1, 2\n2, 1\n2, 3\n3, 2\n4, 5\n5, 4\n",
        "T_graph_indicator.txt": b"1\n1\n1\n2\n2\n3\n",
        "T_graph_labels.txt": b"1\n-1\n1\n",
    }
    return [base, base | {"T_node_labels.txt": b"0\n1\n0\n2\n0\n1\n", "T_node_attributes.txt": b"1.5, 2\n" * 6}]


def _read_tu(folder: Path) -> object:
    from hoscpool.cli.sources import load_graph_set

    return load_graph_set(str(folder))


def _planetoid() -> Sequence[Case]:
    words = np.array([[1, 0, 2], [0, 0, 0], [0, 3, 0], [4, 0, 0], [0, 5, 6]], dtype=np.float32)
    classes = np.eye(2, dtype=np.int32)[[0, 1, 1, 1, 0]]
    parts: dict[str, Any] = {
        "x": sp.csr_matrix(words[:1]), "allx": sp.csr_matrix(words[:3]), "tx": sp.csr_matrix(words[3:]),
        "y": classes[:1], "ally": classes[:3], "ty": classes[3:],
        "graph": defaultdict(list, {0: [1, 1, 0], 1: [0, 5], 2: [], 3: [], 4: [], 5: [1]}),
    }  # fmt: skip
    return [
        {f"ind.tiny.{name}": pickle.dumps(part, protocol) for name, part in parts.items()}
        | {"ind.tiny.test.index": b"5\n3\n"}
        for protocol in (2, 4)
    ]


def _read_planetoid(folder: Path) -> object:
    from hoscpool.datasets.attributed_graphs import read_planetoid
    from hoscpool.datasets.dataset_catalog import dataset_info
    from hoscpool.datasets.reading import reporting_folder

    with reporting_folder(dataset_info("cora"), folder):
        return read_planetoid(folder, "tiny")


def _attributed() -> Sequence[Case]:
    words = sp.csr_array(([2.0, 0.0, -1.0], ([0, 1, 2], [1, 0, 1])), shape=(6, 2))
    names = ("data", "indices", "indptr", "shape")
    arrays = {f"{prefix}_{part}": np.array(getattr(matrix, part)) for prefix, matrix in (("adj", RING), ("attr", words))
              for part in names}  # fmt: skip
    return [{"graph.npz": _bytes_of(np.savez, labels=np.array([0, 1, 1, 0, 0, 1]), **arrays)}]


def _read_attributed(folder: Path) -> object:
    from hoscpool.datasets.attributed_graphs import read_attributed_npz
    from hoscpool.datasets.dataset_catalog import dataset_info
    from hoscpool.datasets.reading import reporting_folder

    with reporting_folder(dataset_info("photo"), folder):
        return read_attributed_npz(folder / "graph.npz")


def _objects(values: Sequence[Any]) -> Any:
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def _bench() -> Sequence[Case]:
    arrays = {}
    for prefix in ("tr", "val", "te"):
        matrices = [sp.csr_matrix(np.ones((size, size)) - np.eye(size)) for size in (3, 4)]
        arrays[f"{prefix}_adj"] = _objects(matrices)
        arrays[f"{prefix}_feat"] = _objects([np.ones((3, 2), np.float32), np.zeros((4, 2), np.float32)])
        arrays[f"{prefix}_class"] = np.eye(2, dtype=np.int64)
    return [{"hard.npz": _bytes_of(np.savez, **arrays)}]


def _read_bench(folder: Path) -> object:
    from hoscpool.datasets.attributed_graphs import read_bench

    return read_bench(folder / "hard.npz")


COLUMNS = (
    'id,payer,payee,sum\n1,ann,bob,2.5\n2,bob,cid,"0,5"\n3,cid,ann,1\n',
    "1;ann;bob;0,5\n2;bob;cid;2\n",
)
EDGE_DATA = ("a b {'weight': 2.5, 'color': 'x, y'}\nb c {}\n", '1,2,{"weight": 3}\n2,3,{"weight": 1}\n')
PAJEK = '*Vertices 3\n1 "Ann" 0.1 0.2\n2 Bob\n*Edges\n1 2 2.5\n*Arcs\n2 3\n'
NODE_TABLES = (
    "id,full name,age,city\nann,Ann Lee,30,Rome\nbob,Bob,,Oslo\n7,Z,1e3,Rome\n",
    "node|x\ncid|1,5\nann|2\n",
)


def _read_columns(folder: Path) -> object:
    path = folder / "graph.csv"
    places = {} if b"payer" in path.read_bytes()[:40] else {"source": 1, "target": 2, "weight": 3}
    names = {"source": "payer", "target": "payee", "weight": "sum"}
    return hp.as_graph(path, **(places or names), on_bad_rows="skip")


def _json_graphs() -> Sequence[Case]:
    house = nx.house_graph()
    contents: list[Any] = [
        nx.node_link_data(house, edges="edges"),
        nx.adjacency_data(house),
        {"a": ["b", "c"], "b": ["c"]},
    ]
    return [{"graph.json": json.dumps(content).encode()} for content in contents]


def _gexf() -> Sequence[Case]:
    text = "\n".join(nx.generate_gexf(nx.relabel_nodes(nx.house_graph(), str)))
    return [{"graph.gexf": text.encode()}]


def _sheet(**columns: Any) -> bytes:
    import pandas as pd

    return _bytes_of(lambda out: pd.DataFrame(columns).to_excel(out, index=False))


def _sheets() -> Sequence[Case]:
    return [{"graph.xlsx": _sheet(source=["a", "b"], target=["b", "c"], amount=[1.5, 2])}]


def _read_nodes(name: str) -> Callable[[Path], object]:
    graph = hp.as_graph(nx.path_graph(list(NODES)))
    return lambda folder: hp.as_graph(graph, nodes=folder / name)


def _read_manifest(folder: Path) -> object:
    from hoscpool.report.folder import foreign_files

    return foreign_files(folder)


FORMATS: dict[str, Format] = {
    "csv": _text("graph.csv", *LISTS, "\ufeff" + LISTS[1], LISTS[0].encode("utf-16")),
    "csv, compiled reader": Format(_read_fast, lambda: [{"graph.csv": text.encode()} for text in LISTS]),
    "csv, columns": Format(_read_columns, lambda: [{"graph.csv": text.encode()} for text in COLUMNS]),
    "edge data": _text("graph.edgelist", *EDGE_DATA),
    "psv": _text("graph.psv", *(text.replace(",", "|") for text in LISTS[:2])),
    "adjlist": _text("graph.adjlist", "a b c\nb c\nd\n", "0 1 2\n1 2\n5\n"),
    "net": _text("graph.net", PAJEK, "*Vertices 3\n*Matrix\n0 1 2\n1 0 0\n2 0 0\n", "*Vertices 3\n*Arcslist\n1 2 3\n"),
    "json": Format(_graph("graph.json"), _json_graphs),
    "gexf": Format(_graph("graph.gexf"), _gexf),
    "xlsx": Format(_graph("graph.xlsx"), _sheets),
    "nodes.csv": Format(_read_nodes("nodes.csv"), _tables("nodes.csv", NODE_TABLES)),
    "nodes.json": Format(
        _read_nodes("nodes.json"), lambda: [{"nodes.json": b'{"ann": {"age": 3, "x": "y"}, "7": {}}'}]
    ),
    "nodes.xlsx": Format(
        _read_nodes("nodes.xlsx"), lambda: [{"nodes.xlsx": _sheet(node=list(NODES), age=[1, 2, 3, 4])}]
    ),
    "data frames": Format(read_frames, frame_cases),
    "features.json": Format(
        lambda folder: read_features(folder / "table.json", NODES),
        _tables("table.json", ('{"ann": [0, 3], "bob": [], "cid": [1], "7": [3]}', '{"ann": [2]}')),
    ),
    "tsv": _text("graph.tsv", *LISTS),
    "txt": _text("graph.txt", *LISTS),
    "edges": _text("graph.edges", *LISTS),
    "csv.gz": _text("graph.csv.gz", *LISTS),
    "gml": _text("graph.gml", GML),
    "gml.gz": _text("graph.gml.gz", GML),
    "graphml": _text("graph.graphml", GRAPHML, NAMED),
    "graphml.gz": _text("graph.graphml.gz", GRAPHML),
    "mtx": _text("graph.mtx", *MATRICES),
    "mtx.gz": _text("graph.mtx.gz", *MATRICES),
    "npz": Format(_graph("graph.npz"), _archives),
    "parquet": Format(_graph("graph.parquet"), _parquet),
    "features.csv": Format(
        lambda folder: read_features(folder / "table.csv", NODES), _tables("table.csv", FEATURE_TABLES)
    ),
    "features.npz": Format(lambda folder: read_features(folder / "table.npz", NODES), _feature_arrays),
    "features.npy": Format(
        lambda folder: read_features(folder / "table.npy", NODES), _arrays(np.ones((4, 2)), np.ones((4, 2), np.int8))
    ),
    "labels.csv": Format(lambda folder: read_labels(folder / "table.csv", NODES), _tables("table.csv", LABEL_TABLES)),
    "labels.npy": Format(
        lambda folder: read_labels(folder / "table.npy", NODES), _arrays(np.arange(4), np.array(["a", "b", "a", "c"]))
    ),
    "clustering model": Format(hp.HoscClustering.load, lambda: [_saved(write) for write in _CLUSTERINGS], _seal_model),
    "classifier model": Format(hp.GraphClassifier.load, lambda: [_saved(_write_classifier)], _seal_model),
    "checkpoint": Format(train_from, training_cases, _seal_model),
    "checkpoint of a search": Format(search_from, search_cases, _seal_model),
    "store": Format(_read_store, _store),
    "Planetoid folder": Format(_read_planetoid, _planetoid),
    "attributed npz": Format(_read_attributed, _attributed),
    "pickled npz": Format(_read_bench, _bench),
    "TU folder": Format(_read_tu, _tu_files),
    "blocks": Format(read_blocks, blocks_cases, seal_blocks),
    "blocks of csv": Format(read_as_blocks("graph.csv"), lambda: [{"graph.csv": text.encode()} for text in LISTS]),
    "blocks of csv.gz": Format(
        read_as_blocks("graph.csv.gz"), lambda: [{"graph.csv.gz": gzip.compress(text.encode())} for text in LISTS]
    ),
    "blocks of npz": Format(read_as_blocks("graph.npz"), lambda: [*_archives()[:3], _archives()[5]]),
    "blocks of parquet": Format(read_as_blocks("graph.parquet"), _parquet),
    "manifest": Format(
        _read_manifest, lambda: [{"summary.json": b'{"program": "hoscpool", "files": ["a"]}', "a": b""}]
    ),
}
"""Every format by name. A new reader joins the attack here."""
