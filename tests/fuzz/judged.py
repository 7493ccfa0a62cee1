"""What came of a case: a release that holds, a refusal that says why, or a defect.

outcome = judge(make_case(1234), folder)
outcome.kind, outcome.words
"""

from __future__ import annotations

import contextlib
import io
import json
import traceback
import warnings
from dataclasses import dataclass
from pathlib import Path

from fuzz.cases import Case
from independent.cells import read_cells, read_original
from independent.verifier import verify

RELEASED, REFUSED = "released", "refused"
BROKEN, CHANGED, TRACEBACK = "broken claim", "changed cell", "traceback"
UNMET, NOT_JSON, LEFT, DISPUTED = "claims unmet", "not JSON", "leftover", "check disagrees"
DEFECTS = (BROKEN, CHANGED, TRACEBACK, NOT_JSON, LEFT, DISPUTED)
WHOLE_COMMANDS = 8
"""One case in so many is a whole command line: parsing it takes as long as the work."""
KINDS = (RELEASED, REFUSED, UNMET, *DEFECTS)


@dataclass(frozen=True)
class Outcome:
    """What a case came to; `words` say why, `sign` is the same for failures of one class."""

    kind: str
    words: str = ""
    sign: str = ""

    @property
    def is_defect(self) -> bool:
        return self.kind in DEFECTS


@dataclass(frozen=True)
class Ran:
    """A command's exit code and what it printed."""

    code: int
    out: str
    err: str


def run(args: list[str]) -> Ran:
    """A command in this process."""
    from tokumei.apps.cli.app import main

    out, err = io.StringIO(), io.StringIO()
    code = 0
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main(args)
        except SystemExit as stop:
            code = int(stop.code or 0)
    return Ran(code, out.getvalue(), err.getvalue())


def judge(case: Case, folder: Path, *, check: bool = True) -> Outcome:
    """Run the case in an empty folder and look at everything it left."""
    case.write_source(folder)
    before = {path.name for path in folder.iterdir()}
    try:
        with warnings.catch_warnings():
            for shown in (RuntimeWarning, UserWarning, FutureWarning):
                warnings.simplefilter("error", shown)  # people would see it between our words
            refused = _release(case, folder)
        if refused is None:
            return _judged(case, folder, check=check)
    except Exception as err:  # noqa: BLE001  whatever it is, it must not have come this far
        return Outcome(TRACEBACK, last_lines(err), place_of(err))
    left = {path.name for path in folder.iterdir()} - before
    return Outcome(LEFT, f"after {refused.words}: {sorted(left)}", "refused") if left else refused


def _release(case: Case, folder: Path) -> Outcome | None:
    """None if there is a release, else how it was refused."""
    from tokumei.core.errors import ClaimError, TokumeiError

    if case.source != "pandas" and case.number % WHOLE_COMMANDS == 0:
        return command(case.args(folder))
    try:
        case.release_frame(folder) if case.source == "pandas" else case.ask(folder).answer()
    except TokumeiError as err:
        kind = UNMET if isinstance(err, ClaimError) else REFUSED
        return Outcome(kind, str(err), str(err)[:60])
    return None


def command(args: list[str]) -> Outcome | None:
    """The same as a whole command, which answers with JSON whatever happens."""
    ran = run(args)
    try:
        told = json.loads(ran.out)
    except ValueError:
        return Outcome(NOT_JSON, ran.out + ran.err, "anonymize")
    if ran.code == 0:
        return None
    words = json.dumps(told, ensure_ascii=False)
    if told["error"] == "Defect":
        return Outcome(TRACEBACK, words, told["message_en"][:60])
    return Outcome(UNMET if told["error"] == "ClaimError" else REFUSED, words, ran.err[:60])


def _judged(case: Case, folder: Path, *, check: bool) -> Outcome:
    pandas = case.source == "pandas"
    # Files that are larger than memory keep their rows without a cell.
    read = read_original if case.engine == "local" else read_cells
    source = case.table.cells() if pandas else read(case.data(folder), case.sep)
    sep = "\t" if case.out == "tsv" else case.sep
    found = verify(case.public(folder), original=source, link=case.secret(folder), sep=sep)
    if found.broken or found.link:
        why = (found.broken + found.link)[0]
        return Outcome(BROKEN, why, why.split(":")[0])
    for path in (case.secret(folder), Path(f"{case.secret(folder)}.provenance.json")):
        if path.stat().st_mode & 0o077:
            return Outcome(LEFT, f"{path.name} is readable by others", "mode")
    if found.changed:
        name = found.changed[0].split("'")[1]
        pool = case.table.pools.get(name, "?")
        return Outcome(CHANGED, found.changed[0], f"{pool} {case.source}>{case.out}")
    if check and case.recodes and (why := _disputed(case, folder)):
        return Outcome(DISPUTED, why, why[:60])
    return Outcome(RELEASED)


def _disputed(case: Case, folder: Path) -> str:
    """Why `check` does not find what `anonymize` called verified."""
    from tokumei.core.errors import TokumeiError

    try:
        answer = case.check(folder).answer()
    except TokumeiError as err:
        # A file that gives equal numbers two leaves; `anonymize` had no need of it.
        return "" if "hierarchy of" in str(err) and "cannot be used" in str(err) else str(err)
    return "" if answer.code == 0 else answer.data["faults"][0]["message_en"]


def last_lines(err: Exception) -> str:
    return "".join(traceback.format_exception(err))[-1200:]


def place_of(err: Exception) -> str:
    """The innermost line of ours, and the error."""
    frames = [one for one in traceback.extract_tb(err.__traceback__) if "tokumei" in one.filename]
    where = f"{Path(frames[-1].filename).name}:{frames[-1].name}" if frames else "?"
    return f"{type(err).__name__} in {where}"
