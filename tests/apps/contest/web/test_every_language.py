"""Pages are written in every language that has a catalog; no sentence of theirs is left out."""

from __future__ import annotations

import re

import pytest
from catalogs.pseudo_locale import PSEUDO_LANGUAGE, write_pseudo_locale

from apps.contest.web.accessible_helpers import PAGES
from apps.contest.web.html_tree import Node, parse
from apps.contest.web.scene import ATTACK, Scene, fault
from tokumei.core.language import language_context

MORE_PAGES = [
    ("org", "/c/cup/console/audit?what=team."),
    ("org", "/c/cup/console/collusion"),
    ("org", "/c/cup/console/files"),
    ("org", "/c/cup/console/organisers"),
    ("org", "/c/cup/console/settings"),
    ("org", "/c/cup/news"),
    ("aoi", "/c/cup/news"),
    ("aoi", "/c/cup/attacks/{attack}"),
    (None, "/reset"),
]
NO_TEXT = {"en": "", "ja": ""}
PLAIN_WORD = re.compile("[A-Za-z]{3,}")
SPOKEN_ATTRIBUTES = ("aria-label", "placeholder", "data-sending", "data-large", "data-copied")
NOT_OURS = {
    *("Tokumei", "UTC", "SHA", "Autumn", "Cup", "cup", "pws"),
    *("aoi", "ben", "chi", "dan", "org", "Kumo"),
    *("csv", "yaml", "contest", "data", "known", "master", "original", "answers"),
    *("same", "item", "day", "and", "price", "purchase", "date"),
}
"""Names of people, files, keys, columns and attacks."""


@pytest.fixture(scope="module")
def scene(tmp_path_factory):
    folder = tmp_path_factory.mktemp("locales")
    write_pseudo_locale(folder)
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("TOKUMEI_LOCALES", str(folder))
        made = Scene.make(tmp_path_factory.mktemp("filled"), about=NO_TEXT)
        yield made
        made.close()


@pytest.fixture(scope="module")
def entries(scene):
    with language_context(PSEUDO_LANGUAGE):
        entries = {
            "first": scene.add_entry("aoi", scores=(0.5, 0.4)),
            "scored": scene.add_entry("aoi", label="匿名", published=True),
            "queued": scene.add_entry("aoi", state="queued"),
            "rejected": scene.add_entry("aoi", state="rejected", faults=[fault(1, en="?")]),
            "target": scene.add_entry("chi", published=True),
        }
        scene.now = ATTACK
        entries["attack"] = scene.add_entry("aoi", target=entries["target"], at=ATTACK)
        scene.add_entry("chi", target=entries["scored"], at=ATTACK)
    return entries


@pytest.mark.parametrize(("who", "path"), [*PAGES, *MORE_PAGES])
def test_no_sentence_of_a_page_is_outside_the_catalogs(scene, entries, who, path):
    page = scene.browser(who, lang=PSEUDO_LANGUAGE).get(path.format(**entries)).text
    tree = parse(page)
    assert tree.find("html")[0].get("lang") == PSEUDO_LANGUAGE
    assert "⟦" in page
    assert _unmarked_words(tree) - NOT_OURS == set()


def test_every_language_is_offered_by_its_own_name_and_kept(scene):
    browser = scene.browser(lang="fr")
    page = parse(browser.get("/").text)
    assert page.find("html")[0].get("lang") == "en"
    links = [node for node in page.find("a") if node.has("hreflang")]
    assert [(node.get("hreflang"), node.get("href")) for node in links] == [
        ("en", "?lang=en"),
        ("ja", "?lang=ja"),
        (PSEUDO_LANGUAGE, f"?lang={PSEUDO_LANGUAGE}"),
    ]
    assert [node.text for node in links[:2]] == ["English", "日本語"]
    assert [node.get("aria-current") for node in links] == ["true", None, None]
    browser.get(f"/?lang={PSEUDO_LANGUAGE}")
    assert parse(browser.get("/login").text).find("html")[0].get("lang") == PSEUDO_LANGUAGE


def test_a_note_is_told_in_the_language_of_its_page(scene):
    browser = scene.browser("aoi")
    browser.send("/c/cup/team", do="rename", name="Yoru")
    assert "チーム名を「Yoru」にしました。" in browser.get("/c/cup/team?lang=ja").text


def _unmarked_words(tree: Node) -> set[str]:
    texts = [text for node in tree.all() if not _is_code(node) for text in _own_texts(node)]
    return set(PLAIN_WORD.findall(" ".join(texts)))


def _own_texts(node: Node) -> list[str]:
    attributes = [node.get(name) or "" for name in SPOKEN_ATTRIBUTES]
    children = [child for child in node.children if isinstance(child, str)]
    return [*attributes, *children]


def _is_code(node: Node) -> bool:
    """Code, and what the page says to be in another language."""
    around = [node, *node.above()]
    return any(
        above.name in ("code", "script", "style")
        or (above.name != "html" and above.get("lang") not in (None, PSEUDO_LANGUAGE))
        for above in around
    )
