"""The whole way in a real browser: tables in two languages, a history, a hierarchy, a kill."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.assessment.views.collectors import Shown, find_contradictions, read_sentences

from apps.studio.browser_helpers import sample
from apps.studio.page_figures import collect, contradictions
from apps.studio.served import Person, served
from tokumei.ledger.ledger import Ledger

pytestmark = [pytest.mark.browser, pytest.mark.long]


MOST_CLICKS = 12


def run_again(folder: Path, lang: str) -> None:
    """`tokumei run` with the recipe and key of a release gives every file again, byte by byte."""
    command = [
        "run",
        "recipe.yaml",
        "--key",
        "secret/release.key",
        "--out",
        "again",
        "--json",
        "--lang",
    ]
    done = subprocess.run(
        [sys.executable, "-m", "tokumei", *command, lang],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    made = [path for path in (folder / "again").rglob("*") if path.is_file()]
    assert {path.parent.name for path in made} >= {"releases", "secret"}
    for path in made:
        first = folder / path.relative_to(folder / "again")
        assert first.read_bytes() == path.read_bytes(), path.name


def name_ledger(person: Person, folder: Path) -> None:
    """A ledger beside the home, named on the page Release."""
    Ledger.create(folder / "ledger", folder / "ledger.key")
    person.page.wait_for_load_state("load")
    person.click("#ledger summary")
    person.page.fill("#ledger-folder", str(folder / "ledger"))
    person.page.fill("#ledger-recipient", "A partner")
    person.click("#ledger form button:not([name])")
    assert "first release" in person.wait("#joint .lead").inner_text()


def read_rendered(person: Person, name: str, lang: str) -> list[Shown]:
    """What somebody sees on a page of the studio, as the browser renders it; the wish is none."""
    page = person.page
    text = page.locator("main").inner_text()
    for wish in page.locator("main .wishes").all():
        text = text.replace(wish.inner_text(), "")
    view = f"rendered {name} {lang}"
    marks = page.eval_on_selector_all(
        "main [data-verdict]", "marked => marked.map(one => one.dataset.verdict)"
    )
    assert marks, view
    return [*read_sentences(view, text), *(Shown(view, "verdict", mark) for mark in marks)]


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_a_customer_list_from_drop_to_release(chromium: Any, tmp_path: Path, lang: str) -> None:
    name = {"en": "customers.csv", "ja": "顧客台帳.csv"}[lang]
    data = sample(tmp_path / name, "table", "--messy", lang, "--rows", "160")
    with served(tmp_path / "home", "--seconds", "2") as studio:
        person = Person(chromium, studio.address, lang=lang, wide=1280 if lang == "en" else 390)
        page = person.page
        person.drop(data)
        assert page.get_attribute("html", "lang") == lang
        masked = page.locator("table.look td.masked").count()
        assert masked
        person.on("purpose")
        person.on("candidates")
        person.wait("[data-point]")
        person.wait(".job.running", "detached")
        person.wait("table.beside")
        person.on("attack")
        assert person.wait(".gate").get_attribute("data-verdict") == "fits"
        person.wait("table.attacks")
        seen, rendered = read_rendered(person, "attack", lang), {"attack": page.content()}
        if lang == "ja":
            person.click("form[action$=audit] button")
            assert "AUC" not in person.wait(".verdicts").inner_text()
        person.on("release")
        if lang == "en":
            name_ledger(person, tmp_path)
        person.click("#next")
        folder = Path(person.wait("#written").inner_text())
        seen += read_rendered(person, "release", lang)
        rendered["release"] = page.content()
        document = json.loads((folder / "assessment.json").read_text(encoding="utf-8"))
        assert find_contradictions(document, seen) == []
        if lang == "en":
            for name, text in rendered.items():
                assert {"verdict 0", "strongest", "bound", "kept"} <= collect(text).keys(), name
                assert contradictions(name, text, document) == []
        assert person.clicks <= MOST_CLICKS
        assert person.page.locator("#recorded").count() == (lang == "en")
        other = "ja" if lang == "en" else "en"
        page.click(f'.languages a[lang="{other}"]')
        assert page.inner_text("#written") == str(folder)
        person.close()
    assert (folder / "secret" / "01-release.csv").stat().st_mode & 0o077 == 0
    assert (folder / "secret").stat().st_mode & 0o077 == 0
    if lang == "en":
        run_again(folder, lang)
        recorded = Ledger(tmp_path / "ledger").entries  # by the studio, and by the recipe again
        assert [one.recipient for one in recorded] == ["A partner", "A partner"]
        assert len({one.sha256 for one in recorded}) == 1


def test_a_history_by_its_curve(chromium: Any, tmp_path: Path) -> None:
    asked = ["history", "--format", "table", "--rows", "900", "--customers", "60"]
    data = sample(tmp_path / "purchases.csv", *asked)
    with served(tmp_path / "home", "--seconds", "2") as studio:
        person = Person(chromium, studio.address)
        person.drop(data)
        assert person.page.locator("[name=kind]:checked").get_attribute("value") == "histories"
        person.on("purpose")
        person.on("candidates")
        person.wait("[data-point]")
        person.wait(".job.running", "detached")
        person.page.wait_for_load_state("load")
        person.click('form:has([value="safer"]) button')  # one more of the same method: a curve
        person.wait("polyline.front", "attached")
        person.wait(".job.running", "detached")
        person.on("attack")
        person.wait(".gate")
        person.on("release")
        release_anyway_if_needed(person)
        person.click("#next")
        folder = Path(person.wait("#written").inner_text())
        person.close()
    run_again(folder, "en")


def release_anyway_if_needed(person: Person) -> None:
    """What does not fit, or cannot be told, is written for a reason only."""
    if person.wait(".gate").get_attribute("data-verdict") != "fits":
        person.page.fill("#anyway", "a test")


def test_a_hierarchy_by_drag_and_by_keys(chromium: Any, tmp_path: Path) -> None:
    rows = "".join(f"{20 + i % 60},{'ABCDEFGH'[i % 8]}\n" for i in range(200))
    data = tmp_path / "people.csv"
    data.write_text(f"age,city\n{rows}", encoding="utf-8")
    with served(tmp_path / "home") as studio:
        person = Person(chromium, studio.address)
        page = person.page
        person.drop(data)
        id = page.url.split("/p/")[1].split("/")[0]
        page.goto(f"{studio.base}/p/{id}/hierarchy/1")
        person.wait("[role=treeitem]")

        def tree() -> list[list[str]]:
            found: list[list[str]] = page.evaluate("document.querySelector('tokumei-tree').rows")
            return found

        before = tree()
        here = before[0][1]
        other = next(row[1] for row in before if row[1] != here)
        groups = page.locator(".node.group .name")
        target = groups.filter(has_text=other).last
        page.locator(".node:not(.group)", has_text=before[0][0]).first.drag_to(target)
        person.wait("#check:not(.bad):not(:empty)")
        dragged = tree()
        assert dragged[0][1] not in (here, other)
        assert before[0][0] in dragged[0][1]
        page.keyboard.press("Control+z")
        page.wait_for_function(
            "rows => JSON.stringify(document.querySelector('tokumei-tree').rows) === rows",
            arg=page.evaluate("rows => JSON.stringify(rows)", before),
        )
        page.locator("[role=treeitem]", has_text=before[0][0]).last.focus()
        with page.expect_response(lambda given: given.request.method == "POST") as kept:
            page.keyboard.press("Alt+ArrowDown")
        assert kept.value.ok
        assert tree()[0][1] == dragged[0][1]
        with page.expect_download() as given:
            page.goto(page.url)
            page.click("a[href$=export]")
        lines = Path(given.value.path()).read_text(encoding="utf-8").splitlines()
        assert [line.split(";")[0] for line in lines] == [row[0] for row in before]
        cut_numbers(person, f"{studio.base}/p/{id}/hierarchy/0")
        person.close()


def cut_numbers(person: Person, address: str) -> None:
    """A cut is moved by a key and by the mouse; groups are made of the cuts."""
    page = person.page
    page.goto(address)
    person.wait(".cut")
    page.wait_for_load_state("load")

    def cuts() -> list[int]:
        found: list[int] = page.evaluate("document.querySelector('tokumei-cuts').cuts")
        return found

    before = cuts()
    page.locator(".cut").first.focus()
    page.keyboard.press("ArrowRight")
    assert cuts() == [before[0] + 1, *before[1:]]
    for _ in before[1:]:
        page.keyboard.press("Delete")
    box = page.locator(".cut").bounding_box()
    assert box is not None
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(*middle)
    page.mouse.down()
    page.mouse.move(middle[0] + 80, middle[1], steps=4)
    page.mouse.up()
    (cut,) = cuts()
    assert cut > before[0]
    page.click("button[data-make]")
    page.wait_for_function(
        "name => document.querySelector('tokumei-tree')?.rows?.some(row => row[1] === name)",
        arg=f"[{cut};inf]",
    )


def test_three_hundred_columns_fit_the_page(chromium: Any, tmp_path: Path) -> None:
    names = [f"q{n}" for n in range(300)]
    lines = [",".join(str((row * 7 + n) % (3 + n % 40)) for n in range(300)) for row in range(40)]
    data = tmp_path / "survey.csv"
    data.write_text("\n".join([",".join(names), *lines]) + "\n", encoding="utf-8")
    with served(tmp_path / "home") as studio:
        for wide in (1280, 390):
            person = Person(chromium, studio.address, wide=wide)
            page = person.page
            person.drop(data)
            for step in ("look", "purpose"):
                page.goto(page.url.rpartition("/")[0] + f"/{step}")
                person.wait("#next")
                size = page.evaluate(
                    "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
                )
                assert size[0] <= wide, step
                assert size[1] <= 6_000, step
            person.close()


def test_roles_of_many_columns_are_set_at_once(chromium: Any, tmp_path: Path) -> None:
    data = tmp_path / "people.csv"
    rows = "".join(f"{20 + i % 60},{'ABCDEFGH'[i % 8]},{i % 7},{i % 5}\n" for i in range(200))
    data.write_text(f"age,city,score_a,score_b\n{rows}", encoding="utf-8")
    with served(tmp_path / "home") as studio:
        person = Person(chromium, studio.address)
        page = person.page
        person.drop(data)
        page.fill("#find-column", "score")
        assert page.locator("thead th:visible").count() == 2
        page.click("[data-mark-shown]")
        page.select_option("#bulk-role", "keep")
        page.click("[data-bulk]")
        for name in ("score_a", "score_b"):
            person.wait(f'th.keep[data-column="{name}"]')
        assert page.locator("th.keep").count() == 2
        person.close()


def test_answers_outlive_a_file_that_is_read_again(chromium: Any, tmp_path: Path) -> None:
    """While the file is looked at again, the form is whole, and what is typed stays."""
    data = sample(tmp_path / "customers.csv", "table", "--messy", "en", "--rows", "160")
    with served(tmp_path / "home", "--seconds", "1") as studio:
        person = Person(chromium, studio.address)
        page = person.page
        person.drop(data)
        page.select_option("#person", "")  # the file is read again
        page.goto(page.url.replace("/look", "/purpose"))
        page.check("[name=recipient][value=inside]")
        page.click("details:has(#k) summary")
        page.fill("#k", "7")
        page.fill("#smallest-class", "4")
        person.wait(".job.running", "detached")
        assert page.input_value("#k") == "7"
        page.click("#next")
        page.wait_for_url("**/candidates*")
        page.goto(page.url.replace("/candidates", "/purpose"))
        assert page.is_checked("[name=recipient][value=inside]")
        assert page.input_value("#k") == "7"
        assert page.input_value("#smallest-class") == "4"
        person.close()
