"""Markdown of strangers: tables and emphasis, never a script, a picture or another's page."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokumei.apps.contest.web.markdown import first_line, prose

TAGS = {
    *("p", "strong", "em", "s", "code", "pre", "br", "hr", "a", "ul", "ol", "li", "blockquote"),
    *("math", "mrow", "mi", "mn", "mo", "mtext", "mspace", "mfrac", "msqrt"),
    *("msub", "msup", "msubsup", "munder", "mover", "munderover", "mroot", "mstyle"),
    *("mtable", "mtr", "mtd"),
    *("table", "thead", "tbody", "tr", "th", "td", "div", "h3", "h4", "h5", "h6"),
}


ATTRIBUTES = {"href", "rel", "title", "start", "class", "tabindex", "role"}
ATTRIBUTES |= {"display", "accent", "stretchy", "width", "fence", "form", "displaystyle"}
ATTRIBUTES |= {"scriptlevel", "movablelimits", "mathvariant", "minsize", "maxsize", "linethickness"}


class Seen(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str | None]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += attrs


def test_tables_lists_and_formulas():
    shown = prose("# Rules\n\n| a | b |\n|---|---:|\n| 1 | **2** |\n\n- $S = \\foo(s_1, s_2)$\n")
    assert "<h3>Rules</h3>" in shown
    assert "<td>1</td>" in shown
    assert '<td class="number"><strong>2</strong></td>' in shown
    assert '<code class="formula">S = \\foo(s_1, s_2)</code>' in shown


@pytest.mark.parametrize(
    ("formula", "shown"),
    [
        ("S = s_1", "<mi>S</mi><mo>=</mo><msub><mi>s</mi><mn>1</mn></msub>"),
        (r"\frac{h_a}{n}", "<mfrac><mrow><msub><mi>h</mi><mi>a</mi></msub></mrow><mrow><mi>n</mi>"),
        (r"\sum_{i=1}^{n}", "<msubsup><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow>"),
        (r"\arg\max_a s_a", "<mo>arg</mo>"),
        (r"50\% \{a\}", "<mi>%</mi>"),
        (r"x^2_i", "<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>"),
        (r"\alpha \le 0.5", "<mi>α</mi><mo>≤</mo><mn>0.5</mn>"),
        (r"\left(a*b*c\right]", '<mo stretchy="true" fence="true" form="prefix">(</mo><mi>a</mi>'),
        (r"\text{rows \& people}", None),
        (r"\text{people found}", "<mtext>people\N{NO-BREAK SPACE}found</mtext>"),
        ("a < b", "<mo>&lt;</mo>"),
        ("a_b_c", None),
        ("{" * 100 + "}" * 100, None),
        (r"\frac{1}", None),
        (r"\unknown{x}", None),
        ("a & b", None),
        (r"\href{/x}{y}", None),
        (r"\style{color:red}{x}", None),
        (r"\class{x}{y}", None),
        (r"\left(x", None),
        (r"\sqrt" * 50 + "x", None),
        (r"\text{<b>x</b>}", "<mtext>&lt;b&gt;x&lt;/b&gt;</mtext>"),
    ],
)
def test_formulas(formula, shown):
    made = prose(f"${formula}$")
    assert ("<math>" in made) == (shown is not None)
    assert shown is None or shown in made
    assert shown is not None or "<code" in made


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "![x](https://example.org/x.png)",
        "[x](javascript:alert(1))",
        "[x](JaVaScript:alert(1))",
        "[x](data:text/html,hi)",
        "[x](//example.org)",
        '<https://example.org/"onmouseover=alert(1)>',
        "$<script>$",
        r"$\text{<script>alert(1)</script>}$",
        r"$\text{&lt;script&gt;}$",
        r"$\href{javascript:alert(1)}{x}$",
        r"$\style{background:url(/x)}{x}$",
        r"$\color{red}{x}$",
    ],
)
def test_what_could_harm_is_shown_as_text(text):
    seen = Seen(prose(text))
    assert seen.tags <= TAGS
    for name, value in seen.attributes:
        assert name in ATTRIBUTES
        assert name != "href" or str(value).startswith(("http", "/", "#", "mailto:"))
        assert not str(value).startswith("//")


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="<>[]()!\"'`$*_|\n -#&;:/=abjsx^{}\\1", max_size=60))
def test_no_text_makes_other_tags(text):
    seen = Seen(prose(text))
    assert seen.tags <= TAGS
    assert {name for name, _ in seen.attributes} <= ATTRIBUTES


def test_a_picture_becomes_a_link_by_its_description():
    link = '<a href="/x.png" rel="noopener noreferrer nofollow">'
    assert f"<p>{link}the plan</a></p>" in prose("![the plan](/x.png)")
    assert f"<p>{link}/x.png</a></p>" in prose("![](/x.png)")
    assert prose("[![the plan](/p.png)](/x.png)").count("<a ") == 1


def test_the_first_line_has_no_marks():
    assert first_line("\n# **Good** `luck`\nto all\n\nmore") == "Good luck"
    assert first_line("[rules](/c/cup) changed\nnow") == "rules changed now"
    assert first_line("x" * 200).endswith("…")
    assert first_line("") == ""
