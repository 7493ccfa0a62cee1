"""Faults of everyday use that a stranger met in a browser, each played again."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import pytest

from apps.studio.browser_helpers import sample
from apps.studio.served import Person, served

pytestmark = [pytest.mark.browser, pytest.mark.long]
PEOPLE = "".join(f"{20 + i % 40},{'MF'[i % 2]},{'ABC'[i % 3]}\n" for i in range(120))


def play_to_release(person: Person) -> Path:
    """Go on by the one button of each page; the folder that was written in the end."""
    for where in ("purpose", "candidates"):
        person.on(where)
    person.wait("[data-point]")
    person.wait(".job.running", "detached")
    person.on("attack")
    person.wait(".gate")
    person.on("release")
    if person.wait(".gate").get_attribute("data-verdict") != "fits":
        person.page.fill("#anyway", "a test")
    person.click("#next")
    return Path(person.wait("#written").inner_text())


@pytest.mark.parametrize(
    ("name", "content", "columns"),
    [
        ("cities.csv", b"city\n" + b"Paris\nRome\nOslo\n" * 20, ["city"]),
        ("people.jsonl", b'{"age": 31, "city": "Rome"}\n{"age": 42}\n' * 20, ["age", "city"]),
    ],
)
def test_one_column_and_json_lines_are_read(
    chromium: Any, tmp_path: Path, name: str, content: bytes, columns: list[str]
) -> None:
    data = tmp_path / name
    data.write_bytes(content)
    with served(tmp_path / "home") as studio:
        person = Person(chromium, studio.address)
        person.drop(data)
        shown = person.page.locator("th[data-column]").evaluate_all(
            "all => all.map(one => one.dataset.column)"
        )
        assert shown == columns
        person.close()


def test_reading_is_tried_before_it_is_kept(chromium: Any, tmp_path: Path) -> None:
    data = tmp_path / "list.csv"
    text = "".join(f"{20 + i}:Ōsaka {i % 5};x\n" for i in range(60))
    data.write_bytes(f"age:place;note\n{text}".encode())
    with served(tmp_path / "home") as studio:
        person = Person(chromium, studio.address, wide=390)
        page = person.page
        person.drop(data)
        page.click("#reading summary")
        page.select_option("#read-header", "none")
        person.wait("#tried table")
        page.select_option("#read-sep", "|")
        person.wait("#tried thead:not(:has(th + th))")
        assert page.input_value("#read-header") == "none"
        page.select_option("#read-sep", ";")
        page.select_option("#read-header", "1")
        person.wait("#tried thead:has(th:nth-child(2):last-child)")
        page.click("#reading-form button")
        person.wait("#tried", "detached")
        person.wait(".job.running", "detached")
        assert page.locator("th[data-column]").count() == 2
        page.click("#reading summary")
        assert page.input_value("#read-sep") == ";"
        person.close()


def test_a_question_about_dates_is_answered_in_place(chromium: Any, tmp_path: Path) -> None:
    data = tmp_path / "visits.csv"
    rows = "".join(f"{i % 9},0{1 + i % 9}/0{1 + i % 7}/2024\n" for i in range(90))
    data.write_text(f"ward,seen\n{rows}", encoding="utf-8")
    with served(tmp_path / "home") as studio:
        person = Person(chromium, studio.address)
        page = person.page
        person.drop(data)
        assert "--" not in page.inner_text("#questions")
        with page.expect_response(lambda given: given.request.method == "POST"):
            page.click('#questions [data-answer="dmy"]')
        page.goto(page.url)
        person.click("#reading summary")
        assert page.input_value("#read-dates") == "dmy"
        person.close()


def test_a_bookmark_outlives_the_server_until_the_address_is_made_anew(
    chromium: Any, tmp_path: Path
) -> None:
    data = sample(tmp_path / "customers.csv", "table", "--messy", "en", "--rows", "60")
    with served(tmp_path / "home") as studio:
        person = Person(chromium, studio.address)
        person.drop(data)
        bookmark = person.page.url
    with served(tmp_path / "home"):
        person.page.goto(bookmark)
        person.wait("#next")
    with served(tmp_path / "home", "--new-address") as studio:
        assert studio.base.rpartition("/")[2] not in bookmark
        person.context.close()


def test_secret_files_ask_and_have_names_of_their_own(chromium: Any, tmp_path: Path) -> None:
    data = tmp_path / "people.csv"
    data.write_text(f"age,sex,place\n{PEOPLE}", encoding="shift_jis")
    with served(tmp_path / "home", "--seconds", "1") as studio:
        person = Person(chromium, studio.address)
        page = person.page
        person.drop(data)
        folder = play_to_release(person)
        asked = list[str]()

        def answer(dialog: Any) -> None:
            asked.append(dialog.message)
            dialog.accept()

        page.on("dialog", answer)
        with page.expect_download() as public:
            page.click('a[href$="/file/releases/01-release.csv"]')
        assert not asked
        with page.expect_download() as secret:
            page.click('a[href$="/file/secret/01-release.csv"]')
        assert len(asked) == 1
        assert public.value.suggested_filename == "01-release.csv"
        assert secret.value.suggested_filename == "SECRET-01-release.csv"
        with page.expect_download() as excel:
            page.click('a[href*="form=excel"]')
        content = Path(excel.value.path()).read_bytes()
        assert content == b"\xef\xbb\xbf" + (folder / "releases/01-release.csv").read_bytes()
        person.close()


def test_projects_are_renamed_marked_and_carried(chromium: Any, tmp_path: Path) -> None:
    broken = tmp_path / "broken.csv"
    broken.write_bytes(b"a,b\n1,2\x00\n3,4\n")
    data = tmp_path / "people.csv"
    data.write_text(f"age,sex,place\n{PEOPLE}", encoding="utf-8")
    with served(tmp_path / "home", "--seconds", "1") as studio:
        person = Person(chromium, studio.address)
        page = person.page
        page.set_input_files("#file", broken)
        person.wait(".job.failed")
        page.goto(f"{studio.base}/")
        assert page.locator("[data-failed]").count() == 1
        person.drop(data)
        page.select_option('select[data-column="place"]', "drop")
        person.wait('th.drop[data-column="place"]')
        page.goto(f"{studio.base}/")
        page.click(".projects details summary >> nth=0")
        page.fill(".projects [name=name] >> nth=0", "Ward list")
        page.click(".projects form[action$=rename] button >> nth=0")
        page.wait_for_selector("text=Ward list")
        page.click(".projects details summary >> nth=0")
        with page.expect_download() as given:
            page.click("a[href$=portable] >> nth=0")
        carried = tmp_path / given.value.suggested_filename
        given.value.save_as(carried)
        assert {"project.yaml", "source/people.csv"} <= set(zipfile.ZipFile(carried).namelist())
        page.set_input_files("#file", carried)
        page.wait_for_url("**/look")
        person.wait('th.drop[data-column="place"]')
        person.close()


def test_decisions_are_undone_and_models_chosen_from_a_menu(chromium: Any, tmp_path: Path) -> None:
    data = tmp_path / "people.csv"
    rows = "".join(f"{20 + i % 40},{'MF'[i % 2]},{'ABC'[i % 3]},{i % 5}\n" for i in range(120))
    data.write_text(f"age,sex,place,illness\n{rows}", encoding="utf-8")
    with served(tmp_path / "home", "--seconds", "1") as studio:
        person = Person(chromium, studio.address)
        page = person.page
        person.drop(data)
        role = page.input_value('select[data-column="place"]')
        page.select_option('select[data-column="place"]', "drop")
        person.wait('th.drop[data-column="place"]')
        page.goto(page.url)
        page.click("#undo")
        person.wait(f'th.{role}[data-column="place"]')
        assert page.input_value('select[data-column="place"]') == role
        page.select_option('select[data-column="illness"]', "sensitive")
        person.wait('th.sensitive[data-column="illness"]')
        person.on("purpose")
        page.click("details:has(#k) summary")
        page.fill("#model-l", "2")
        person.on("candidates")
        person.wait("[data-point]")
        person.wait(".job.running", "detached")
        person.wait("details[id^=distributions] summary")
        page.click("details[id^=distributions] summary")
        assert page.locator(".distribution:visible").count() >= 3
        page.goto(page.url.partition("/candidates")[0] + "/purpose")
        page.click("details:has(#k) summary")
        assert page.input_value("#model-l") == "2"
        person.close()


def test_a_ledger_is_made_in_the_page(chromium: Any, tmp_path: Path) -> None:
    data = tmp_path / "people.csv"
    rows = "".join(f"P{i:03d},{20 + i % 40},{'MF'[i % 2]}\n" for i in range(120))
    data.write_text(f"id,age,sex\n{rows}", encoding="utf-8")
    with served(tmp_path / "home", "--seconds", "1") as studio:
        person = Person(chromium, studio.address)
        page = person.page
        person.drop(data)
        person.on("purpose")
        person.on("candidates")
        person.wait("[data-point]")
        person.wait(".job.running", "detached")
        person.on("attack")
        person.wait(".gate")
        person.on("release")
        page.wait_for_load_state("load")
        page.click("#ledger summary")
        page.fill("#ledger-folder", str(tmp_path / "ledger"))
        page.fill("#ledger-recipient", "A partner")
        page.click("#ledger [name=create]")
        assert "first release" in person.wait("#joint .lead").inner_text()
        person.close()
    assert (tmp_path / "ledger.key").stat().st_mode & 0o077 == 0
