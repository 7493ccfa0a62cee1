"""Tests of tokumei.core.process_limits."""

from __future__ import annotations

import pytest

from tokumei.core import process_limits


def test_without_limits_a_process_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process_limits, "resource", None)
    process_limits.limit_process(megabytes=1, cpu_seconds=1, file_megabytes=1)
    process_limits.limit_address_space(1)
    process_limits.raise_open_file_limit()
    assert process_limits.open_file_limit() is None
    assert not process_limits.is_memory_short()
