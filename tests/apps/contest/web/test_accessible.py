"""Every page can be read without eyes, used without a mouse, and carries nothing inline."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from apps.contest.web.accessible_helpers import DARK, LIGHT, PAGES
from apps.contest.web.html_tree import Node, parse
from apps.contest.web.scene import ATTACK, Scene, fault


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    scene = Scene.make(tmp_path_factory.mktemp("filled"))
    entries = {
        "first": scene.add_entry("aoi", scores=(0.5, 0.4)),
        "scored": scene.add_entry("aoi", label="k = 5", published=True),
        "queued": scene.add_entry("aoi", state="queued"),
        "rejected": scene.add_entry(
            "aoi", state="rejected", faults=[fault(n) for n in range(1, 80)]
        ),
        "target": scene.add_entry("chi", published=True),
    }
    scene.now = ATTACK
    scene.add_entry("aoi", target=entries["target"], at=ATTACK)
    scene.add_entry("chi", target=entries["scored"], at=ATTACK)
    yield scene, entries
    scene.close()


@pytest.mark.parametrize(("who", "path"), PAGES)
def test_a_page_is_accessible(filled, who, path):
    scene, entries = filled
    lang = ("en", "ja")[len(path) % 2]
    page = scene.browser(who, lang=lang).get(path.format(**entries)).text
    tree = parse(page)
    _require_frame(tree, lang)
    _require_names(tree)
    _require_references(tree)
    _require_nothing_inline(tree)
    _require_tables(tree)


def _require_frame(tree: Node, lang: str) -> None:
    assert tree.find("html")[0].get("lang") == lang
    assert tree.find("title")[0].text
    for name in ("header", "main", "footer", "h1"):
        assert len(tree.find(name)) == 1, name
    assert all(node.get("aria-label") for node in tree.find("nav"))
    assert tree.find("a")[0].get("href") == "#main"
    levels = [int(node.name[1]) for node in tree.find("h1", "h2", "h3", "h4")]
    assert levels[0] == 1
    steps = pairwise(levels)
    assert all(after - before <= 1 for before, after in steps), levels


def _require_names(tree: Node) -> None:
    labelled = {node.get("for") for node in tree.find("label")}
    for node in tree.find("input", "select", "textarea"):
        if node.get("type") != "hidden":
            assert node.get("id") in labelled, node.attributes
    for node in tree.find("button", "a", "summary"):
        assert node.text or node.get("aria-label"), node.attributes
    for node in tree.find("progress"):
        assert node.get("aria-label")
    for node in tree.find("svg", "img"):
        hidden = any(above.get("aria-hidden") == "true" for above in node.above())
        assert hidden or (node.get("role") == "img" and node.get("aria-labelledby"))
        assert hidden or (node.find("title") and node.find("desc"))


def _require_references(tree: Node) -> None:
    ids = [node.get("id") for node in tree.all() if node.has("id")]
    assert len(ids) == len(set(ids)), [name for name in ids if ids.count(name) > 1]
    for node in tree.all():
        for name in ("for", "aria-labelledby", "aria-describedby", "data-said", "data-copy"):
            assert set((node.get(name) or "").split()) <= set(ids), (name, node.get(name))


def _require_nothing_inline(tree: Node) -> None:
    assert not tree.find("style", "iframe", "object")
    for node in tree.all():
        assert not any(name == "style" or name.startswith("on") for name in node.attributes)
        for name in ("src", "href", "action"):
            target = node.get(name) or ""
            assert not re.match(r"(\w+:)|//", target), target
    assert all(not node.text for node in tree.find("script"))


def _require_tables(tree: Node) -> None:
    for table in tree.find("table"):
        assert table.parent is not None
        assert table.parent.get("tabindex") == "0", "it scrolls by keyboard"
        assert table.parent.get("aria-labelledby")
        assert all(node.get("scope") for node in table.find("th"))


TEXT_ON = [
    *[(text, "paper") for text in ("ink", "muted", "accent", "good", "mid", "bad")],
    *[(text, ground) for ground in ("wash", "tint") for text in ("ink", "muted", "accent")],
    ("good", "good-wash"),
    ("mid", "mid-wash"),
    ("bad", "bad-wash"),
    ("ink", "bad-wash"),
    *[("on-accent", ground) for ground in ("accent", "accent-dark", "bad", "bad-dark")],
    *[("on-heat" if level >= 4 else "ink", f"heat{level}") for level in range(6)],
]


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("text", "ground"), TEXT_ON)
def test_text_stands_out_from_its_ground(text, ground, colours):
    assert contrast(colours[text], colours[ground]) >= 4.5


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_fields_and_focus_stand_out(colours):
    assert contrast(colours["field"], colours["paper"]) >= 3
    assert contrast(colours["accent"], colours["paper"]) >= 3


def contrast(one: str, other: str) -> float:
    """WCAG's contrast of two colours."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
