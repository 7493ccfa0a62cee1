"""A kind of data without a judge of its own, played in a contest without any other edit."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import tokumei as tk
from apps.contest.judge.uploaded import rules_of, zipped
from tokumei.apps.contest.judge.contest_judge import load_judge
from tokumei.apps.contest.judge.results import Upload
from tokumei.apps.contest.spec.folder import read_contest_folder
from tokumei.apps.contest.spec.sample_folder import write_sample_contest
from tokumei.core.errors import InputError, UsageError
from tokumei.kinds import all_kinds

EXAMPLE = Path(__file__).parents[2] / "examples" / "ratings"
FILES = ("public.csv", "public.csv.manifest.json", "secret.csv")
MEASURE = """
from dataclasses import dataclass

@dataclass(frozen=True)
class Own:
    pass

MEASURES = {"own": Own}
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A contest on generated ratings, by a preset that is only the format's name."""
    monkeypatch.syspath_prepend(str(EXAMPLE))
    from tokumei_ratings.kind import RATINGS

    kinds = (*all_kinds(), RATINGS)
    for module in ("tokumei.kinds", "tokumei.apps.contest.spec.formats"):
        monkeypatch.setattr(f"{module}.all_kinds", lambda: kinds)
    write_sample_contest(tmp_path / "spring", preset="ratings", rows=800, seed=2)
    return tmp_path / "spring"


@pytest.fixture
def judge(folder):
    return load_judge(read_contest_folder(folder), folder)


@pytest.fixture
def files(folder, judge):
    """What `tokumei anonymize` writes."""
    release = tk.anonymize(judge.format.original, "drop-rare", k=3, seed=1)
    tk.save(release, folder / FILES[0], secret=folder / FILES[2])
    return {name: (folder / name).read_bytes() for name in FILES}


def test_figures_are_those_of_the_flow(judge, files):
    verdict = judge.judge(Upload("A.zip", zipped(files)))
    release = tk.anonymize(judge.format.original, "drop-rare", k=3, seed=1)
    original = judge.format.original
    assert verdict.card.utility == tk.measure(original, release)["rows_lost"].value
    assert verdict.card.safety == tk.attack(original, release, seed=1)["same-films"].rate > 0
    assert (verdict.public, verdict.truth) == (files["public.csv"], files["secret.csv"])


def test_claims_that_do_not_hold_are_told(judge, files):
    manifest = json.loads(files[FILES[1]])
    manifest["claims"][0]["params"]["k"] = 100
    verdict = judge.judge(Upload("A.zip", zipped({**files, FILES[1]: json.dumps(manifest)})))
    assert not verdict.accepted
    assert rules_of(verdict) == {"film-raters"}


def test_the_contest_may_name_rules(folder, judge, files):
    contest = judge.contest.model_copy(update={"rules": {"film-raters": {"k": 50}}})
    verdict = load_judge(contest, folder).check(Upload("A.zip", zipped(files)))
    assert rules_of(verdict) == {"film-raters"}


def test_a_guess_is_worth_the_lines_of_the_secret_it_holds(judge, files):
    truth = files["secret.csv"]
    assert judge.guess_files() == ["guess.csv"]
    found = judge.score(files["public.csv"], truth, Upload("g.csv", truth))
    assert (found.accepted, found.card.safety) == (True, 1.0)
    lines = truth.splitlines(keepends=True)
    half = b"".join(lines[: 1 + len(lines[1:]) // 2])
    found = judge.score(files["public.csv"], truth, Upload("g.csv", half))
    assert found.card.safety == pytest.approx(0.5, abs=0.02)
    twice = judge.check_guess(files["public.csv"], Upload("g.csv", truth + lines[1]))
    assert rules_of(twice) == {"repeated"}


def test_files_that_are_no_release_are_refused(judge, files):
    verdict = judge.check(Upload("A.zip", zipped({**files, FILES[1]: b"{}"})))
    assert rules_of(verdict) == {"file"}
    verdict = judge.check(Upload("A.zip", zipped({"public.csv": files["public.csv"]})))
    assert rules_of(verdict) == {"zip"}


def test_own_measures_need_a_judge_of_the_kind(folder, judge):
    (folder / "own.py").write_text(MEASURE)
    with pytest.raises(UsageError, match="takes rules of your own, but no measures"):
        load_judge(judge.contest.model_copy(update={"extra": "own.py"}), folder)


def test_options_are_those_of_the_layout(folder, judge):
    changed = judge.contest.model_copy(update={"schema_": {"seperator": ";"}})
    with pytest.raises((UsageError, InputError), match="seperator"):
        load_judge(changed, folder)
