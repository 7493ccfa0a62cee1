"""Tests of tokumei.histories.formats.layout."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tokumei.core.errors import InputError, UnknownNameError
from tokumei.histories.formats.layout import HeaderTable


def write(folder: Path, *cells: str) -> Path:
    lines = [f'c{i % 2},令和7年5月{i + 1}日,tea,"{cell}",2' for i, cell in enumerate(cells)]
    path = folder / "sales.csv"
    path.write_text("\n".join(["who,when,what,price,quantity", *lines]), encoding="cp932")
    return path


COLUMNS = {"customer": "who", "day": "when", "item": "what"}


def test_a_file_says_what_was_read(tmp_path: Path) -> None:
    path = write(tmp_path, "￥1,415", "￥80")
    history, notes = HeaderTable(columns=COLUMNS).read_with_notes(path)
    assert history.numbers("price").tolist() == [141500, 8000]
    said = Counter(note.show("en") for note in notes)
    assert said["Normalized: currency 2 (price)"] == said["Normalized: era 2 (when)"] == 1


def test_rules_are_switched_off_by_name(tmp_path: Path) -> None:
    path = write(tmp_path, "￥1,415", "￥80")
    for off in ("currency", "era", "all"):
        with pytest.raises(InputError, match=r"[24] cell"):
            HeaderTable(columns=COLUMNS, no_normalize=(off,)).read(path)
    with pytest.raises(UnknownNameError, match="currency"):
        HeaderTable(no_normalize=("curency",))


def test_what_no_rule_reads_is_named_by_line(tmp_path: Path) -> None:
    with pytest.raises(InputError) as told:
        HeaderTable(columns=COLUMNS).read(write(tmp_path, "￥1,415", "半額"))
    assert [(fault.line, fault.column) for fault in told.value.faults] == [(3, "price")]
    assert "半額" in told.value.faults[0].message.show("en")
