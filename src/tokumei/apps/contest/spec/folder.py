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
import reprlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from tokumei._version import __version__
from tokumei.apps.contest.spec.formats import find_contest_format, merge_preset
from tokumei.apps.contest.spec.model import ContestSpec
from tokumei.core.errors import InputError, Violation
from tokumei.core.format_judge import ContestTerms, FormatOptions, knowledge_file_key
from tokumei.core.messages import Message
from tokumei.core.yaml_models import load_yaml, read_yaml_text
from tokumei.files.file_formats import AnyPath, sha256_of_file

_VALIDATION_MESSAGES = {
    "missing": Message("is needed", "が必要です"),
    "timezone_aware": Message(
        "needs a time zone, such as 2026-11-16T09:00:00+09:00",
        "にはタイムゾーンが必要です (例 2026-11-16T09:00:00+09:00)",
    ),
    "datetime_from_date_parsing": Message(
        "is not a time such as 2026-11-16T09:00:00+09:00",
        "は 2026-11-16T09:00:00+09:00 のような時刻ではありません",
    ),
    "int_type": Message("must be a whole number", "は整数でなければなりません"),
    "int_parsing": Message("must be a whole number", "は整数でなければなりません"),
    "float_type": Message("must be a number", "は数でなければなりません"),
    "float_parsing": Message("must be a number", "は数でなければなりません"),
    "bool_parsing": Message("must be true or false", "は true か false でなければなりません"),
    "string_type": Message("must be text", "は文字列でなければなりません"),
    "dict_type": Message(
        "must be a mapping of keys to values", "はキーと値の組でなければなりません"
    ),
    "model_type": Message(
        "must be a mapping of keys to values", "はキーと値の組でなければなりません"
    ),
    "too_short": Message("must not be empty", "は空にできません"),
    "tuple_type": Message("must be a list", "はリストでなければなりません"),
}
_RELATION_MESSAGES = {
    "a phase must end after it starts": "の終わりは始まりより後でなければなりません",
    "two phases overlap": "の期間が重なっています",
    "a share of knowledge is named twice": "の knowledge に同じ割合が二つあります",
}
CONTEST_FILE = "contest.yaml"
SCORE_RELEVANT_KEYS = ("format", "schema_", "knowledge", "rules", "scoring")


def validate_contest(plain: Mapping[str, object], *, where: str) -> ContestSpec:
    """The contest in plain data; an InputError lists everything that is wrong with it."""
    try:
        return ContestSpec.model_validate(plain)
    except ValidationError as err:
        faults = validation_violations(err, ContestSpec)
    reason = Message(
        f"{where}: {len(faults)} problem(s)", f"{where}: 問題が {len(faults)} 件あります"
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
    listed = ", ".join(sorted(valid))
    english = f" Did you mean '{close_matches[0]}'?" if close_matches else ""
    japanese = f"'{close_matches[0]}' のことですか?" if close_matches else ""
    message = Message(
        f"{key_path}: no such key.{english} Valid: {listed}",
        f"{key_path}: このキーはありません。{japanese} 使えるキー: {listed}",
    )
    return Violation(rule="contest-key", column=key_path, message=message)


def _validation_violation(problem: ErrorDetails, model: type[BaseModel], under: str) -> Violation:
    key_path = ".".join(str(part) for part in (under, *problem["loc"]) if part != "")
    kind, context = problem["type"], problem.get("ctx", {})
    if kind == "extra_forbidden":
        return unknown_key_violation(key_path, _valid_keys_at(problem["loc"][:-1], model))
    reason = _describe_problem(kind, context, problem["msg"])
    input_note = (
        "" if kind in ("missing", "value_error") else f" ({reprlib.repr(problem['input'])})"
    )
    message = Message(
        f"{key_path or 'contest'}: {reason.en}{input_note}",
        f"{key_path or 'contest'}: {reason.ja}{input_note}",
    )
    return Violation(rule="contest-value", column=key_path or None, message=message)


def _describe_problem(kind: str, context: Mapping[str, object], message: str) -> Message:
    limits = {"greater_than_equal": ("ge", "≥"), "less_than_equal": ("le", "≤")}
    limits |= {"greater_than": ("gt", ">"), "less_than": ("lt", "<")}
    if kind in limits:
        name, sign = limits[kind]
        bound = f"{sign} {context[name]}"
        return Message(f"must be {bound}", f"は {bound} でなければなりません")
    if kind in ("enum", "literal_error"):
        choice = str(context["expected"])
        return Message(f"must be {choice}", f"は次のいずれかです: {choice.replace(' or ', ', ')}")
    if kind == "string_pattern_mismatch":
        form = context["pattern"]
        return Message(f"must have the form {form}", f"は {form} の形でなければなりません")
    if kind == "value_error":
        message = message.removeprefix("Value error, ")
        return Message(message, _RELATION_MESSAGES.get(message, message))
    return _VALIDATION_MESSAGES.get(kind, Message(message, f"が不正です: {message}"))


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
        _data_violation(f"data.{key}", Message("is needed by this format", "この形式に必要です"))
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
        reason = Message(f"{where}: data files", f"{where}: データファイル")
        raise InputError(reason, faults=faults)


def _missing_file_violation(key_path: str, name: str) -> Violation:
    return _data_violation(
        key_path,
        Message(
            f"there is no file '{name}' beside contest.yaml",
            f"contest.yaml と同じ場所にファイル '{name}' がありません",
        ),
    )


def _data_violation(key_path: str, reason: Message) -> Violation:
    message = Message(f"{key_path}: {reason.en}", f"{key_path}: {reason.ja}")
    return Violation(rule="contest-data", column=key_path, message=message)


def parse_format_options(contest: ContestSpec) -> FormatOptions:
    """The contest's `schema` as its format wants it; an InputError lists what is wrong."""
    model = find_contest_format(contest.format).judge.options
    try:
        return model.model_validate(contest.schema_)
    except ValidationError as err:
        faults = validation_violations(err, model, under="schema")
    raise InputError("contest.yaml: schema", "contest.yaml: schema", faults=faults)


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
        reason = Message("a contest is a mapping of keys to values", "コンテストはキーと値の組です")
        raise InputError(f"{where}: {reason.en}", f"{where}: {reason.ja}")
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
