"""What `schema` of contest.yaml may say, which its format tells, and what a format's judge gets.

terms = terms_of(contest, folder)
"""

from __future__ import annotations

from pathlib import Path

from pydantic import ValidationError

from tokumei.contest.spec.formats import contest_format
from tokumei.contest.spec.model import ContestSpec
from tokumei.contest.spec.problems import problem_faults
from tokumei.core.errors import InputError
from tokumei.core.judging import Options, Terms


def options_of(contest: ContestSpec) -> Options:
    """The contest's `schema` as its format wants it; an InputError lists what is wrong."""
    model = contest_format(contest.format).judge.options
    try:
        return model.model_validate(contest.schema_)
    except ValidationError as err:
        faults = problem_faults(err, model, under="schema")
    raise InputError("contest.yaml: schema", "contest.yaml: schema", faults=faults)


def terms_of(contest: ContestSpec, folder: Path) -> Terms:
    """What the judge of the contest's format needs to know."""
    return Terms(
        contest_format(contest.format).kind,
        contest.format,
        {key: folder / name for key, name in contest.data.items()},
        options_of(contest),
        contest.knowledge,
        contest.scoring.seed,
        contest.scoring.gate_test.model_dump(),
    )
