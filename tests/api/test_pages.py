"""Tests of tokumei.api.pages."""

import pickle
from pathlib import Path

import numpy as np
import pytest

import tokumei as tk
from tables.audit.people import normals


def test_no_column_of_people_is_a_warning():
    """What is not released cannot be attacked: it is said once, among what was not tried."""
    people = [normals(np.random.default_rng(seed), 200, 3) for seed in range(2)]
    release = people[0].drop("x2")
    found = tk.audit(release, members=people[0], control=people[1], kinds=["membership"], seed=1)
    assert not found.warnings
    assert tk.render(found).count("columns not in the release: x2") == 1


def test_report_on_a_release_that_knows_its_original(tmp_path: Path) -> None:
    people = tk.sample_table(60, seed=1)
    release = tk.anonymize(people, "mondrian", k=5, seed=1)
    page = tk.report(release, tmp_path / "report.html", recipient="inside", lang="ja")
    assert (tmp_path / "report.html").read_text("utf-8") == page
    found = tk.assess(people, release, recipient="inside")
    assert page == tk.report(found, lang="ja") == tk.render(found, lang="ja")
    assert found.report(tmp_path / "again.html", lang="ja").read_text("utf-8") == page


def test_report_on_a_stored_release_needs_the_original() -> None:
    people = tk.sample_table(60, seed=1)
    release = pickle.loads(pickle.dumps(tk.anonymize(people, "mondrian", k=5, seed=1)))
    assert release.source is None
    with pytest.raises(tk.UsageError, match="original"):
        tk.report(release)
    assert tk.report(release, original=people).startswith("<!doctype html>")
