"""Tests of tokumei.apps.studio.store.saved_address."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tokumei.apps.studio.store.saved_address import (
    ADDRESS_FILE,
    make_address,
    read_address,
    save_address,
)


def test_an_address_is_kept_for_its_owner_alone(tmp_path: Path) -> None:
    address = make_address(40123)
    save_address(tmp_path, address)
    assert read_address(tmp_path) == address
    assert (tmp_path / ADDRESS_FILE).stat().st_mode & 0o077 == 0
    assert address.token not in repr(address)


def test_what_is_no_address_is_made_anew(tmp_path: Path) -> None:
    assert read_address(tmp_path) is None
    for text in ("{", "[]", "{}", '{"port": 1, "path": "", "token": "", "session": ""}'):
        (tmp_path / ADDRESS_FILE).write_text(text)
        assert read_address(tmp_path) is None
    save_address(tmp_path, replace(make_address(1), port=70_000))
    assert read_address(tmp_path) is None
    assert make_address(1).session != make_address(1).session
