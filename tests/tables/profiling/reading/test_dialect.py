"""Tests of tokumei.tables.profiling.reading.dialect."""

from __future__ import annotations

import pytest

from tables.profiling.reading_helpers import JAPANESE
from tokumei.core.errors import InputError
from tokumei.tables.profiling.profiler import look
from tokumei.tables.profiling.reading.source import Dialect, read_source


def test_a_broken_byte_is_a_fault_with_its_line_or_counted(tmp_path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes((JAPANESE * 200).encode("cp932").replace(b"\x93\x8c", b"\x93\xff", 1))
    with pytest.raises(InputError) as failed:
        look(str(path))
    assert failed.value.faults[0].line == 2
    replaced = read_source(str(path), Dialect(replace=True))
    assert replaced.replaced >= 1
