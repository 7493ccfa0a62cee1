"""Reads a contest's folder: contest.yaml, data files, the organiser's Python file.

    contest = read_contest_folder("spring")              # or "spring/contest.yaml"
    judge = load_judge(contest, contest_folder("spring"))

Nothing of the organiser's Python is run here, and no data read: `load_judge` does both. What is
wrong with the file is told all at once: place, reason, nearest valid name. Data files:

    original      what is to be anonymized; every format needs it
    known-0.25    what attackers know with this share of `knowledge`; drawn where none is given

What else there is (`master`, the customers) and what `schema` may say, the format's judge tells.
"""

from __future__ import annotations

import difflib
import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from tokumei._version import __version__
from tokumei.apps.contest.spec.formats import find_contest_format, merge_preset
from tokumei.apps.contest.spec.model import ContestSpec
from tokumei.apps.contest.spec.problems import describe_problem
from tokumei.core.errors import InputError, Violation
from tokumei.core.format_judge import ContestTerms, FormatOptions, knowledge_file_key
from tokumei.core.messages import Message, join_messages, join_sentences
from tokumei.core.yaml_models import load_yaml, read_yaml_text
from tokumei.files.file_formats import AnyPath, sha256_of_file

CONTEST_FILE = "contest.yaml"
SCORE_RELEVANT_KEYS = ("format", "schema_", "knowledge", "rules", "scoring")


def validate_contest(plain: Mapping[str, object], *, where: str) -> ContestSpec:
    """The contest in plain data; an InputError lists everything that is wrong with it."""
    try:
        return ContestSpec.model_validate(plain)
    except ValidationError as err:
        faults = validation_violations(err, ContestSpec)
    reason = Message(
        "{where}: {count} problem",
        plural="{where}: {count:,} problems",
        count=len(faults),
        where=where,
    )
    raise InputError(reason, faults=faults, total=len(faults))


def validation_violations(
    err: ValidationError, model: type[BaseModel], *, under: str = ""
) -> list[Violation]:
    """Every problem of a model with its place; `under` is the place of the model itself."""
    return [_validation_violation(problem, model, under) for problem in err.errors()]


def unknown_key_violation(key_path: str, valid: Sequence[str]) -> Violation:
    """The fault of a key that does not exist."""
    close_matches = difflib.get_close_matches(key_path.rpartition(".")[2], valid, n=1, cutoff=0.5)
    sentences = [Message("{key}: no such key.", key=key_path)]
    if close_matches:
        sentences.append(Message("Did you mean '{nearest}'?", nearest=close_matches[0]))
    sentences.append(Message("Valid: {names}", names=join_messages(sorted(valid))))
    message = join_sentences(sentences)
    return Violation(rule="contest-key", column=key_path, message=message)


def _validation_violation(problem: ErrorDetails, model: type[BaseModel], under: str) -> Violation:
    key_path = ".".join(str(part) for part in (under, *problem["loc"]) if part != "")
    if problem["type"] == "extra_forbidden":
        return unknown_key_violation(key_path, _valid_keys_at(problem["loc"][:-1], model))
    message = describe_problem(key_path or "contest", problem)
    return Violation(rule="contest-value", column=key_path or None, message=message)


def _valid_keys_at(path: Sequence[int | str], model: type[BaseModel]) -> list[str]:
    """The keys that the part of a model at a path may have."""
    for part in path:
        if isinstance(part, str):
            fields = {field.alias or name: field for name, field in model.model_fields.items()}
            model = _find_model(fields[part].annotation) or model
    return [field.alias or name for name, field in model.model_fields.items()]


