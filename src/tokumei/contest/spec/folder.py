"""A contest's folder: contest.yaml, its data files, the organiser's own Python file.

    contest = read_contest_folder("spring")              # or "spring/contest.yaml"
    judge = judge_of(contest, contest_folder("spring"))

Nothing of the organiser's Python is run here, and no data read: `judge_of` does both.
"""

from __future__ import annotations

from pathlib import Path

from tokumei.contest.spec.data_files import require_files
from tokumei.contest.spec.model import ContestSpec
from tokumei.contest.spec.options import options_of
from tokumei.contest.spec.preset import merged
from tokumei.contest.spec.problems import validated_contest
from tokumei.core.errors import InputError
from tokumei.core.text import Text
from tokumei.core.yaml_models import load_yaml, yaml_source
from tokumei.files.containers import AnyPath

FILE = "contest.yaml"


def read_contest_folder(path: AnyPath, *, at_home: bool = False) -> ContestSpec:
    """The contest in a folder, or of its contest.yaml; its files are there.

    `at_home`, where participants are, the files of `secret_data` may be lacking.
    """
    folder = contest_folder(path)
    place = folder / FILE if Path(path).is_dir() else Path(path)
    contest = parse_contest(yaml_source(place), where=str(place))
    require_files(contest, folder, where=str(place), at_home=at_home)
    return contest


def contest_folder(path: AnyPath) -> Path:
    """The folder of a contest, by its own path or that of its contest.yaml."""
    return Path(path) if Path(path).is_dir() else Path(path).parent


def parse_contest(text: str, *, where: str = FILE) -> ContestSpec:
    """The contest in the text of a contest.yaml, over the preset it names."""
    plain = load_yaml(text, where=where)
    if not isinstance(plain, dict) or not all(isinstance(key, str) for key in plain):
        reason = Text("a contest is a mapping of keys to values", "コンテストはキーと値の組です")
        raise InputError(f"{where}: {reason.en}", f"{where}: {reason.ja}")
    contest = validated_contest(merged(plain, where=where), where=where)
    options_of(contest)
    return contest
