from __future__ import annotations

import subprocess
import sys

import pytest

from hoscpool.bench.harness.cases import Contender
from hoscpool.bench.peers import tgp

needs_tgp = pytest.mark.skipif(
    not Contender("", id, module="tgp").is_installed, reason="torch-geometric-pool is not installed"
)


@needs_tgp
@pytest.mark.skipif(tgp.has_torch_scatter(), reason="torch-scatter is installed")
def test_only_torch_geometric_pool_sees_the_stand_in() -> None:
    assert tgp.import_tgp("tgp.utils.ops").scatter.__module__ == "hoscpool.bench.peers.torch_scatter"
    assert "torch_scatter" not in sys.modules
    import torch_geometric.typing

    assert not torch_geometric.typing.WITH_TORCH_SCATTER


@needs_tgp
@pytest.mark.slow
def test_the_stand_in_is_gone_for_a_fresh_process_as_well() -> None:
    code = (
        "from hoscpool.bench.peers.tgp import import_tgp; import_tgp('tgp.poolers'); import torch_geometric.typing as t"
    )
    check = "import sys; print(t.WITH_TORCH_SCATTER, 'torch_scatter' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", f"{code}; {check}"], capture_output=True, text=True, check=True)
    expected = [str(tgp.has_torch_scatter())] * 2
    assert found.stdout.split() == expected


def test_the_real_one_is_preferred(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tgp, "has_torch_scatter", lambda: True)
    with tgp._stand_in():
        assert "torch_scatter" not in sys.modules
    assert tgp.tgp_contender("x", id, id).remark == ""
    monkeypatch.setattr(tgp, "has_torch_scatter", lambda: False)
    assert tgp.tgp_contender("x", id, id).remark == tgp.STAND_IN


def test_how_to_install_it() -> None:
    contender = tgp.tgp_contender("x", id, id)
    assert contender.installation == "pip install --no-deps torch-geometric-pool"
    assert not contender.compared
