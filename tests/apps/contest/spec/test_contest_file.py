"""contest.yaml: what it says, what is wrong with it, presets, and its page."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest
import yaml
from pydantic import BaseModel

from tokumei.apps.contest.spec.folder import parse_contest, read_contest_folder
from tokumei.apps.contest.spec.formats import contest_formats, load_preset, preset_names
from tokumei.apps.contest.spec.model import ContestSpec, FeedbackMode, PhaseType
from tokumei.core.errors import InputError, UnknownNameError

PAGE = Path(__file__).parents[4] / "docs" / "contest-file.md"
SOUND = {
    "preset": "pws2017",
    "slug": "spring",
    "title": {"en": "Spring", "ja": "春"},
    "data": {"original": "T.csv", "master": "M.csv"},
    "phases": [
        {
            "kind": "anonymize",
            "starts": "2026-04-01T09:00:00+09:00",
            "ends": "2026-04-15T09:00:00+09:00",
        }
    ],
}


def faults(**changed) -> dict[str, str]:
    """Place → English message of what is wrong with the changed contest."""
    plain = {key: value for key, value in {**SOUND, **changed}.items() if value is not None}
    with pytest.raises(InputError) as err:
        parse_contest(yaml.safe_dump(plain))
    assert all(fault.message.ja for fault in err.value.faults)
    return {fault.column or "": fault.message.en for fault in err.value.faults}


def test_a_sound_file_is_a_contest_over_its_preset():
    contest = parse_contest(yaml.safe_dump(SOUND))
    assert contest.phases[0].kind is PhaseType.ANONYMIZE
    assert contest.feedback is FeedbackMode.EXACT
    assert contest.knowledge == (0.25, 0.5, 0.75, 1.0)
    assert contest.scoring.attacks == ("S1", "S2", "S3", "S4", "S5", "S6")
    assert contest.rules == {"pseudonym-shows-customer": {}}


def test_a_key_that_stands_twice_is_refused_with_its_line():
    text = yaml.safe_dump(SOUND, sort_keys=False) + "quotas:\n  submissions: 3\n  submissions: 9\n"
    with pytest.raises(InputError, match="line 15: the key 'submissions' stands here twice"):
        parse_contest(text)


def test_the_file_wins_over_the_preset_key_by_key():
    plain = {**SOUND, "scoring": {"total": "max"}, "knowledge": [1.0]}
    contest = parse_contest(yaml.safe_dump(plain))
    assert contest.scoring.total == "max"
    assert contest.scoring.utility == tuple(load_preset("pws2017")["scoring"]["utility"])
    assert contest.knowledge == (1.0,)


def test_a_contest_survives_its_own_json():
    contest = parse_contest(yaml.safe_dump(SOUND))
    plain = contest.model_dump(mode="json", by_alias=True)
    assert ContestSpec.model_validate(plain) == contest


@pytest.mark.parametrize("name", preset_names())
def test_presets_are_contests_but_for_what_is_one_s_own(name):
    own = {key: SOUND[key] for key in ("slug", "title", "data", "phases")}
    assert ContestSpec.model_validate({**load_preset(name), **own}).format == name


def test_all_problems_are_told_at_once_with_their_places():
    found = faults(
        slug="Not a slug",
        knowledge=[0.5, 1.5],
        quotas={"submisions": 3, "megabytes": "many"},
        feedback="loud",
        title={"en": "only"},
    )
    assert found["slug"].startswith("slug: must have the form")
    assert found["knowledge.1"] == "knowledge.1: must be ≤ 1.0 (1.5)"
    assert "Did you mean 'submissions'?" in found["quotas.submisions"]
    assert found["quotas.megabytes"] == "quotas.megabytes: must be a whole number ('many')"
    assert "'exact', 'banded' or 'delayed'" in found["feedback"]
    assert found["title.ja"] == "title.ja: is needed"


@pytest.mark.parametrize(
    ("phase", "place", "told"),
    [
        ({"starts": "2026-04-01T09:00:00"}, "phases.0.starts", "needs a time zone"),
        ({"starts": "tomorrow"}, "phases.0.starts", "is not a time"),
        ({"ends": "2026-03-01T09:00:00+09:00"}, "phases.0", "must end after it starts"),
        ({"kind": "attak"}, "phases.0.kind", "must be 'anonymize' or 'attack'"),
        ({"knd": 1}, "phases.0.knd", "Did you mean 'kind'?"),
    ],
)
def test_phases_are_checked(phase, place, told):
    assert told in faults(phases=[{**SOUND["phases"][0], **phase}])[place]


def test_phases_do_not_overlap():
    first = SOUND["phases"][0]
    later = {**first, "starts": "2026-04-14T09:00:00+09:00", "ends": "2026-04-20T09:00:00+09:00"}
    assert "two phases overlap" in faults(phases=[first, later])[""]
    touching = {**later, "starts": first["ends"]}
    parse_contest(yaml.safe_dump({**SOUND, "phases": [touching, first]}))


def test_a_contest_measures_something():
    assert "must not be empty" in faults(scoring={"utility": []})["scoring.utility"]
    assert "must not be empty" in faults(phases=[])["phases"]


def test_a_share_of_knowledge_stands_once():
    assert "named twice" in faults(knowledge=[0.5, 0.5])[""]


def test_japanese_problems_are_japanese():
    with pytest.raises(InputError) as err:
        parse_contest(yaml.safe_dump({**SOUND, "slug": None, "quotas": {"members": 0}}))
    told = " ".join(fault.message.ja for fault in err.value.faults)
    assert "quotas.members: は ≥ 1 でなければなりません (0)" in told


@pytest.mark.parametrize("text", ["- a\n- b\n", "3", "", "a: [", "{1: 2}", "a: &x [*x]"])
def test_what_is_no_mapping_is_no_contest(text):
    with pytest.raises(InputError):
        parse_contest(text)


def test_an_unknown_preset_names_the_nearest():
    with pytest.raises(UnknownNameError, match="Did you mean 'pws2017'"):
        parse_contest("preset: pws207")


def test_schema_is_checked_by_format():
    plain = {**SOUND, "preset": "table", "data": {"original": "X.csv"}, "schema": {"gi": ["a"]}}
    with pytest.raises(InputError) as err:
        parse_contest(yaml.safe_dump(plain))
    found = {fault.column: fault.message.en for fault in err.value.faults}
    assert "Did you mean 'qi'?" in found["schema.gi"]
    assert found["schema.qi"] == "schema.qi: is needed"


def test_files_must_be_there_and_known(tmp_path):
    data = {"original": "T.csv", "mastr": "M.csv"}
    plain = {**SOUND, "data": data, "extra": "rules.py", "secret_data": ["originl"]}
    (tmp_path / "contest.yaml").write_text(yaml.safe_dump(plain))
    (tmp_path / "M.csv").write_text("1,f,1950/1/1,UK\n")
    with pytest.raises(InputError) as err:
        read_contest_folder(tmp_path)
    told = [fault.message.en for fault in err.value.faults]
    assert told[0] == "data.master: is needed by this format"
    assert told[1].startswith("data.mastr: no such key. Did you mean 'master'?")
    assert told[2] == "data.original: there is no file 'T.csv' beside contest.yaml"
    assert told[3].startswith("extra: there is no file 'rules.py'")
    assert told[4].startswith("secret_data.originl: no such key. Did you mean 'original'?")


@pytest.mark.parametrize("name", ["../T.csv", "/etc/passwd", "a/b.csv", ".T.csv", ""])
def test_file_names_lead_nowhere_else(name):
    assert "data.original" in faults(data={"original": name, "master": "M.csv"})


def test_a_missing_file_is_told(tmp_path):
    with pytest.raises(InputError, match=r"contest\.yaml: cannot be read"):
        read_contest_folder(tmp_path)


def fields_of(model: type[BaseModel], under: str = "") -> list[str]:
    """The places of all fields of a model that have no fields themselves."""
    found = []
    for name, field in model.model_fields.items():
        place = f"{under}{field.alias or name}"
        inner = [kind for kind in _parts(field.annotation) if issubclass(kind, BaseModel)]
        found += fields_of(inner[0], f"{place}.") if inner else [place]
    return found


def _parts(kind) -> list[type]:
    inner = [part for argument in get_args(kind) for part in _parts(argument)]
    return [kind, *inner] if isinstance(kind, type) and not get_args(kind) else inner


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


def test_the_page_lists_no_field_that_is_not_there():
    text = PAGE.read_text("utf-8")
    table = text[text.index("| field |") : text.index("Lower is better")]
    rows = [line.split("|")[1] for line in table.splitlines()[2:] if line.startswith("|")]
    named = {name for row in rows for name in re.findall(r"`([a-z_.0-9]+)`", row)}
    assert named - {*fields_of(ContestSpec), "preset", "phases", "schema"} == set()
