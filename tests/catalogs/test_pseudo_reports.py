"""Reports in the language whose every sentence has brackets; see test_pseudo_locale.py."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

import pytest

from support.bare_words import (
    Allowed,
    data_texts,
    describe_findings,
    find_bare,
    package_names,
)
from support.paper_texts import paper_texts
from support.pseudo_scene import FILES, Scene
from support.shown_texts import shown_texts

PAGES = {
    "advice.html": "advice",
    "assessed.html": "an assessment",
    "assessed-history.html": "an assessment of a history",
    "audit.html": "an audit",
    "choice/report.html": "a choice of k",
    "conformity.html": "conformity",
    "for-trial/report.html": "a release that does not fit",
    "history-sweep/report.html": "histories",
    "inside/report.html": "a release for use inside",
    "joint.html": "a ledger",
    "look.html": "a look at a file",
    "paper/paper-002.html": "a paper's figures",
    "price-curve/report.html": "prices",
    "results/report.html": "a table",
    "risk.html": "risk",
    "scoreboard/report.html": "an attack's curve",
    "table-sweep/report.html": "a sweep",
    "to-partner/report.html": "a release for a partner",
    "tree.html": "a hierarchy",
    "unicity/report.html": "unicity",
}
LONG_PAGES = {
    "assessed-again.html": "an assessment with a ledger and an audit",
    "goods.html": "advice on histories",
    "history/report.html": "a recipe of histories",
    "lifetime/report.html": "lifetimes of pseudonyms",
    "paper/paper-000.html": "a paper's figures",
    "paper/paper-001.html": "a paper's figures",
    "paper/paper-003.html": "a paper's figures",
    "paper/paper-004.html": "a paper's figures",
    "periods/report.html": "a recipe of pseudonyms",
}
FEWEST_TEXTS = 30
DEMO = resources.files("tokumei.tables").joinpath("demo.yaml").read_text("utf-8")
DEMO_NAMES = re.findall(r"name: (.+)", DEMO)
"""What the releases of the demonstration are called, in every language."""


def scene_names(folder: Path) -> Allowed:
    """Names of the package, the words of the scene's data and of the papers' figures."""
    texts = (*data_texts(folder), *FILES.values(), *paper_texts(), *DEMO_NAMES)
    return package_names().with_texts(*texts)


def list_pages(folder: Path, below: str = "") -> list[str]:
    """The pages in the scene's folder, or below one of its folders."""
    paths = sorted((folder / below).rglob("*.html"))
    return [path.relative_to(folder).as_posix() for path in paths]


def look_at(folder: Path, names: Iterator[str], language: str) -> Iterator[tuple[str, list[str]]]:
    """Plain words of pages, with their places."""
    allowed = scene_names(folder)
    for name in names:
        texts = [*shown_texts((folder / name).read_text("utf-8"), language)]
        assert len(texts) > FEWEST_TEXTS, name
        for place, text in texts:
            yield f"{name}, {place} of {text!r}", find_bare(text, allowed)


def test_the_reader_gives_texts_of_one_language() -> None:
    page = (
        '<html lang="qps"><title data-en="a" data-qps="A">a</title><body aria-label="b">'
        '<p title="c">d <span lang="en">e</span><span lang="qps">f <b>g</b></span><code>h</code>'
        '<br>i<img alt="j"><input placeholder="k"><input type="submit" value="l">'
        '<nav aria-label="m" data-label-en="m" data-label-qps="M"></nav></p>'
        '<script>n</script><script type="application/json">{"x": {"en": "o", "qps": "O"},'
        ' "y": {"qps": {"mark": "p", "title": "q", "layer": [{"text": ["r"]}]}},'
        ' "z": {"en": "s", "ja": "t"}, "w": "u"}</script></body></html>'
    )
    assert [text for _, text in shown_texts(page, "qps")] == [
        *("A", "b", "c", "d", "f", "g", "i", "j", "k", "l", "M", "O", "q", "r"),
        "nothing in this language: s",
    ]


def test_the_finder_sees_what_is_planted_in_a_page(scene: Scene) -> None:
    page = (scene.folder / "risk.html").read_text("utf-8")
    allowed = package_names()

    def found(changed: str) -> list[str]:
        return [
            bare for _, text in shown_texts(changed, "qps") for bare in find_bare(text, allowed)
        ]

    for place, planted, bare in (
        ("</h1>", " for all rows</h1>", "for all rows"),
        ("<main", '<main aria-label="No rows"', "No rows"),
        ('"title":"⟦', '"title":"Share of ⟦', "Share of"),
    ):
        assert place in page
        changed = Counter(found(page.replace(place, planted)))
        assert [*changed - Counter(found(page))] == [bare], place


def test_reports(scene: Scene, qps: str) -> None:
    found = describe_findings(look_at(scene.folder, iter(PAGES), qps))
    assert not found, found


@pytest.mark.long
def test_reports_that_take_longer(long_scene: Scene, qps: str) -> None:
    wrong = [ran for ran in long_scene.runs if ran.code != ran.expected]
    assert not wrong, "\n".join(f"{ran.command}: {ran.code}\n{ran.out}{ran.err}" for ran in wrong)
    pages = [*LONG_PAGES, *list_pages(long_scene.folder, "demo-out")]
    assert len(pages) > len(LONG_PAGES) + 3
    found = describe_findings(look_at(long_scene.folder, iter(pages), qps))
    assert not found, found
    allowed = scene_names(long_scene.folder)
    said = ((ran.command, find_bare(ran.out + ran.err, allowed)) for ran in long_scene.runs)
    assert not (found := describe_findings(said)), found


def test_every_report_of_the_scene_is_looked_at(scene: Scene) -> None:
    of_long_scene = {*LONG_PAGES, *list_pages(scene.folder, "demo-out")}
    assert {*list_pages(scene.folder)} - of_long_scene == {*PAGES}


def test_pictures(scene: Scene, qps: str) -> None:
    pictures = [*scene.folder.rglob("*.svg")]
    assert len(pictures) > 5
    allowed = package_names().with_texts(*data_texts(scene.folder))
    found = describe_findings(
        (f"{path.name}, {place}", find_bare(text, allowed))
        for path in pictures
        for place, text in shown_texts(path.read_text("utf-8"), qps)
        if "@" not in place  # Vega describes axes in English
    )
    assert not found, found


def test_files_with_notes(scene: Scene) -> None:
    """Comments in the contest that `contest init` writes."""
    text = (scene.folder / "spring" / "contest.yaml").read_text("utf-8")
    comments = [line.rpartition("#")[2] for line in text.splitlines() if "#" in line]
    notes = [comment for comment in comments if not re.match(r" *[\w-]+:", comment)]
    assert len(notes) > 10
    found = describe_findings((note, find_bare(note, package_names())) for note in notes)
    assert not found, found
