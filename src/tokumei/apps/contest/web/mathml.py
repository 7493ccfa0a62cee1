r"""Converts TeX formulas to MathML.

    to_mathml(r"S = \max_a \frac{h_a}{n}")       # <math>…; None if it is not understood

latex2mathml reads them. It takes what it does not know as letters, and puts links, styles and marks
of HTML through as they are, so only what stands in the lists below is taken from it, and written
with everything escaped. Whatever else a formula holds, it is shown as it was written.
"""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element, tostring

from latex2mathml.converter import convert_to_element

MOST_DEPTH = 20
_CHILD_COUNTS = {"mfrac": 2, "mroot": 2, "msub": 2, "msup": 2, "munder": 2, "mover": 2}
_CHILD_COUNTS |= {"msubsup": 3, "munderover": 3}
"""How many parts an element must have."""
_CONTAINER_TAGS = {"math", "mrow", "msqrt", "mstyle", "mtable", "mtr", "mtd", "mspace"}
_LEAF_TAGS = {"mi", "mn", "mo", "mtext"}
_ALLOWED_ATTRIBUTES = {"display", "stretchy", "fence", "form", "accent", "width", "displaystyle"}
_ALLOWED_ATTRIBUTES |= {
    "scriptlevel",
    "movablelimits",
    "mathvariant",
    "minsize",
    "maxsize",
    "linethickness",
}
_ATTRIBUTE_VALUE = re.compile(r"[a-z-]*|-?[0-9.]+(em|pt|%)?")
_ARG_COMMAND = re.compile(r"\\arg(?![A-Za-z])")
_LIMIT_COMMANDS = re.compile(r"\\(max|min|sup|inf|lim)(?=\s*_)")
_CHARACTER_REFERENCE = re.compile(r"&#x([0-9A-Fa-f]{5});")
_ESCAPED_SIGN = re.compile(r"\\([%$&#_])")
_UNPARSED_TEX = re.compile(r"[\\{}&_^#$%]")


def to_mathml(text: str, *, display: bool = False) -> str | None:
    """The formula as a `math` element."""
    if _brace_depth(text) > MOST_DEPTH:
        return None
    try:
        math = convert_to_element(
            _prepare_tex(text.strip(), display), display="block" if display else "inline"
        )
    except (Exception, RecursionError):  # noqa: BLE001 - its errors have no common base
        return None
    if not all(_is_allowed_element(element) for element in math.iter()):
        return None
    math.attrib = {"display": "block"} if display else {}
    return tostring(math, encoding="unicode", short_empty_elements=False)


def _prepare_tex(text: str, display: bool) -> str:
    r"""The same formula with what latex2mathml does not know by itself: \arg, limits below \max."""
    prepared = _ARG_COMMAND.sub(r"\\operatorname{arg}", text)
    return _LIMIT_COMMANDS.sub(r"\\\1\\limits", prepared) if display else prepared


def _brace_depth(text: str) -> int:
    """How many braces are open at most."""
    depth = deepest = 0
    for mark in re.findall(r"\\.|[{}]", text):
        depth += {"{": 1, "}": -1}.get(mark, 0)
        deepest = max(deepest, depth)
    return deepest


def _is_allowed_element(element: Element) -> bool:
    """Whether an element may be shown."""
    if element.tag == "math":
        element.attrib.pop("xmlns", None)
    if not element.attrib.keys() <= _ALLOWED_ATTRIBUTES or element.tail:
        return False
    if not all(_ATTRIBUTE_VALUE.fullmatch(value) for value in element.attrib.values()):
        return False
    if element.tag not in _LEAF_TAGS:
        parts = _CHILD_COUNTS.get(element.tag, len(element))
        return (
            element.tag in {*_CHILD_COUNTS, *_CONTAINER_TAGS}
            and len(element) == parts
            and not element.text
        )
    return not len(element) and _decode_leaf_text(element)


def _decode_leaf_text(leaf: Element) -> bool:
    """Put characters in place of their numbers; False if the text holds what was not understood."""
    written = leaf.text or ""
    if escaped := _ESCAPED_SIGN.fullmatch(written):
        leaf.tag, leaf.text = "mo", escaped[1]
        return True
    leaf.text = _CHARACTER_REFERENCE.sub(lambda number: chr(int(number[1], 16)), written)
    brace = leaf.tag == "mo" and len(written) == 1
    return brace or not _UNPARSED_TEX.search(_CHARACTER_REFERENCE.sub("", written))
