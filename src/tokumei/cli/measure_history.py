"""`tokumei measure utility|safety --format pws2018`."""

from __future__ import annotations

from tokumei.cli.options import Format, split
from tokumei.core.text import Text


def history_utility(
    format: Format,
    original: str,
    release: str,
    *,
    measures: str,
    categories: str | None,
    encoding: str,
    json: bool,
) -> None:
    """The contest's loss, per column, and what the data is still good for.

    With a mapping file the original's items are replaced first; `honest_loss` is against them.
    """
    from tokumei.cli.check_history import contest_only
    from tokumei.cli.console import print_json, print_table
    from tokumei.core.score import Score
    from tokumei.flow import read_history
    from tokumei.histories.categories.mapping_file import read_categories
    from tokumei.histories.flow import measure, measure_title
    from tokumei.histories.formats.pws2018 import read_general
    from tokumei.histories.measures.category_loss import honest_loss

    contest_only(format)
    source = real = read_history(original, format=format.value, encoding=encoding)
    mapping = None if categories is None else read_categories(categories).of
    if mapping is not None:
        source = real.with_items(mapping)
    released = read_general(release, source, encoding=encoding)
    names = [] if measures == "all" else (split(measures) or [])
    scores = measure(source, released, methods=names)
    if mapping is not None:
        scores["honest_loss"] = Score(honest_loss(real, released, mapping).loss)
    if json:
        print_json({name: score.value for name, score in scores.items()})
        return
    rows = [
        [f"{name}  {measure_title(name).show()}", f"{score.value:.6f}"]
        for name, score in scores.items()
    ]
    print_table(Text("Measures", "指標"), ["", Text("value", "値").show()], rows)


def history_safety(
    format: Format, original: str, release: str, guess: str, *, encoding: str, json: bool
) -> None:
    """How many guesses are right, and whether that shows the release to be unsafe."""
    from tokumei.cli.check_history import contest_only
    from tokumei.cli.console import print_json
    from tokumei.histories.contest_files import contest_hits

    contest_only(format)
    found = contest_hits(original, release, guess, encoding=encoding)
    if json:
        print_json(found.as_json())
        return
    verdict = Text("shown to be unsafe", "安全でないことが示されました")
    if not found.unsafe:
        verdict = Text("not shown to be unsafe", "安全でないとは示されませんでした")
    print(
        Text(
            f"{found.hits} of {found.tried} guesses are right; {found.threshold} would be needed: "
            f"{verdict.en}",
            f"{found.tried} 件中 {found.hits} 件が正解 (基準 {found.threshold} 件)。{verdict.ja}",
        ).show()
    )
