"""Tests of tokumei.core.context_threads."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from core.fields_helpers import CLI, PYTHON
from tokumei.core.context_threads import ContextThreadPool
from tokumei.core.fields import current_front_end, field_name, using_front_end


def test_threads_of_our_pools_know_the_front_end():
    with using_front_end(CLI), ContextThreadPool(1) as ours, ThreadPoolExecutor(1) as others:
        assert ours.submit(current_front_end).result() is CLI
        assert list(ours.map(field_name, ["qi", "sa"])) == ["--qi", "--sa"]
        assert others.submit(current_front_end).result() is PYTHON
