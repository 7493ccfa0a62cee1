"""Tests of tokumei.apps.contest.judge.contest_judge."""

from __future__ import annotations

import shutil

import polars as pl
import pytest

from apps.contest.judge.uploaded import rules_of
from tokumei import anonymize, attack, measure
from tokumei.apps.contest.judge.contest_judge import load_judge
from tokumei.apps.contest.judge.results import Upload
from tokumei.apps.contest.spec.folder import compute_judge_version, read_contest_folder
from tokumei.apps.contest.spec.sample_folder import write_sample_contest
from tokumei.core.errors import InputError, UnknownNameError, UsageError
from tokumei.files.contest_files import to_contest_bytes
from tokumei.pseudonyms.registry import attackers as period_attackers
from tokumei.pseudonyms.registry import measures as period_measures
from tokumei.tables.registry import claim_checks


def test_of_very_many_faults_the_first_are_kept(periods, monkeypatch):
    monkeypatch.setattr("tokumei.apps.contest.judge.contest_judge.MOST_FAULTS", 7)
    bad = b"\n".join(b"a b" for _ in periods.lines())
    found = periods.judge.check(Upload("A.csv", bad))
    assert len(found.faults) == 7
    assert found.total > len(periods.lines())


pytestmark = pytest.mark.data


def test_golden_values_of_2018(real_data, tmp_path):
    data = {"original": real_data / "pwscup2018" / "T.csv"}
    write_sample_contest(tmp_path / "c", preset="pws2018", data=data)
    contest = read_contest_folder(tmp_path / "c")
    quick = contest.scoring.model_copy(update={"attacks": ("unique-rows", "item-sets")})
    judge = load_judge(contest.model_copy(update={"scoring": quick}), tmp_path / "c")
    made = anonymize(judge.format.history, "rank-match", k=6, seed=1, format="pws2018")
    card = judge.judge(Upload("A.csv", to_contest_bytes(made.aligned_text()))).card
    assert card.utility == pytest.approx(0.615, abs=0.001)
    assert card.utility == measure(judge.format.history, made, methods=["loss"])["loss"].value
    hits = attack(judge.format.history, made, methods=["item-sets"], seed=1)["item-sets"]
    assert card.figures["tests"]["item-sets"]["all"]["hits"] == hits.hits
    table = pl.read_csv(real_data / "pwscup2018" / "R.csv", has_header=False)
    needed = dict(table.iter_rows())
    assert card.figures["tests"]["item-sets"]["all"]["threshold"] == needed[hits.tried]


EXTRA = '''
from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tokumei.pseudonyms.data.pseudonym_table import PeriodGuess
from tokumei.pseudonyms.data.pseudonym_table import PseudonymTable
from tokumei.core.errors import Violation
from tokumei.core.measure import Goal, Score
from tokumei.core.messages import Message


@dataclass(frozen=True)
class Moved:
    """The share of rows whose day moved."""

    goal: ClassVar[Goal] = Goal.MINIMIZE
    weight: float = 1.0

    def score(self, case):
        return Score(self.weight * float((case.original.days != case.released.days).mean()))


@dataclass(frozen=True)
class Nobody:
    """Answers nothing: everyone DEL."""

    def attack(self, public, known, *, customers, months, rng):
        codes = np.full((len(customers), months.count), -1)
        return PeriodGuess.certain(PseudonymTable(customers, public.people, codes))


@dataclass(frozen=True)
class Letter:
    """No pseudonym begins with a letter given."""

    aligned: ClassVar[bool] = True
    letter: str = "p"

    def check(self, submission, *, source):
        assert submission.height == source.rows.rows
        bad = submission.filter(submission["customer"].str.starts_with(self.letter))
        message = Message.of_texts({"en": "begins so", "ja": "その文字で始まります"})
        return [Violation(rule="letter", message=message)] * bad.height


MEASURES = {"moved": Moved}
ATTACKS = {"nobody": Nobody}
RULES = {"letter": Letter}
'''


@pytest.fixture(scope="module")
def own(periods, tmp_path_factory):
    """The contest's folder with the organiser's file in it, and the contest that names it."""
    folder = tmp_path_factory.mktemp("own") / "contest"
    shutil.copytree(periods.folder, folder)
    (folder / "rules.py").write_text(EXTRA)
    scoring = periods.judge.contest.scoring.model_copy(
        update={
            "utility": ("date", "moved"),
            "attacks": ("nobody",),
            "parameters": {"moved": {"weight": 0.5}},
        }
    )
    changes = {"extra": "rules.py", "scoring": scoring, "rules": {"letter": {"letter": "~"}}}
    return folder, periods.judge.contest.model_copy(update=changes)


