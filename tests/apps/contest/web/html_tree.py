"""Just enough of a page's tree to ask about it.

for box in parse(page).find("input"): box.get("id")
"""

from __future__ import annotations

from collections.abc import Iterator
from html.parser import HTMLParser

VOID = {"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"}


class Node:
    """An element."""

    def __init__(self, name: str, attributes: dict[str, str | None], parent: Node | None) -> None:
        self.name, self.attributes, self.parent = name, attributes, parent
        self.children: list[Node | str] = []

    def get(self, name: str) -> str | None:
        return self.attributes.get(name)

    def has(self, name: str) -> bool:
        return name in self.attributes

    def all(self) -> Iterator[Node]:
        for child in self.children:
            if isinstance(child, Node):
                yield child
                yield from child.all()

    def find(self, *names: str) -> list[Node]:
        return [node for node in self.all() if node.name in names]

    def above(self) -> Iterator[Node]:
        node = self.parent
        while node is not None:
            yield node
            node = node.parent

    @property
    def text(self) -> str:
        return "".join(c if isinstance(c, str) else c.text for c in self.children).strip()


class _Builder(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.root = self._items_at_popularity = Node("document", {}, None)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        node = Node(tag, dict(attrs), self._items_at_popularity)
        self._items_at_popularity.children.append(node)
        if tag not in VOID:
            self._items_at_popularity = node

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._items_at_popularity.children.append(Node(tag, dict(attrs), self._items_at_popularity))

    def handle_endtag(self, tag: str) -> None:
        assert tag == self._items_at_popularity.name, (
            f"</{tag}> closes <{self._items_at_popularity.name}>"
        )
        assert self._items_at_popularity.parent is not None
        self._items_at_popularity = self._items_at_popularity.parent

    def handle_data(self, data: str) -> None:
        self._items_at_popularity.children.append(data)


def parse(page: str) -> Node:
    """The tree; fails where an element is not closed by its own end."""
    builder = _Builder()
    builder.feed(page)
    assert builder.root is builder._items_at_popularity, (
        f"<{builder._items_at_popularity.name}> is not closed"
    )
    return builder.root
