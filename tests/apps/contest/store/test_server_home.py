"""Tests of tokumei.apps.contest.store.server_home."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from apps.contest.server.deploy_files_helpers import DEPLOY
from tokumei.apps.contest.store.server_home import (
    DATABASE_VARIABLE,
    VAULT_FOLDER,
    load_settings,
    open_home,
    prepare_home,
)
from tokumei.core.errors import InputError, UsageError


def test_all_folders_of_a_home_are_made_for_two_users(tmp_path: Path) -> None:
    prepare_home(tmp_path / "home")
    folders = {path.name for path in (tmp_path / "home").iterdir() if path.is_dir()}
    listed = (DEPLOY / "systemd/tokumei-contest.tmpfiles.conf").read_text().splitlines()
    lines = {line.split()[1].removeprefix("/var/lib/tokumei-contest/"): line for line in listed}
    assert folders <= set(lines)
    assert lines[VAULT_FOLDER].split()[2:4] == ["0700", "tokumei-worker"]
    image = (DEPLOY / "Containerfile").read_text()
    assert all(folder in image for folder in folders)


@pytest.fixture(autouse=True)
def no_database_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(DATABASE_VARIABLE, raising=False)


def test_without_a_file_rows_are_in_the_folder(tmp_path: Path) -> None:
    settings = load_settings(tmp_path)
    assert settings.database == f"sqlite:///{tmp_path}/database/store.sqlite"
    assert (settings.host, settings.port, settings.workers) == ("127.0.0.1", 8000, 1)


def test_given_wins_over_the_environment_and_that_over_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "server.yaml").write_text("database: sqlite:///file\nport: 1\nworkers: 3\n")
    assert load_settings(tmp_path).database == "sqlite:///file"
    monkeypatch.setenv(DATABASE_VARIABLE, "sqlite:///environment")
    assert load_settings(tmp_path).database == "sqlite:///environment"
    found = load_settings(tmp_path, database="sqlite:///given", port=2, workers=None)
    assert (found.database, found.port, found.workers) == ("sqlite:///given", 2, 3)


def test_a_public_address_is_https_unless_it_says_http(tmp_path: Path) -> None:
    assert load_settings(tmp_path, public_url="a.example").public_url == "https://a.example"
    assert load_settings(tmp_path, public_url="http://a.example").public_url == "http://a.example"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("prot: 8000", "prot"),
        ("port: 70000", "port"),
        ("workers: many", "workers"),
        ("public_url: a.example/contest", "public_url"),
        ("- a\n- b", "name: value"),
        ("a: [", "line 1"),
        ("port: 1\nport: 2", "line 2: the key 'port' appears twice"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "server.yaml").write_text(text)
    with pytest.raises(InputError) as failed:
        load_settings(tmp_path)
    assert told in str(failed.value)
    assert "server.yaml" in str(failed.value)


def test_a_home_is_made_once(tmp_path):
    with pytest.raises(UsageError, match="not a contest server"):
        open_home(tmp_path / "home")
    home = prepare_home(tmp_path / "home")
    key = home.read_cookie_key()
    assert len(key) == 32
    assert stat.S_IMODE((home.path / "key").stat().st_mode) == 0o600
    assert (
        prepare_home(home.path).read_cookie_key() == open_home(home.path).read_cookie_key() == key
    )


def test_a_home_is_closed_to_other_users(tmp_path):
    before = os.umask(0o022)
    try:
        home = prepare_home(tmp_path / "home")
    finally:
        os.umask(before)
    folders = [home.path, *(path for path in home.path.iterdir() if path.is_dir())]
    assert {stat.S_IMODE(path.stat().st_mode) for path in folders} == {0o750, 0o700}
