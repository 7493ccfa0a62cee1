"""The job `tree`: it proposes a hierarchy of the values that a release has."""

from __future__ import annotations

from pathlib import Path

from golden.studio import SilentTeller
from tokumei.apps.studio.job_handlers.hierarchy import propose_column_hierarchy
from tokumei.apps.studio.job_handlers.profile_source import profile_source
from tokumei.apps.studio.store.home import StudioHome


def test_texts_of_numbers_are_grouped_as_numbers(tmp_path: Path) -> None:
    rows = "".join(f"{20 + i % 60}歳,{'ABCDEFGH'[i % 8]}\n" for i in range(200))
    (tmp_path / "people.csv").write_text(f"age,city\n{rows}", encoding="utf-8")
    home = StudioHome.open(tmp_path / "home")
    project = home.begin("people.csv", tmp_path / "people.csv")
    profile_source(project, {}, SilentTeller())
    for number in (0, 1):
        propose_column_hierarchy(project, {"number": number}, SilentTeller())
    ages, cities = project.result("trees", "00"), project.result("trees", "01")
    assert ages is not None
    assert cities is not None
    assert (ages["sort"], cities["sort"]) == ("number", "text")
    assert {row[0] for row in cities["rows"]} == set("ABCDEFGH")
    assert sum(ages["counts"].values()) == 200
