"""`tokumei check` of histories: a release, its public part or guesses against the rules."""

from __future__ import annotations

from tokumei.cli.options import Format, required
from tokumei.core.errors import Fault, UsageError
from tokumei.core.text import Text


def contest_only(format: Format) -> None:
    """Fail unless the format is a contest's."""
    if format is not Format.pws2018:
        raise UsageError(
            Text(
                "only contest files (--format pws2018) have these rules",
                "この規則は大会形式 (--format pws2018) だけのものです",
            )
        )


def history_faults(
    format: Format,
    *,
    original: str | None,
    master: str | None,
    release: str | None,
    public: str | None,
    guesses: list[str],
    k: int | None,
    encoding: str,
) -> list[Fault]:
    """All violations of what was given: guesses, a public file (with k), or a release."""
    from tokumei.cli.check_periods import period_faults
    from tokumei.files.contest_text import read_contest
    from tokumei.flow import read_history
    from tokumei.histories.contest_files import check_contest
    from tokumei.histories.data.history import COLUMNS
    from tokumei.histories.formats.pws2018 import read_guess, read_public
    from tokumei.histories.verify.guess2018 import check_guess
    from tokumei.histories.verify.identical_histories import NOBODY, IdenticalHistories

    if format is Format.pws2017:
        files = {"original": original, "master": master, "release": release, "public": public}
        return period_faults(**files, guesses=guesses, encoding=encoding)
    contest_only(format)
    if guesses:
        source = read_history(
            required(original, "--original", format), format=format.value, encoding=encoding
        )
        seen = read_public(required(public, "--public", format), encoding=encoding)
        return [
            fault
            for guess in guesses
            for fault in check_guess(seen, source.customers, read_guess(guess, encoding=encoding))
        ]
    if public is not None and release is None:
        if k is None:
            raise UsageError(
                Text("a public file is checked for --k", "公開ファイルには --k が必要です")
            )
        seen = read_public(public, encoding=encoding)
        if not seen.height:
            return [NOBODY]
        return IdenticalHistories(k).check(seen)
    rows = read_contest(required(release, "--release", format), COLUMNS, encoding=encoding)
    source = read_history(
        required(original, "--original", format), format=format.value, encoding=encoding
    )
    return check_contest(source, rows, k=k)
