"""The judge of 2018 against the command line's functions, its gate and its rules."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.contest.judge.judge_fixtures import histories as histories
from apps.contest.judge.uploaded import rules_of
from tokumei.apps.contest.judge.results import Upload
from tokumei.core.randomness import Randomness
from tokumei.histories.attackers.protocol import keep_surest_answers
from tokumei.histories.data.guess import history_hits, threshold
from tokumei.histories.formats.pws2018 import Pws2018
from tokumei.histories.measures.protocol import history_loss
from tokumei.histories.registry import attackers as history_attackers
from tokumei.histories.services.check import publish_release, score_guess
from tokumei.histories.services.requests import CheckHistoryRequest, HistorySource


@pytest.fixture(scope="module")
def verdict(histories):
    found = histories.judge.judge(histories.upload)
    assert found.accepted
    return found


def aligned(folder, *guesses):
    source = HistorySource(data=folder / "T.csv", layout=Pws2018())
    return CheckHistoryRequest(original=source, release=folder / "A.csv", guesses=guesses)


@pytest.fixture(scope="module")
def published(histories):
    """What `tokumei publish` makes of the same release."""
    folder = histories.folder
    publish_release(aligned(folder), public=folder / "S.csv", secret=folder / "F.csv")
    return folder


def test_public_and_truth_are_those_of_the_command_line(published, verdict):
    assert verdict.public == (published / "S.csv").read_bytes()
    assert verdict.truth == (published / "F.csv").read_bytes()


def test_the_loss_is_that_of_the_command_line_and_ranks_alone(published, verdict):
    original = Pws2018().read(published / "T.csv")
    loss = history_loss(original, Pws2018().read_general(published / "A.csv", original)).loss
    assert verdict.card.utility == verdict.card.total == loss


def test_the_suite_finds_what_the_attacks_find(published, verdict):
    original = Pws2018().read(published / "T.csv")
    seen = Pws2018().read_public(published / "S.csv")
    truth = pl.read_csv(
        published / "F.csv",
        has_header=False,
        new_columns=["pseudonym", "customer"],
        infer_schema=False,
    )
    for name in ("item-sets", "consistent", "best"):
        attacker, rng = history_attackers.build(name), Randomness(1).child("attack", name)
        guess = attacker.attack(seen, original, rng=rng)
        every, few = history_hits(guess, truth), history_hits(keep_surest_answers(guess), truth)
        tests = verdict.card.figures["tests"][name]
        assert (tests["all"]["hits"], tests["all"]["tried"]) == (every.hits, every.tried)
        assert (tests["surest"]["hits"], tests["surest"]["tried"]) == (few.hits, few.tried)
        everybody = len(original.customers)
        assert verdict.card.figures["safety"][name] == {"1": every.hits / everybody}


def test_a_release_without_protection_is_unsafe(histories):
    original = histories.judge.format.history.frame["customer"]
    names = dict(zip(original.unique(maintain_order=True), _shuffled(original), strict=True))
    lines = (histories.folder / "T.csv").read_text().splitlines()
    bare = [",".join([names[line.split(",")[0]], *line.split(",")[1:]]) for line in lines]
    card = histories.judge.judge(Upload("A.csv", "\n".join(bare).encode())).card
    assert (card.utility, card.unsafe) == (0.0, True)


def _shuffled(customers) -> list[str]:
    count = customers.n_unique()
    return [f"9{number:06d}" for number in np.random.default_rng(1).permutation(count)]


def test_hits_decide_by_the_threshold(histories, verdict):
    lines = verdict.truth.decode().split()
    for tried, wrong in ((6, 0), (7, 0), (7, 1), (20, 4)):
        answers = [*lines[: tried - wrong], *_swapped(lines[tried - wrong : tried], lines[-wrong:])]
        guess = Upload("F.csv", "\n".join(answers).encode())
        found = histories.judge.score(verdict.public, verdict.truth, guess)
        hits = tried - wrong
        assert (found.card.figures["hits"], found.card.figures["tried"]) == (hits, tried)
        assert found.card.unsafe == (hits >= threshold(tried))
        assert found.card.safety == hits / len(histories.judge.format.history.customers)


def _swapped(lines: list[str], others: list[str]) -> list[str]:
    """The same pseudonyms with other people's customers."""
    return [
        f"{line.split(',')[0]},{other.split(',')[1]}"
        for line, other in zip(lines, others, strict=False)
    ]


@settings(max_examples=15)
@given(seed=st.integers(0, 1000), tried=st.integers(0, 30))
def test_the_order_of_guess_lines_does_not_matter(histories, verdict, seed, tried):
    chance = np.random.default_rng(seed)
    lines = verdict.truth.splitlines()[:tried]
    uploads = [Upload("F.csv", b"\n".join(chance.permutation(lines))) for _ in range(2)]
    first, second = (
        histories.judge.score(verdict.public, verdict.truth, guess) for guess in uploads
    )
    assert first == second
    assert first.card.figures["hits"] == tried


def test_a_guess_scores_as_on_the_command_line(histories, published, verdict):
    guess = published / "F1.csv"
    guess.write_bytes(b"\n".join(verdict.truth.splitlines()[:15]))
    hits = score_guess(aligned(published, guess))
    upload = Upload("F1.csv", guess.read_bytes())
    found = histories.judge.score(verdict.public, verdict.truth, upload)
    assert found.card.figures == {name: hits.as_json()[name] for name in found.card.figures}


def test_the_gate_has_parameters(histories, verdict):
    lines = verdict.truth.splitlines()[:6]
    guess = Upload("F.csv", b"\n".join(lines))
    contest = histories.judge.contest
    easy = contest.scoring.gate_test.model_copy(update={"level": 0.5, "attackers": 1})
    judge = histories.judge_with(scoring={"gate_test": easy})
    assert not histories.judge.score(verdict.public, verdict.truth, guess).card.unsafe
    assert judge.score(verdict.public, verdict.truth, guess).card.unsafe


def test_customers_own_numbers_are_no_pseudonyms(histories):
    plain = (histories.folder / "T.csv").read_bytes()
    found = histories.judge.check(Upload("A.csv", plain))
    assert rules_of(found) == {"pseudonym-is-customer"}
    assert found.total == len(histories.lines())


def test_rules_of_the_library_can_be_added(histories):
    for k, broken in ((3, set()), (4, {"identical-histories"})):
        judge = histories.judge_with(rules={"identical-histories": {"k": k}})
        assert rules_of(judge.check(histories.upload)) == broken


def test_pseudonyms_fit_into_attackers_files(histories):
    first = histories.lines()[0].split(b",")[0]
    long = histories.release.replace(first + b",", b"9" * 65 + b",")
    found = histories.judge.check(Upload("A.csv", long))
    assert rules_of(found) == {"name-length"}
    assert found.faults[0].line == 1


def test_strangers_in_a_guess_are_refused(histories, verdict):
    found = histories.judge.check_guess(verdict.public, Upload("F.csv", b"1,2\n1,3\n"))
    assert rules_of(found) == {"unknown-pseudonym", "unknown-customer", "repeated"}
