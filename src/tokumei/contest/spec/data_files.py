"""Which files a contest's format needs, and may have.

original      what is to be anonymized; every format needs it
known-0.25    what attackers know with this share of `knowledge`; drawn where none is given

What else there is (`master`, the customers), the format's judge says.
"""

from __future__ import annotations

from pathlib import Path

from tokumei.contest.spec.formats import contest_format
from tokumei.contest.spec.model import ContestSpec
from tokumei.contest.spec.problems import unknown_key
from tokumei.core.errors import Fault, InputError
from tokumei.core.judging import known_key
from tokumei.core.text import Text


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
    faults = [_lacking(key) for key in needed_keys(contest) if key not in contest.data]
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


def _lacking(key: str) -> Fault:
    message = Text(f"data.{key}: is needed by this format", f"data.{key}: この形式に必要です")
    return Fault(rule="contest-data", column=f"data.{key}", message=message)


def _absent(place: str, name: str) -> Fault:
    message = Text(
        f"{place}: there is no file '{name}' beside contest.yaml",
        f"{place}: contest.yaml と同じ場所にファイル '{name}' がありません",
    )
    return Fault(rule="contest-data", column=place, message=message)