def test_own_measures_attacks_and_rules_are_used(own, periods):
    folder, contest = own
    card = load_judge(contest, folder).judge(periods.upload).card
    assert card.figures["utility"] == {"date": 0.0, "moved": 0.0}
    assert set(card.figures["safety"]) == {"nobody"}
    strict = contest.model_copy(update={"rules": {"letter": {"letter": ""}}})
    assert rules_of(load_judge(strict, folder).check(periods.upload)) == {"letter"}


def test_own_names_are_known_to_their_contest_alone(own, periods):
    folder, contest = own
    load_judge(contest, folder)
    assert "moved" not in period_measures.names()
    assert "nobody" not in period_attackers.names()
    assert "letter" not in claim_checks.names()
    with pytest.raises(UnknownNameError, match="moved"):
        periods.judge_with(scoring={"utility": ("moved",)})


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("1 / 0", "ZeroDivisionError"),
        ("def", "SyntaxError"),
        ("MEASURES = {'a': 3}", "frozen dataclasses"),
        ("RULES = []", "frozen dataclasses"),
    ],
)
def test_a_broken_own_file_is_told(own, text, told):
    folder, contest = own
    (folder / "broken.py").write_text(text)
    with pytest.raises((InputError, UsageError), match=told):
        load_judge(contest.model_copy(update={"extra": "broken.py"}), folder)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"scoring": {"utility": ("itmcf",)}}, "scoring.utility.*Did you mean 'itemcf'"),
        ({"scoring": {"attacks": ("S9",)}}, "scoring.attacks.*Did you mean 'S"),
        ({"scoring": {"utility": ("master_k",)}}, "lower is better"),
        ({"scoring": {"parameters": {"topk": {"kk": 3}}}}, "scoring.utility: topk.*'kk'"),
        ({"rules": {"no-such": {}}}, "rules.*unknown rule 'no-such'"),
        ({"rules": {"pseudonym-lifetime": {}}}, "'periods' is needed"),
        ({"schema_": {"prefixes": 3}}, "schema.prefixes.*Did you mean 'prefix'"),
    ],
)
def test_what_a_contest_names_must_exist(periods, changes, told):
    with pytest.raises((UsageError, InputError)) as err:
        periods.judge_with(**changes)
    import re

    assert re.search(told, str(err.value), re.DOTALL)


def test_a_rule_that_fails_on_the_data_is_told_before_the_first_upload(own):
    folder, contest = own
    broken = EXTRA.replace(
        "assert submission.height", "raise KeyError(1); assert submission.height"
    )
    (folder / "failing.py").write_text(broken)
    with pytest.raises(InputError, match="KeyError"):
        load_judge(contest.model_copy(update={"extra": "failing.py"}), folder)


def test_data_that_cannot_be_used_is_told_with_its_line(periods, tmp_path):
    shutil.copytree(periods.folder, tmp_path / "c")
    path = tmp_path / "c" / "T.csv"
    path.write_bytes(path.read_bytes().replace(b"/", b"-", 1))
    with pytest.raises(InputError) as err:
        load_judge(periods.judge.contest, tmp_path / "c")
    assert err.value.faults[0].line == 1


def test_the_version_follows_what_decides_figures_and_nothing_else(own):
    folder, contest = own
    first = compute_judge_version(contest, folder)
    assert first == load_judge(contest, folder).version
    words = contest.title.model_copy(update={"en": "Another"})
    assert compute_judge_version(contest.model_copy(update={"title": words}), folder) == first
    scoring = contest.scoring.model_copy(update={"total": "max"})
    versions = {
        first,
        compute_judge_version(contest.model_copy(update={"scoring": scoring}), folder),
    }
    (folder / "rules.py").write_text(EXTRA + "\n# changed\n")
    versions.add(compute_judge_version(contest, folder))
    (folder / "rules.py").write_text(EXTRA)
    master = folder / "M.csv"
    text = master.read_bytes()
    master.write_bytes(text.replace(b",f,", b",m,", 1))
    versions.add(compute_judge_version(contest, folder))
    master.write_bytes(text)
    assert len(versions) == 4
    assert compute_judge_version(contest, folder) == first
