"""What the tests split from test_history_page share."""

from __future__ import annotations

from html.parser import HTMLParser


class Outline(HTMLParser):
    """A page's tags, and the words of each language in it."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: dict[str, list[str]] = {"en": [], "ja": []}
        self._open: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag == "span":
            names = (dict(attrs).get("class") or "").split()
            self._open.append(next((name for name in names if name in self.words), ""))
            if self._open[-1]:
                self.words[self._open[-1]].append("")

    def handle_endtag(self, tag: str) -> None:
        if tag == "span":
            self._open.pop()

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1]:
            self.words[self._open[-1]][-1] += data

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attrs for name, attrs in self.tags if name == tag]
