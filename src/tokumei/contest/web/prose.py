"""Markdown of organisers and teams as safe HTML.

    prose("| a | b |\n|---|---|\n| 1 | 2 |")     # a table that scrolls on a phone

CommonMark with tables. HTML in the text is shown, never run; links go to http, https, mail and this
site, and open without telling where from; pictures become links: pages load nothing from elsewhere.
Formulas stand between $ signs, or between $$ on lines of their own (`mathml.py`); what cannot be
set is shown as it is written.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markupsafe import Markup

from tokumei.contest.web.mathml import mathml

LINK = re.compile(r"(https?://|mailto:|/(?!/)|#)", re.IGNORECASE)
BREAKS = ("softbreak", "hardbreak")
FORMULA = re.compile(
    r"\$\$(?P<block>[^$`]{1,1000}?)\$\$|\$(?=\S)(?P<line>[^$`\n]{1,300}?)(?<=\S)\$(?!\d)"
)


def prose(text: str) -> Markup:
    """The text as HTML."""
    return Markup(_parser().render(text))


def first_line(text: str, most: int = 160) -> str:
    """How a text begins, without its marks."""
    for token in _parser().parse(text):
        words = (" " if one.type in BREAKS else one.content for one in token.children or ())
        line = " ".join("".join(words).split())
        if line:
            return line if len(line) <= most else line[: most - 1] + "…"
    return ""


@cache
def _parser() -> MarkdownIt:
    made = MarkdownIt("commonmark", {"html": False, "breaks": True}).enable(
        ["table", "strikethrough"]
    )
    made.add_render_rule("image", _picture)
    made.validateLink = lambda url: LINK.match(url) is not None  # type: ignore[method-assign]
    made.add_render_rule("table_open", _table)
    made.add_render_rule("table_close", _table)
    made.add_render_rule("th_open", _cell_open)
    made.add_render_rule("td_open", _cell_open)
    made.add_render_rule("link_open", _link_open)
    made.add_render_rule("heading_open", _heading)
    made.add_render_rule("heading_close", _heading)
    made.inline.ruler.before("escape", "formula", _formula)
    made.add_render_rule("formula", _shown_formula)
    return made


def _table(self: Any, tokens: list[Token], place: int, options: Any, env: Any) -> str:
    opening = '<div class="scroll" tabindex="0" role="region"><table>'
    return "</table></div>" if tokens[place].nesting < 0 else opening


def _cell_open(self: Any, tokens: list[Token], place: int, options: Any, env: Any) -> str:
    """Alignment as a class: pages allow no styles inside."""
    right = "right" in str(tokens[place].attrGet("style") or "")
    return f"<{tokens[place].tag}" + (' class="number">' if right else ">")


def _link_open(self: Any, tokens: list[Token], place: int, options: Any, env: Any) -> str:
    tokens[place].attrSet("rel", "noopener noreferrer nofollow")
    return str(self.renderToken(tokens, place, options, env))


def _picture(self: Any, tokens: list[Token], place: int, options: Any, env: Any) -> str:
    """A link to it, by its description; inside another link just that."""
    picture = tokens[place]
    shown = Markup.escape(picture.content or picture.attrGet("src"))
    if sum(token.nesting for token in tokens[:place] if token.tag == "a"):
        return str(shown)
    link = Token("link_open", "a", 1, attrs={"href": str(picture.attrGet("src"))})
    return f"{_link_open(self, [link], 0, options, env)}{shown}</a>"


def _heading(self: Any, tokens: list[Token], place: int, options: Any, env: Any) -> str:
    """Headings of a text stand below those of the page."""
    level = min(6, int(tokens[place].tag[1]) + 2)
    return f"</h{level}>\n" if tokens[place].nesting < 0 else f"<h{level}>"


def _formula(state: StateInline, silent: bool) -> bool:
    """A formula where one begins, before anything in it means something else."""
    found = FORMULA.match(state.src, state.pos)
    if found is None:
        return False
    if not silent:
        token = state.push("formula", "", 0)
        token.content = found["line"] or found["block"]
        token.block = found["block"] is not None
    state.pos = found.end()
    return True


def _shown_formula(self: Any, tokens: list[Token], place: int, options: Any, env: Any) -> str:
    token = tokens[place]
    shown = mathml(token.content, display=token.block)
    return shown or f'<code class="formula">{Markup.escape(token.content)}</code>'
