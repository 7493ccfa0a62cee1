"""Hierarchies travel with a release, and tell nothing that the release does not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import tokumei as tk
from tokumei.core.errors import InputError
from tokumei.tables.hierarchies.release_hierarchies import (
    hierarchies_from_manifest,
    manifest_hierarchies,
    read_manifest,
)

TOWNS = [f"town {chr(97 + i // 26)}{chr(97 + i % 26)}" for i in range(200)]
PEOPLE = pl.DataFrame(
    {"town": [TOWNS[i * 7 % 200] for i in range(1000)], "job": ["cook", "smith"] * 500}
)


def saved(tmp_path: Path, hierarchies: str | dict[str, str]) -> Path:
    asked: dict[str, Any] = {"hierarchies": hierarchies, "sets": ["town"], "seed": 1}
    release = tk.anonymize(PEOPLE, "local", k=5, qi=["town", "job"], sa=[], **asked)
    tk.save(release, tmp_path / "y.csv", secret=tmp_path / "link.csv")
    return tmp_path / "y.csv"


def files(tmp_path: Path) -> str:
    towns = [*TOWNS, "nowhere"]
    (tmp_path / "h_town.csv").write_text("".join(f"{t};{t[:6]};*\n" for t in towns))
    (tmp_path / "h_job.csv").write_text("cook;*\nsmith;*\n")
    return str(tmp_path / "h_{column}.csv")


def test_a_hierarchy_from_a_file_travels_whole(tmp_path: Path) -> None:
    path = saved(tmp_path, files(tmp_path))
    released = pl.read_csv(path)
    found = hierarchies_from_manifest(read_manifest(str(path)), PEOPLE, released, ["town", "job"])
    assert found["town"].frame().rows()[-1] == ("nowhere", "nowher", "*")
    assert found["job"].height == 1


def test_one_that_was_made_from_the_values_travels_as_a_word(tmp_path: Path) -> None:
    path = saved(tmp_path, "auto")
    told = Path(f"{path}.manifest.json").read_text()
    assert json.loads(told)["hierarchies"] == {"town": "auto", "job": "auto"}
    assert not any(town in told for town in TOWNS)
    released = pl.read_csv(path)
    found = hierarchies_from_manifest(read_manifest(str(path)), PEOPLE, released, ["town", "job"])
    assert "job" not in found  # its cells explain themselves
    link = pl.read_csv(tmp_path / "link.csv")["original"].to_numpy()
    kinds = {"qi": ["town", "job"], "methods": ["linkage"], "expected": True}
    rate = tk.attack(PEOPLE, released, link=link, hierarchies=found, **kinds)["linkage"].rate
    assert rate > 1.5 / 1000


def test_no_path_in_a_manifest_is_opened(tmp_path: Path) -> None:
    pattern = files(tmp_path)
    manifest = {"hierarchies": {"town": pattern.replace("{column}", "town"), "job": 7}}
    assert hierarchies_from_manifest(manifest, PEOPLE, PEOPLE, ["town", "job"]) == {}


@pytest.mark.parametrize("text", ["{", "[]", '{"hierarchies": 3}'])
def test_a_damaged_manifest_is_an_error(tmp_path: Path, text: str) -> None:
    (tmp_path / "y.csv.manifest.json").write_text(text)
    with pytest.raises(InputError, match="manifest"):
        read_manifest(str(tmp_path / "y.csv"))


def test_damaged_levels_are_an_error() -> None:
    with pytest.raises(InputError, match="damaged"):
        hierarchies_from_manifest({"hierarchies": {"job": [["cook", 3]]}}, PEOPLE, PEOPLE, ["job"])


def test_methods_without_hierarchies_tell_none() -> None:
    assert manifest_hierarchies([{"method": "mondrian", "k": 5}], ["town"]) == {}
