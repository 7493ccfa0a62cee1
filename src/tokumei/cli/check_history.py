"""`tokumei check --format pws2018`: a release, its public part or a guess against the rules."""

from __future__ import annotations

from tokumei.cli.options import Format, required
from tokumei.errors import Fault, UsageError
from tokumei.text import Text


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
    release: str | None,
    public: str | None,
    guess: str | None,
    k: int | None,
    encoding: str,
) -> list[Fault]:
    """All violations of what was given: a guess, a public file (with k), or a release."""
    from tokumei.data.files.contest_text import read_contest
    from tokumei.data.files.histories import read_guess, read_history, read_public
    from tokumei.data.history import COLUMNS
    from tokumei.history_contest import check_contest
    from tokumei.verify.history.guess2018 import check_guess
    from tokumei.verify.history.identical_histories import IdenticalHistories

    contest_only(format)
    if guess is not None:
        source = read_history(
            required(original, "--original", format), format=format.value, encoding=encoding
        )
        seen = read_public(required(public, "--public", format), encoding=encoding)
        return check_guess(seen, source.customers, read_guess(guess, encoding=encoding))
    if public is not None and release is None:
        if k is None:
            raise UsageError(
                Text("a public file is checked for --k", "公開ファイルには --k が必要です")
            )
        seen = read_public(public, encoding=encoding)
        if not seen.height:
            nobody = Text("the public file has no rows", "公開ファイルに行がありません")
            return [Fault(rule="rows", message=nobody)]
        return IdenticalHistories(k).check(seen)
    rows = read_contest(required(release, "--release", format), COLUMNS, encoding=encoding)
    source = read_history(
        required(original, "--original", format), format=format.value, encoding=encoding
    )
    return check_contest(source, rows, k=k)
