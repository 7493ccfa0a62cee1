"""contest.yaml: what it says, what is wrong with it, presets, and its page."""

from __future__ import annotations

import pytest

from apps.contest.spec.contest_file_helpers import SOUND, faults


def test_all_problems_are_told_at_once_with_their_places():
    found = faults(
        slug="Not a slug",
        knowledge=[0.5, 1.5],
        quotas={"submisions": 3, "megabytes": "many"},
        feedback="loud",
        title={"en": "only"},
    )
    assert found["slug"].startswith("slug takes 1 to 40 small letters")
    assert "^" not in found["slug"]
    assert found["knowledge.1"] == "knowledge.1 must be 1.0 or less, not 1.5"
    assert "Did you mean 'submissions'?" in found["quotas.submisions"]
    assert found["quotas.megabytes"] == "quotas.megabytes must be a whole number, not 'many'"
    assert "'exact', 'banded' or 'delayed'" in found["feedback"]
    assert found["title.ja"] == "title.ja is needed"


@pytest.mark.parametrize(
    ("phase", "place", "told"),
    [
        ({"starts": "2026-04-01T09:00:00"}, "phases.0.starts", "has no time zone"),
        ({"starts": "tomorrow"}, "phases.0.starts", "must be a time"),
        ({"ends": "2026-03-01T09:00:00+09:00"}, "phases.0", "must end after it starts"),
        ({"kind": "attak"}, "phases.0.kind", "must be 'anonymize' or 'attack'"),
        ({"knd": 1}, "phases.0.knd", "Did you mean 'kind'?"),
    ],
)
def test_phases_are_checked(phase, place, told):
    assert told in faults(phases=[{**SOUND["phases"][0], **phase}])[place]


def test_a_contest_measures_something():
    assert "must not be empty" in faults(scoring={"utility": []})["scoring.utility"]
    assert "must not be empty" in faults(phases=[])["phases"]


def test_a_share_of_knowledge_stands_once():
    assert "named twice" in faults(knowledge=[0.5, 0.5])[""]


@pytest.mark.parametrize("name", ["../T.csv", "/etc/passwd", "a/b.csv", ".T.csv", ""])
def test_file_names_lead_nowhere_else(name):
    assert "data.original" in faults(data={"original": name, "master": "M.csv"})
