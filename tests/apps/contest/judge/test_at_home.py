"""`tokumei contest check` where the organiser keeps data back."""

from __future__ import annotations

import json
import shutil

import pytest
import yaml

from apps.contest.judge.uploaded import zipped
from tokumei.apps.contest.spec.folder import read_contest_folder
from tokumei.core.errors import InputError


@pytest.fixture
def at_home(periods, tmp_path):
    """A contest as participants have it: these keys of its data are secret and not there."""

    def make(*keys):
        folder = tmp_path / "home"
        shutil.copytree(periods.folder, folder)
        plain = yaml.safe_load((folder / "contest.yaml").read_text())
        plain["secret_data"] = list(keys)
        (folder / "contest.yaml").write_text(yaml.safe_dump(plain, allow_unicode=True))
        for key in keys:
            (folder / plain["data"][key]).unlink()
        return folder

    return make


def test_without_knowledge_rules_and_utility_are_the_server_s(told, periods, at_home):
    folder = at_home("known-0.25", "known-1")
    args = ("contest", "check", folder, "--release", folder / "A.csv")
    code, out, err = told(*args, "--json")
    shown, card = json.loads(out), periods.judge.judge(periods.upload).card
    assert (code, shown["withheld"]) == (0, ["known-0.25", "known-1"])
    assert shown["card"]["utility"] == card.utility
    assert shown["card"]["figures"]["utility"] == card.figures["utility"]
    assert (shown["card"]["safety"], shown["card"]["total"]) == (None, None)
    assert shown["card"]["figures"]["safety"] == {}
    assert "keeps known-0.25, known-1 secret: rules, utility and guesses are judged as on" in err
    assert "提出後に分かります" in told(*args, "--lang", "ja")[2]
    bad = ("contest", "check", folder, "--release", folder / "T.csv")
    code, out, _ = told(*bad, "--json")
    assert (code, json.loads(out)["total"]) == (1, len(periods.lines()))


def test_without_knowledge_guesses_are_scored_as_on_the_server(told, periods, at_home):
    folder, verdict = at_home("known-0.5"), periods.judge.judge(periods.upload)
    tables = {name: verdict.truth for name in periods.judge.guess_files()}
    contents = {"S.csv": verdict.public, "F.csv": verdict.truth, "g.zip": zipped(tables)}
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    args = ("--guess", folder / "g.zip", "--public", folder / "S.csv", "--secret", folder / "F.csv")
    code, out, _ = told("contest", "check", folder, *args, "--json")
    found = json.loads(out)["found"]
    assert (code, found["value"]) == (0, 1.0)
    assert list(found["figures"]["reid_all"]) == list(periods.judge.format.known)


def test_the_contest_itself_is_checked(told, periods, at_home):
    code, out, err = told("contest", "check", at_home("known-1"), "--json")
    expected = {"ok": True, "slug": "sample", "version": None, "withheld": ["known-1"]}
    assert (code, json.loads(out)) == (0, expected)
    assert "secret" in err


@pytest.mark.parametrize("key", ["original", "master"])
def test_without_the_data_itself_a_sentence_says_so(told, at_home, key):
    folder = at_home(key)
    for args in ((), ("--release", folder / "A.csv")):
        code, _, err = told("contest", "check", folder, *args)
        assert code == 2
        assert f"contest.yaml has no fault, but the organiser keeps {key} secret" in err
        assert "there is no file" not in err
    assert "手元では検査できません" in told("contest", "check", folder, "--lang", "ja")[2]


def test_a_server_needs_all_files(at_home):
    folder = at_home("known-1")
    with pytest.raises(InputError, match="there is no file"):
        read_contest_folder(folder)
    assert read_contest_folder(folder, at_home=True).secret_data == ("known-1",)


def test_files_that_are_not_secret_are_needed_at_home_as_well(told, at_home):
    folder = at_home("known-1")
    (folder / "M.csv").unlink()
    code, _, err = told("contest", "check", folder)
    assert (code, "data.master: there is no file 'M.csv'" in err) == (2, True)


def test_with_all_files_at_hand_nothing_is_withheld(told, at_home, periods):
    folder = at_home("known-1")
    name = periods.judge.contest.data["known-1"]
    shutil.copy(periods.folder / name, folder / name)
    code, out, err = told("contest", "check", folder, "--json")
    assert (code, "withheld" in json.loads(out), "secret" in err) == (0, False, False)
