"""Tests of tokumei.apps.contest.spec.model."""

from __future__ import annotations

import re

import yaml

from apps.contest.spec.contest_file_helpers import PAGE, SOUND, fields_of
from tokumei.apps.contest.spec.folder import parse_contest
from tokumei.apps.contest.spec.model import ContestSpec, FeedbackMode, PhaseType


def test_a_sound_file_is_a_contest_over_its_preset():
    contest = parse_contest(yaml.safe_dump(SOUND))
    assert contest.phases[0].kind is PhaseType.ANONYMIZE
    assert contest.feedback is FeedbackMode.EXACT
    assert contest.knowledge == (0.25, 0.5, 0.75, 1.0)
    assert contest.scoring.attacks == ("S1", "S2", "S3", "S4", "S5", "S6")
    assert contest.rules == {"pseudonym-shows-customer": {}}


def test_a_contest_survives_its_own_json():
    contest = parse_contest(yaml.safe_dump(SOUND))
    plain = contest.model_dump(mode="json", by_alias=True)
    assert ContestSpec.model_validate(plain) == contest


def test_the_page_lists_no_field_that_is_not_there():
    text = PAGE.read_text("utf-8")
    table = text[text.index("| field |") : text.index("Lower is better")]
    rows = [line.split("|")[1] for line in table.splitlines()[2:] if line.startswith("|")]
    named = {name for row in rows for name in re.findall(r"`([a-z_.0-9]+)`", row)}
    assert named - {*fields_of(ContestSpec), "preset", "phases", "schema"} == set()
