"""In a language whose every sentence has brackets and accents, nothing else may be said.

Words that are found were never translatable: write them as a `Message` (docs/translating.md). Names
that are the same in every language stand in `NAMES` of tests/support/bare_words.py, with a reason.
"""

from __future__ import annotations

import gettext
import json
import shutil
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest
from catalogs.pseudo_locale import mark_sentence

from support.bare_words import (
    Allowed,
    data_texts,
    describe_findings,
    find_bare,
    package_names,
)
from support.paper_texts import paper_texts
from support.pseudo_scene import FILES as SCENE_FILES
from support.pseudo_scene import (
    Ran,
    Scene,
    list_scene,
    make_locale,
    run_command,
    shared_folder,
    working_in,
)
from support.wrong_usage import FILES, list_wrong_usages, list_wrong_values
from tokumei.apps.cli.dispatch import list_commands

DEFECT = mark_sentence("a defect of Tokumei")[:-1]
FEWEST_ERRORS = 200
AS_JSON = (
    *("look", "check", "measure", "risk", "diagnose", "conform", "assess"),
    *("ledger show", "ledger check"),
)
"""Commands that are asked for their JSON, too."""


def look_at(
    runs: Iterable[Ran], allowed: Allowed, text_of: Callable[[Ran], str]
) -> Iterator[tuple[str, list[str]]]:
    """What commands said in plain words, and their defects."""
    for ran in runs:
        text = text_of(ran)
        yield ran.command, find_bare(text, allowed.with_texts(*ran.command.split()))
        if DEFECT in text:
            yield ran.command, [text]


def test_the_finder_finds_what_it_should() -> None:
    allowed = Allowed(frozenset({"age", "mondrian"}), ("Date of birth",))
    for bare in ("no rows", "No rows", "(no rows)", "'no rows'", "no rows.", "rows", "Rows:"):
        assert find_bare(bare, allowed) == [bare.strip("().':")]
        assert find_bare(f"⟦{mark_sentence('the file')}: {bare}⟧", allowed)
        assert find_bare(f"tokumei look x.csv\n{bare}", allowed)
        assert find_bare(f"  --qi A,B   {bare}", allowed)
        assert find_bare(f"│ age │ {bare} │", allowed)
    assert find_bare("tokumei look x.csv  # made by hand", allowed) == ["made by hand"]
    assert find_bare("the age of rows, no more", allowed) == ["the age of rows", "no more"]
    shown_as_it_is = (
        "age", "age, mondrian", "Date of birth", "aaaa aa", "--no-such option=none", "x.csv",
        "tokumei look customers.csv --out here", "`tokumei measure utility`", "k=required",
        "/tmp/no/rows https://example.org/no rows=2", "PASS", "S1", "甲 乙",
        mark_sentence("the file has no rows"), f"⟦{mark_sentence('k = 5: no rows')}⟧",
    )  # fmt: skip
    for text in shown_as_it_is:
        assert find_bare(text, allowed) == [], text


def test_every_sentence_of_the_language_is_marked(qps: str, tmp_path_factory) -> None:
    folder = make_locale(shared_folder(tmp_path_factory, "pseudo-locale"))
    catalog = gettext.translation("tokumei", folder, languages=[qps])
    assert catalog.gettext("no such file") == "⟦ñö śüċḧ fïḷë⟧"
    sentences = catalog._catalog  # type: ignore[attr-defined]
    assert len(sentences) > 4000
    plain = {text for key, text in sentences.items() if key and not text.startswith("⟦")}
    assert len(plain) < 10, plain


def test_help(qps: str) -> None:
    names = package_names()
    groups = {command.path[:length] for command in list_commands() for length in (0, 1, 2, 3)}
    pages = [run_command([*path, "--help"]) for path in sorted(groups)]
    pages += [run_command([*command.path, "--help-all"]) for command in list_commands()]
    assert not any(page.code for page in pages)
    found = describe_findings(look_at(pages, names, lambda page: page.out))
    assert not found, found


def test_what_commands_say(scene: Scene) -> None:
    runs = [ran for ran in scene.runs if "completion" not in ran.command]
    assert len(runs) > 60
    allowed = package_names().with_texts(
        *data_texts(scene.folder), *SCENE_FILES.values(), *paper_texts()
    )
    found = describe_findings(look_at(runs, allowed, lambda ran: ran.out + ran.err))
    assert not found, found


def test_commands_of_the_scene_do_what_they_should(scene: Scene) -> None:
    wrong = [ran for ran in scene.runs if ran.code != ran.expected]
    assert not wrong, "\n".join(f"{ran.command}: {ran.code}\n{ran.out}{ran.err}" for ran in wrong)


def collect_errors(scene: Scene, folder: Path, *, few: bool) -> dict[str, Ran]:
    """Different errors by their texts, made in a copy of the scene's folder."""
    shutil.copytree(scene.folder, folder)
    for name, text in {**FILES, "folder/readme": ""}.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    with working_in(folder):
        wrong = [*list_wrong_usages(few=few), *list_wrong_values(few=few)]
        return {ran.err: ran for ran in map(run_command, wrong) if ran.code and ran.err}


@pytest.mark.parametrize(
    "few", [pytest.param(True, id="few"), pytest.param(False, id="all", marks=pytest.mark.long)]
)
def test_errors(scene: Scene, tmp_path: Path, few: bool) -> None:
    errors = collect_errors(scene, tmp_path / "errors", few=few)
    assert len(errors) >= FEWEST_ERRORS
    assert not [text for text in errors if mark_sentence("Error") not in text]
    allowed = package_names().with_texts(*data_texts(tmp_path / "errors"), *FILES.values())
    found = describe_findings(look_at(errors.values(), allowed, lambda ran: ran.err))
    assert not found, found


def test_json_has_every_sentence_in_the_language(scene: Scene, qps: str) -> None:
    commands = [command for _, command in list_scene() if command.startswith(AS_JSON)]
    assert len(commands) > 10
    with working_in(scene.folder):
        for command in ["attack", *commands]:
            document = json.loads(run_command(f"{command} --json").out)
            assert [*_find_untranslated(document, qps)] == [], command


def _find_untranslated(value: object, language: str) -> Iterator[str]:
    """Texts in English beside which the same in the language is missing or the same."""
    if isinstance(value, list):
        for part in value:
            yield from _find_untranslated(part, language)
    elif isinstance(value, dict):
        for key, part in value.items():
            other = f"{key[:-2]}{language}"
            if key == "en" or key.endswith("_en"):
                if find_bare(str(part), Allowed()) and value.get(other) in (None, part):
                    yield f"{key}: {part}"
            else:
                yield from _find_untranslated(part, language)
