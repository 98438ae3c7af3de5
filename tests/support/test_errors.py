from __future__ import annotations

import threading
import warnings

import pytest

from hoscpool.support.errors import ignoring


def test_only_the_wanted_warnings_are_ignored() -> None:
    before = list(warnings.filters)
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        with ignoring(UserWarning, message="number of"):
            warnings.warn("Number of clusters", UserWarning, stacklevel=1)
            warnings.warn("something else", UserWarning, stacklevel=1)
            warnings.warn("number of", DeprecationWarning, stacklevel=1)
        warnings.warn("number of clusters", UserWarning, stacklevel=1)
    assert [str(one.message) for one in seen] == ["something else", "number of", "number of clusters"]
    assert list(warnings.filters) == before


def test_a_filter_of_the_user_stays() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        before = list(warnings.filters)
        with ignoring(UserWarning), ignoring(UserWarning):
            pass
        assert list(warnings.filters) == before


def test_blocks_that_overlap_in_two_threads() -> None:
    before, inside, first_has_left = list(warnings.filters), threading.Barrier(2), threading.Event()
    quiet_in_second = list[bool]()

    def first() -> None:
        with ignoring(UserWarning, "a"):
            inside.wait()
        first_has_left.set()

    def second() -> None:
        with ignoring(UserWarning, "a"):
            inside.wait()
            first_has_left.wait()
            warnings.warn("a", UserWarning, stacklevel=1)  # an error, were it not ignored
            quiet_in_second.append(True)

    workers = [threading.Thread(target=work) for work in (first, second)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert quiet_in_second == [True]
    assert list(warnings.filters) == before


def test_filters_are_put_back_after_an_error() -> None:
    before = list(warnings.filters)

    def fail() -> None:
        with ignoring():
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert list(warnings.filters) == before
