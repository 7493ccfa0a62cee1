"""What a person reads or hears of an HTML page in one language, and where it stands.

    [*shown_texts(page, "qps")]       # [("title", "…"), ("main>p", "…"), ("button@title", "…"), …]

Of pages that hold all languages it gives one: elements, attributes and charts of others are left
out, as the page's style and script do it. Code, formulas and scripts are no sentences.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from html.parser import HTMLParser
from typing import Any

VOID = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track"}
)
NO_TEXT = frozenset({"code", "kbd", "math", "pre", "samp", "script", "style", "textarea", "var"})
SPOKEN = ("alt", "aria-label", "aria-description", "placeholder", "title", "content", "summary")
CHART_TEXTS = frozenset({"title", "text", "subtitle", "label", "labels", "header", "description"})
"""Keys of a Vega-Lite specification whose values are shown."""


class _Reader(HTMLParser):
    def __init__(self, language: str) -> None:
        super().__init__(convert_charrefs=True)
        self.language = language
        self.found: list[tuple[str, str]] = []
        self.open: list[tuple[str, bool]] = []
        """Names of the elements above, and whether what is in them is left out."""
        self.json = ""

    @property
    def is_hidden(self) -> bool:
        return bool(self.open) and self.open[-1][1]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        other = tag != "html" and given.get("lang", self.language) != self.language
        hidden = self.is_hidden or other or tag in NO_TEXT
        if not hidden or (tag == "textarea" and not self.is_hidden):
            self._add_attributes(tag, given)
        if tag not in VOID:
            text_of_script = f"data-{self.language}" in given
            self.open.append((tag, hidden or text_of_script))
        self.json = given.get("type", "") if tag == "script" else self.json

    def handle_endtag(self, tag: str) -> None:
        names = [name for name, _ in self.open]
        if tag in names:
            del self.open[len(names) - 1 - names[::-1].index(tag) :]
        if tag == "script":
            self.json = ""

    def handle_data(self, data: str) -> None:
        if self.json == "application/json":
            self.found += _texts_of_payload(json.loads(data), self.language)
        elif data.strip() and not self.is_hidden:
            place = ">".join(name for name, _ in self.open[-3:])
            self.found.append((place, " ".join(data.split())))

    def _add_attributes(self, tag: str, given: Mapping[str, str]) -> None:
        spoken = {name: given[name] for name in SPOKEN if name in given}
        if tag == "meta" and given.get("name") != "description":
            spoken.pop("content", None)
        if tag == "input" and given.get("type") in ("submit", "button", "reset"):
            spoken["value"] = given.get("value", "")
        if f"data-label-{self.language}" in given:
            spoken["aria-label"] = given[f"data-label-{self.language}"]
        if tag in ("title", "option"):
            spoken |= {"label": given["label"]} if "label" in given else {}
        for name, value in given.items():
            if name == f"data-{self.language}" or _is_said_by_script(name):
                spoken[name] = value
        self.found += [(f"{tag}@{name}", text) for name, text in spoken.items() if text.strip()]


def _is_said_by_script(name: str) -> bool:
    """Attributes in which servers keep what their scripts say."""
    return name in ("data-sending", "data-large", "data-copied", "data-confirm", "data-message")


def shown_texts(page: str, language: str) -> Iterator[tuple[str, str]]:
    """The texts with their places."""
    reader = _Reader(language)
    reader.feed(page)
    reader.close()
    yield from reader.found


def _texts_of_payload(value: Any, language: str, place: str = "data") -> Iterator[tuple[str, str]]:
    """Of what is kept by language, the one; of other data, nothing."""
    if isinstance(value, list):
        for number, part in enumerate(value):
            yield from _texts_of_payload(part, language, f"{place}[{number}]")
    elif isinstance(value, dict) and language in value:
        yield from _all_texts(value[language], place)
    elif isinstance(value, dict) and "en" in value and "ja" in value:
        yield place, f"nothing in this language: {value['en']}"
    elif isinstance(value, dict):
        for key, part in value.items():
            yield from _texts_of_payload(part, language, f"{place}.{key}")


def _all_texts(value: Any, place: str, *, is_shown: bool = True) -> Iterator[tuple[str, str]]:
    """A text, texts in a list, or those of a chart's specification that are shown."""
    if isinstance(value, str):
        if is_shown:
            yield place, value
    elif isinstance(value, list):
        for part in value:
            yield from _all_texts(part, place, is_shown=is_shown)
    elif isinstance(value, dict):
        for key, part in value.items():
            shown = key in CHART_TEXTS and not isinstance(part, dict)
            yield from _all_texts(part, f"{place}.{key}", is_shown=shown)
