"""Renders Markdown of organisers and teams as safe HTML.

    prose("| a | b |\n|---|---|\n| 1 | 2 |")     # a table that scrolls on a phone

CommonMark with tables. HTML in the text is shown, never run; links go to http, https, mail and this
site, and open without telling where from; pictures become links: pages load nothing from elsewhere.
Formulas stand between $ signs, or between $$ on lines of their own (`mathml.py`); what cannot be
set is shown as it is written.
"""

from __future__ import annotations

import re
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from markupsafe import Markup

from tokumei.apps.contest.web.mathml import to_mathml

ALLOWED_LINK = re.compile(r"(https?://|mailto:|/(?!/)|#)", re.IGNORECASE)
LINE_BREAKS = ("softbreak", "hardbreak")
FORMULA = re.compile(
    r"\$\$(?P<block>[^$`]{1,1000}?)\$\$|\$(?=\S)(?P<line>[^$`\n]{1,300}?)(?<=\S)\$(?!\d)"
)


def prose(text: str) -> Markup:
    """The text as HTML."""
    return Markup(_markdown_parser().render(text))


def first_line(text: str, most: int = 160) -> str:
    """How a text begins, without its marks."""
    for token in _markdown_parser().parse(text):
        words = (
            " " if child.type in LINE_BREAKS else child.content for child in token.children or ()
        )
        line = " ".join("".join(words).split())
        if line:
            return line if len(line) <= most else line[: most - 1] + "…"
    return ""


@cache
def _markdown_parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "breaks": True}).enable(
        ["table", "strikethrough"]
    )
    parser.add_render_rule("image", _render_image_as_link)
    parser.validateLink = lambda url: ALLOWED_LINK.match(url) is not None  # type: ignore[method-assign]
    parser.add_render_rule("table_open", _render_table)
    parser.add_render_rule("table_close", _render_table)
    parser.add_render_rule("th_open", _render_cell)
    parser.add_render_rule("td_open", _render_cell)
    parser.add_render_rule("link_open", _render_link)
    parser.add_render_rule("heading_open", _render_heading)
    parser.add_render_rule("heading_close", _render_heading)
    parser.inline.ruler.before("escape", "formula", _parse_formula)
    parser.add_render_rule("formula", _render_formula)
    return parser


def _render_table(
    self: RendererHTML, tokens: list[Token], index: int, options: OptionsDict, env: EnvType
) -> str:
    opening = '<div class="scroll" tabindex="0" role="region"><table>'
    return "</table></div>" if tokens[index].nesting < 0 else opening


def _render_cell(
    self: RendererHTML, tokens: list[Token], index: int, options: OptionsDict, env: EnvType
) -> str:
    """Alignment as a class: pages allow no styles inside."""
    right = "right" in str(tokens[index].attrGet("style") or "")
    return f"<{tokens[index].tag}" + (' class="number">' if right else ">")


def _render_link(
    self: RendererHTML, tokens: list[Token], index: int, options: OptionsDict, env: EnvType
) -> str:
    tokens[index].attrSet("rel", "noopener noreferrer nofollow")
    return str(self.renderToken(tokens, index, options, env))


def _render_image_as_link(
    self: RendererHTML, tokens: list[Token], index: int, options: OptionsDict, env: EnvType
) -> str:
    """A link to it, by its description; inside another link just that."""
    picture = tokens[index]
    description = Markup.escape(picture.content or picture.attrGet("src"))
    if sum(token.nesting for token in tokens[:index] if token.tag == "a"):
        return str(description)
    link = Token("link_open", "a", 1, attrs={"href": str(picture.attrGet("src"))})
    return f"{_render_link(self, [link], 0, options, env)}{description}</a>"


def _render_heading(
    self: RendererHTML, tokens: list[Token], index: int, options: OptionsDict, env: EnvType
) -> str:
    """Headings of a text stand below those of the page."""
    level = min(6, int(tokens[index].tag[1]) + 2)
    return f"</h{level}>\n" if tokens[index].nesting < 0 else f"<h{level}>"


def _parse_formula(state: StateInline, silent: bool) -> bool:
    """A formula where one begins, before anything in it means something else."""
    match = FORMULA.match(state.src, state.pos)
    if match is None:
        return False
    if not silent:
        token = state.push("formula", "", 0)
        token.content = match["line"] or match["block"]
        token.block = match["block"] is not None
    state.pos = match.end()
    return True


def _render_formula(
    self: RendererHTML, tokens: list[Token], index: int, options: OptionsDict, env: EnvType
) -> str:
    token = tokens[index]
    formula = to_mathml(token.content, display=token.block)
    return formula or f'<code class="formula">{Markup.escape(token.content)}</code>'
