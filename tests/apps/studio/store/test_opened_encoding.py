"""Tests of tokumei.apps.studio.store.opened_encoding."""

from __future__ import annotations

from pathlib import Path

import pytest

from tokumei.apps.http.errors import UnprocessableContent
from tokumei.apps.studio.store.opened_encoding import encode_for_opening


def test_copies_are_as_programs_open_them(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("市\n京都\n", encoding="utf-8")
    excel = encode_for_opening(path, "excel", "cp932")
    assert excel == b"\xef\xbb\xbf" + path.read_bytes()
    assert encode_for_opening(path, "source", "cp932").decode("cp932") == "市\n京都\n"


def test_a_letter_that_the_encoding_lacks_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("😀", encoding="utf-8")
    with pytest.raises(UnprocessableContent, match="😀"):
        encode_for_opening(path, "source", "cp932")
