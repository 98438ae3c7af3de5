from __future__ import annotations

import argparse

import pytest

from hoscpool.bench.suites import list_suites, load_suite


def test_unknown_suite() -> None:
    with pytest.raises(ValueError, match=r"expected one of .*motifs.* \(got 'nothing'\)"):
        load_suite("nothing")


@pytest.mark.parametrize("name", list_suites())
def test_every_suite_keeps_the_contract(name: str) -> None:
    suite = load_suite(name)
    parser = argparse.ArgumentParser()
    suite.add_arguments(parser)
    assert suite.HELP
    assert suite.METHOD
    assert callable(suite.cases)
