r"""Formulas in the usual TeX as MathML, which browsers set by themselves.

    mathml(r"S = \max_a \frac{h_a}{n}")       # <math>…; None if it is not understood

latex2mathml reads them. It takes what it does not know as letters, and puts links, styles and marks
of HTML through as they are, so only what stands in the lists below is taken from it, and written
with everything escaped. Whatever else a formula holds, it is shown as it was written.
"""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element, tostring

from latex2mathml.converter import convert_to_element

DEPTH = 20
_PARTS = {"mfrac": 2, "mroot": 2, "msub": 2, "msup": 2, "munder": 2, "mover": 2}
_PARTS |= {"msubsup": 3, "munderover": 3}
"""How many parts an element must have."""
_ROWS = {"math", "mrow", "msqrt", "mstyle", "mtable", "mtr", "mtd", "mspace"}
_LEAVES = {"mi", "mn", "mo", "mtext"}
_ATTRIBUTES = {"display", "stretchy", "fence", "form", "accent", "width", "displaystyle"}
_ATTRIBUTES |= {
    "scriptlevel",
    "movablelimits",
    "mathvariant",
    "minsize",
    "maxsize",
    "linethickness",
}
_VALUE = re.compile(r"[a-z-]*|-?[0-9.]+(em|pt|%)?")
_ARG = re.compile(r"\\arg(?![A-Za-z])")
_LIMITS = re.compile(r"\\(max|min|sup|inf|lim)(?=\s*_)")
_NUMBERED = re.compile(r"&#x([0-9A-Fa-f]{5});")
_MARKED = re.compile(r"\\([%$&#_])")
_STRANGE = re.compile(r"[\\{}&_^#$%]")


def mathml(text: str, *, display: bool = False) -> str | None:
    """The formula as a `math` element."""
    if _depth(text) > DEPTH:
        return None
    try:
        found = convert_to_element(
            _prepared(text.strip(), display), display="block" if display else "inline"
        )
    except (Exception, RecursionError):  # noqa: BLE001 - its errors have no common base
        return None
    if not all(_known(one) for one in found.iter()):
        return None
    found.attrib = {"display": "block"} if display else {}
    return tostring(found, encoding="unicode", short_empty_elements=False)


def _prepared(text: str, display: bool) -> str:
    r"""The same formula with what latex2mathml does not know by itself: \arg, limits below \max."""
    known = _ARG.sub(r"\\operatorname{arg}", text)
    return _LIMITS.sub(r"\\\1\\limits", known) if display else known


def _depth(text: str) -> int:
    """How many braces are open at most."""
    depth = deepest = 0
    for mark in re.findall(r"\\.|[{}]", text):
        depth += {"{": 1, "}": -1}.get(mark, 0)
        deepest = max(deepest, depth)
    return deepest


def _known(element: Element) -> bool:
    """Whether an element may be shown."""
    if element.tag == "math":
        element.attrib.pop("xmlns", None)
    if not element.attrib.keys() <= _ATTRIBUTES or element.tail:
        return False
    if not all(_VALUE.fullmatch(value) for value in element.attrib.values()):
        return False
    if element.tag not in _LEAVES:
        parts = _PARTS.get(element.tag, len(element))
        return element.tag in {*_PARTS, *_ROWS} and len(element) == parts and not element.text
    return not len(element) and _read_text(element)


def _read_text(leaf: Element) -> bool:
    """Put characters in place of their numbers; False if the text holds what was not understood."""
    written = leaf.text or ""
    if found := _MARKED.fullmatch(written):
        leaf.tag, leaf.text = "mo", found[1]
        return True
    leaf.text = _NUMBERED.sub(lambda number: chr(int(number[1], 16)), written)
    brace = leaf.tag == "mo" and len(written) == 1
    return brace or not _STRANGE.search(_NUMBERED.sub("", written))
