"""`tokumei check --format pws2017`: a release or guess tables against the contest's rules."""

from __future__ import annotations

from tokumei.cli.options import Format, required
from tokumei.core.errors import Fault


def period_faults(
    *,
    original: str | None,
    master: str | None,
    release: str | None,
    public: str | None,
    guesses: list[str],
    encoding: str,
) -> list[Fault]:
    """All violations of a release, or of each of the guess files."""
    from tokumei.files.contest_text import read_contest
    from tokumei.pseudonyms.data.rows import PERIOD_COLUMNS
    from tokumei.pseudonyms.formats.pws2017 import read_period_history
    from tokumei.pseudonyms.verify.pws2017 import check_release

    customers = required(master, "--master", Format.pws2017)
    if guesses:
        seen = required(public, "--public", Format.pws2017)
        return _guess_faults(guesses, customers, seen, original, encoding)
    made = required(release, "--release", Format.pws2017)
    source = required(original, "--original", Format.pws2017)
    history = read_period_history(source, customers, encoding=encoding)
    return check_release(history, read_contest(made, PERIOD_COLUMNS, encoding=encoding))


def _guess_faults(
    guesses: list[str], master: str, public: str, original: str | None, encoding: str
) -> list[Fault]:
    """The months are the original's if it is given, else those of the public rows."""
    from tokumei.pseudonyms.data.months import Months
    from tokumei.pseudonyms.formats.pws2017 import read_master, read_rows, table_text
    from tokumei.pseudonyms.verify.guess2017 import check_guess_table

    customers = read_master(master, encoding=encoding).customers
    seen = read_rows(public, encoding=encoding)
    dated = seen if original is None else read_rows(original, encoding=encoding)
    periods = Months.spanning(dated.days).count
    return [
        fault
        for path in guesses
        for fault in check_guess_table(
            seen, customers, table_text(path, periods, encoding=encoding), name=path
        )
    ]
