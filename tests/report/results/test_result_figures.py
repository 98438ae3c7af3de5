from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path

from experiments.made_up import make_record
from hoscpool.experiments import Results, Store
from hoscpool.report.results.result_figures import correlation_figure, correlations

SVG = "{http://www.w3.org/2000/svg}"


def test_the_points_are_those_of_the_records(tmp_path: Path) -> None:
    store = Store(tmp_path)
    for seed, score in enumerate((0.4, 0.6)):
        store.append(make_record("clustering", "syn1-r95", "hp-2-mu-0", seed, {"nmi": score}))
    store.append(make_record("clustering", "syn1-r30", "hp-2-mu-0", 0, {"nmi": 0.0}))
    root = ET.fromstring(correlation_figure(Results(tmp_path)))
    (curve,) = [line for line in root.iter(f"{SVG}polyline") if line.get("points")]
    (x1, y1), (x2, y2) = (map(float, point.split(",")) for point in str(curve.get("points")).split())
    ticks = {text.text: float(str(text.get("y"))) - 4 for text in root.iter(f"{SVG}text") if text.text in ("0", "1")}
    assert x1 < x2
    assert abs(y1 - ticks["0"]) < 0.1
    assert abs(y2 - (ticks["0"] + ticks["1"]) / 2) < 0.1


def test_without_records_it_has_the_published_rings_alone(tmp_path: Path) -> None:
    root = ET.fromstring(correlation_figure(Results(tmp_path)))
    rings = [circle for circle in root.iter(f"{SVG}circle") if circle.get("fill") == "#fff"]
    assert len(rings) == 3 * 4
    assert not [line for line in root.iter(f"{SVG}polyline") if line.get("points")]
    assert re.search(r"Rings: the published values", "".join(root.itertext()))


def test_correlations_are_in_order() -> None:
    assert list(correlations().values()) == [0.0, 0.3, 0.38, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99]
