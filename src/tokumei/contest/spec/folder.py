"""A contest's folder: contest.yaml, its data files, the organiser's own Python file.

    contest = read_contest_folder("spring")              # or "spring/contest.yaml"
    judge = judge_of(contest, contest_folder("spring"))

Nothing of the organiser's Python is run here, and no data read: `judge_of` does both. What is wrong
with the file is told all at once: place, reason, nearest valid name. Data files:

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
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

from tokumei._version import __version__
from tokumei.contest.spec.formats import contest_format, merged
from tokumei.contest.spec.model import ContestSpec
from tokumei.core.errors import Fault, InputError
from tokumei.core.judging import Options, Terms, known_key
from tokumei.core.text import Text
from tokumei.core.yaml_models import load_yaml, yaml_source
from tokumei.files.containers import AnyPath, sha256

_REASONS = {
    "missing": Text("is needed", "が必要です"),
    "timezone_aware": Text(
        "needs a time zone, such as 2026-11-16T09:00:00+09:00",
        "にはタイムゾーンが必要です (例 2026-11-16T09:00:00+09:00)",
    ),
    "datetime_from_date_parsing": Text(
        "is not a time such as 2026-11-16T09:00:00+09:00",
        "は 2026-11-16T09:00:00+09:00 のような時刻ではありません",
    ),
    "int_type": Text("must be a whole number", "は整数でなければなりません"),
    "int_parsing": Text("must be a whole number", "は整数でなければなりません"),
    "float_type": Text("must be a number", "は数でなければなりません"),
    "float_parsing": Text("must be a number", "は数でなければなりません"),
    "bool_parsing": Text("must be true or false", "は true か false でなければなりません"),
    "string_type": Text("must be text", "は文字列でなければなりません"),
    "dict_type": Text("must be a mapping of keys to values", "はキーと値の組でなければなりません"),
    "model_type": Text("must be a mapping of keys to values", "はキーと値の組でなければなりません"),
    "too_short": Text("must not be empty", "は空にできません"),
    "tuple_type": Text("must be a list", "はリストでなければなりません"),
}
_RELATIONS = {
    "a phase must end after it starts": "の終わりは始まりより後でなければなりません",
    "two phases overlap": "の期間が重なっています",
    "a share of knowledge is named twice": "の knowledge に同じ割合が二つあります",
}
FILE = "contest.yaml"
DECIDING = ("format", "schema_", "knowledge", "rules", "scoring")


def validated_contest(plain: Mapping[str, Any], *, where: str) -> ContestSpec:
    """The contest in plain data; an InputError lists everything that is wrong with it."""
    try:
        return ContestSpec.model_validate(plain)
    except ValidationError as err:
        faults = problem_faults(err, ContestSpec)
    reason = Text(f"{where}: {len(faults)} problem(s)", f"{where}: 問題が {len(faults)} 件あります")
    raise InputError(reason, faults=faults, total=len(faults))


def problem_faults(err: ValidationError, model: type[BaseModel], *, under: str = "") -> list[Fault]:
    """Every problem of a model with its place; `under` is the place of the model itself."""
    return [_fault(problem, model, under) for problem in err.errors()]


def unknown_key(place: str, valid: Sequence[str]) -> Fault:
    """The fault of a key that does not exist."""
    near = difflib.get_close_matches(place.rpartition(".")[2], valid, n=1, cutoff=0.5)
    listed = ", ".join(sorted(valid))
    english = f" Did you mean '{near[0]}'?" if near else ""
    japanese = f"'{near[0]}' のことですか?" if near else ""
    message = Text(
        f"{place}: no such key.{english} Valid: {listed}",
        f"{place}: このキーはありません。{japanese} 使えるキー: {listed}",
    )
    return Fault(rule="contest-key", column=place, message=message)


def _fault(problem: Any, model: type[BaseModel], under: str) -> Fault:
    place = ".".join(str(part) for part in (under, *problem["loc"]) if part != "")
    kind, context = problem["type"], problem.get("ctx", {})
    if kind == "extra_forbidden":
        return unknown_key(place, _keys_at(problem["loc"][:-1], model))
    reason = _reason(kind, context, problem["msg"])
    given = "" if kind in ("missing", "value_error") else f" ({reprlib.repr(problem['input'])})"
    message = Text(
        f"{place or 'contest'}: {reason.en}{given}", f"{place or 'contest'}: {reason.ja}{given}"
    )
    return Fault(rule="contest-value", column=place or None, message=message)


def _reason(kind: str, context: Mapping[str, Any], words: str) -> Text:
    limits = {"greater_than_equal": ("ge", "≥"), "less_than_equal": ("le", "≤")}
    limits |= {"greater_than": ("gt", ">"), "less_than": ("lt", "<")}
    if kind in limits:
        name, sign = limits[kind]
        bound = f"{sign} {context[name]}"
        return Text(f"must be {bound}", f"は {bound} でなければなりません")
    if kind in ("enum", "literal_error"):
        choice = str(context["expected"])
        return Text(f"must be {choice}", f"は次のいずれかです: {choice.replace(' or ', ', ')}")
    if kind == "string_pattern_mismatch":
        form = context["pattern"]
        return Text(f"must have the form {form}", f"は {form} の形でなければなりません")
    if kind == "value_error":
        words = words.removeprefix("Value error, ")
        return Text(words, _RELATIONS.get(words, words))
    return _REASONS.get(kind, Text(words, f"が不正です: {words}"))


def _keys_at(path: Sequence[Any], model: type[BaseModel]) -> list[str]:
    """The keys that the part of a model at a path may have."""
    for part in path:
        if isinstance(part, str):
            fields = {field.alias or name: field for name, field in model.model_fields.items()}
            model = _model_in(fields[part].annotation) or model
    return [field.alias or name for name, field in model.model_fields.items()]


def _model_in(kind: Any) -> type[BaseModel] | None:
    """The model among the parts of an annotation."""
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return kind
    return next(filter(None, map(_model_in, get_args(kind))), None)


def needed_keys(contest: ContestSpec) -> tuple[str, ...]:
    """The keys that `data` must have."""
    return contest_format(contest.format).judge.files


def data_keys(contest: ContestSpec) -> list[str]:
    """All keys that `data` may have."""
    known = contest.knowledge if contest_format(contest.format).judge.draws_knowledge else ()
    return [*needed_keys(contest), *map(known_key, known)]


def withheld_keys(contest: ContestSpec, folder: Path) -> tuple[str, ...]:
    """The keys of `secret_data` whose files are not in the folder, as with participants."""
    named = {key: contest.data[key] for key in contest.secret_data if key in contest.data}
    return tuple(key for key, name in named.items() if not (folder / name).is_file())


def require_files(contest: ContestSpec, folder: Path, *, where: str, at_home: bool = False) -> None:
    """Fail, listing all, if a file is missing (`at_home`: one not secret), not named or useless."""
    valid = data_keys(contest)
    faults = [
        _data_fault(f"data.{key}", Text("is needed by this format", "この形式に必要です"))
        for key in needed_keys(contest)
        if key not in contest.data
    ]
    faults += [unknown_key(f"data.{key}", valid) for key in contest.data if key not in valid]
    withheld = withheld_keys(contest, folder) if at_home else ()
    named = {f"data.{key}": name for key, name in contest.data.items() if key not in withheld}
    if contest.extra is not None:
        named["extra"] = contest.extra
    faults += [
        _absent(place, name) for place, name in named.items() if not (folder / name).is_file()
    ]
    faults += [
        unknown_key(f"secret_data.{key}", list(contest.data))
        for key in contest.secret_data
        if key not in contest.data
    ]
    if faults:
        reason = Text(f"{where}: data files", f"{where}: データファイル")
        raise InputError(reason, faults=faults)


def _absent(place: str, name: str) -> Fault:
    return _data_fault(
        place,
        Text(
            f"there is no file '{name}' beside contest.yaml",
            f"contest.yaml と同じ場所にファイル '{name}' がありません",
        ),
    )


def _data_fault(place: str, why: Text) -> Fault:
    message = Text(f"{place}: {why.en}", f"{place}: {why.ja}")
    return Fault(rule="contest-data", column=place, message=message)


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


def read_contest_folder(
    path: AnyPath, *, at_home: bool = False, where: str | None = None
) -> ContestSpec:
    """The contest in a folder, or of its contest.yaml; its files are there.

    `at_home`, where participants are, the files of `secret_data` may be lacking. `where` is what
    messages call the file: on a server not its path.
    """
    folder = contest_folder(path)
    place = folder / FILE if Path(path).is_dir() else Path(path)
    named = where or str(place)
    contest = parse_contest(yaml_source(place), where=named)
    require_files(contest, folder, where=named, at_home=at_home)
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


def judge_version(contest: ContestSpec, folder: Path) -> str:
    """The version, without loading the data."""
    plain = contest.model_dump(mode="json", include=set(DECIDING))
    held = {key: sha256(folder / name) for key, name in sorted(contest.data.items())}
    extra = None if contest.extra is None else sha256(folder / contest.extra)
    parts = {"tokumei": __version__, "contest": plain, "data": held, "extra": extra}
    text = json.dumps(parts, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()