def _find_model(annotation: object) -> type[BaseModel] | None:
    """The model among the parts of an annotation."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next(filter(None, map(_find_model, get_args(annotation))), None)


def required_data_keys(contest: ContestSpec) -> tuple[str, ...]:
    """The keys that `data` must have."""
    return find_contest_format(contest.format).judge.files


def allowed_data_keys(contest: ContestSpec) -> list[str]:
    """All keys that `data` may have."""
    shares = contest.knowledge if find_contest_format(contest.format).judge.draws_knowledge else ()
    return [*required_data_keys(contest), *map(knowledge_file_key, shares)]


def withheld_data_keys(contest: ContestSpec, folder: Path) -> tuple[str, ...]:
    """The keys of `secret_data` whose files are not in the folder, as with participants."""
    secret_files = {key: contest.data[key] for key in contest.secret_data if key in contest.data}
    return tuple(key for key, name in secret_files.items() if not (folder / name).is_file())


def require_data_files(
    contest: ContestSpec, folder: Path, *, where: str, at_home: bool = False
) -> None:
    """Fail, listing all, if a file is missing (`at_home`: one not secret), not named or useless."""
    valid = allowed_data_keys(contest)
    faults = [
        _missing_data_violation(f"data.{key}")
        for key in required_data_keys(contest)
        if key not in contest.data
    ]
    faults += [
        unknown_key_violation(f"data.{key}", valid) for key in contest.data if key not in valid
    ]
    withheld = withheld_data_keys(contest, folder) if at_home else ()
    file_names = {f"data.{key}": name for key, name in contest.data.items() if key not in withheld}
    if contest.extra is not None:
        file_names["extra"] = contest.extra
    faults += [
        _missing_file_violation(key_path, name)
        for key_path, name in file_names.items()
        if not (folder / name).is_file()
    ]
    faults += [
        unknown_key_violation(f"secret_data.{key}", list(contest.data))
        for key in contest.secret_data
        if key not in contest.data
    ]
    if faults:
        raise InputError("{where}: data files cannot be used", where=where, faults=faults)


def _missing_file_violation(key_path: str, name: str) -> Violation:
    message = Message(
        "{key}: there is no file '{name}' in the folder of contest.yaml", key=key_path, name=name
    )
    return Violation(rule="contest-data", column=key_path, message=message)


def _missing_data_violation(key_path: str) -> Violation:
    message = Message("{key} is needed by this format", key=key_path)
    return Violation(rule="contest-data", column=key_path, message=message)


def parse_format_options(contest: ContestSpec) -> FormatOptions:
    """The contest's `schema` as its format wants it; an InputError lists what is wrong."""
    model = find_contest_format(contest.format).judge.options
    try:
        return model.model_validate(contest.schema_)
    except ValidationError as err:
        faults = validation_violations(err, model, under="schema")
    raise InputError("contest.yaml: the schema cannot be used", faults=faults)


def build_judge_terms(contest: ContestSpec, folder: Path) -> ContestTerms:
    """What the judge of the contest's format needs to know."""
    return ContestTerms(
        find_contest_format(contest.format).kind,
        contest.format,
        {key: folder / name for key, name in contest.data.items()},
        parse_format_options(contest),
        contest.knowledge,
        contest.scoring.seed,
        contest.scoring.gate_test.model_dump(),
    )


def read_contest_folder(
    path: AnyPath, *, at_home: bool = False, where: str | None = None
) -> ContestSpec:
    """The contest in a folder, or of its contest.yaml; its files are there.

    `at_home`, where participants are, the files of `secret_data` may be lacking. `where` is what
    messages call the file: on a server not its path.
    """
    folder = contest_folder(path)
    contest_path = folder / CONTEST_FILE if Path(path).is_dir() else Path(path)
    shown_path = where or str(contest_path)
    contest = parse_contest(read_yaml_text(contest_path), where=shown_path)
    require_data_files(contest, folder, where=shown_path, at_home=at_home)
    return contest


def contest_folder(path: AnyPath) -> Path:
    """The folder of a contest, by its own path or that of its contest.yaml."""
    return Path(path) if Path(path).is_dir() else Path(path).parent


def parse_contest(text: str, *, where: str = CONTEST_FILE) -> ContestSpec:
    """The contest in the text of a contest.yaml, over the preset it names."""
    plain = load_yaml(text, where=where)
    if not isinstance(plain, dict) or not all(isinstance(key, str) for key in plain):
        raise InputError("{where}: a contest is a mapping of keys to values", where=where)
    contest = validate_contest(merge_preset(plain, where=where), where=where)
    parse_format_options(contest)
    return contest


def compute_judge_version(contest: ContestSpec, folder: Path) -> str:
    """The version, without loading the data."""
    plain = contest.model_dump(mode="json", include=set(SCORE_RELEVANT_KEYS))
    data_digests = {
        key: sha256_of_file(folder / name) for key, name in sorted(contest.data.items())
    }
    extra = None if contest.extra is None else sha256_of_file(folder / contest.extra)
    parts = {"tokumei": __version__, "contest": plain, "data": data_digests, "extra": extra}
    text = json.dumps(parts, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()
