"""Tests of tokumei.apps.contest.spec.formats."""

from __future__ import annotations

import re

import pytest
import yaml

from apps.contest.spec.contest_file_helpers import PAGE, SOUND, fields_of
from tokumei.apps.contest.spec.folder import parse_contest
from tokumei.apps.contest.spec.formats import contest_formats, load_preset, preset_names
from tokumei.apps.contest.spec.model import ContestSpec


def test_the_file_wins_over_the_preset_key_by_key():
    plain = {**SOUND, "scoring": {"total": "max"}, "knowledge": [1.0]}
    contest = parse_contest(yaml.safe_dump(plain))
    assert contest.scoring.total == "max"
    assert contest.scoring.utility == tuple(load_preset("pws2017")["scoring"]["utility"])
    assert contest.knowledge == (1.0,)


@pytest.mark.parametrize("name", preset_names())
def test_presets_are_contests_but_for_what_is_one_s_own(name):
    own = {key: SOUND[key] for key in ("slug", "title", "data", "phases")}
    assert ContestSpec.model_validate({**load_preset(name), **own}).format == name


def test_the_page_lists_every_field():
    named = set(re.findall(r"`([a-z_.0-9]+)`", PAGE.read_text("utf-8")))
    wanted = {*fields_of(ContestSpec), "preset"}
    wanted |= {
        place
        for one in contest_formats().values()
        for place in fields_of(one.judge.options, "schema.")
    }
    assert len(wanted) > 40
    assert wanted - named == set()
