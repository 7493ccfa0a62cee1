"""What the site does to Japanese pages: their language, which decides the shapes of characters."""

from __future__ import annotations

from mkdocs.structure.pages import Page

WORDS = {'<html lang="en"': '<html lang="ja"', "Table of contents": "目次"}


def on_post_page(output: str, page: Page, **_: object) -> str:
    """The page as it is written; called by MkDocs."""
    if page.file.src_uri.endswith(".ja.md"):
        for english, japanese in WORDS.items():
            output = output.replace(english, japanese)
    return output
