"""Tests of tokumei.apps.contest.spec.folder."""

from __future__ import annotations

import pytest
import yaml

from apps.contest.spec.contest_file_helpers import SOUND, faults
from tokumei.apps.contest.spec.folder import parse_contest, read_contest_folder
from tokumei.core.errors import InputError, UnknownNameError


def test_a_key_that_stands_twice_is_refused_with_its_line():
    text = yaml.safe_dump(SOUND, sort_keys=False) + "quotas:\n  submissions: 3\n  submissions: 9\n"
    with pytest.raises(InputError, match="line 15: the key 'submissions' appears twice"):
        parse_contest(text)


def test_phases_do_not_overlap():
    first = SOUND["phases"][0]
    later = {**first, "starts": "2026-04-14T09:00:00+09:00", "ends": "2026-04-20T09:00:00+09:00"}
    assert "two phases overlap" in faults(phases=[first, later])[""]
    touching = {**later, "starts": first["ends"]}
    parse_contest(yaml.safe_dump({**SOUND, "phases": [touching, first]}))


def test_japanese_problems_are_japanese():
    with pytest.raises(InputError) as err:
        parse_contest(yaml.safe_dump({**SOUND, "slug": None, "quotas": {"members": 0}}))
    told = " ".join(fault.message.show("ja") for fault in err.value.faults)
    assert "quotas.members は 1 以上にしてください (0 は使えません)" in told


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
    found = {fault.column: fault.message.show("en") for fault in err.value.faults}
    assert "Did you mean 'qi'?" in found["schema.gi"]
    assert found["schema.qi"] == "schema.qi is needed"


def test_files_must_be_there_and_known(tmp_path):
    data = {"original": "T.csv", "mastr": "M.csv"}
    plain = {**SOUND, "data": data, "extra": "rules.py", "secret_data": ["originl"]}
    (tmp_path / "contest.yaml").write_text(yaml.safe_dump(plain))
    (tmp_path / "M.csv").write_text("1,f,1950/1/1,UK\n")
    with pytest.raises(InputError) as err:
        read_contest_folder(tmp_path)
    told = [fault.message.show("en") for fault in err.value.faults]
    assert told[0] == "data.master is needed by this format"
    assert told[1].startswith("data.mastr: no such key. Did you mean 'master'?")
    assert told[2] == "data.original: there is no file 'T.csv' in the folder of contest.yaml"
    assert told[3].startswith("extra: there is no file 'rules.py'")
    assert told[4].startswith("secret_data.originl: no such key. Did you mean 'original'?")


def test_a_missing_file_is_told(tmp_path):
    with pytest.raises(InputError, match=r"contest\.yaml: cannot be read"):
        read_contest_folder(tmp_path)
