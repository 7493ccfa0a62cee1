"""Finds sentences that are put together from parts, in an order that only English has."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from jinja2 import nodes

_SIDE_BY_SIDE = re.compile(r"\}['\"”’]?[ \u00a0]+['\"“‘]?\{")
_PREDICATE = re.compile(r"(is|are|was|were|has|have) ")
_WORD_WITHOUT_COLON = re.compile(r"[^\W\d_]{2,}(?!\w*:)")
_TWO_WORDS = re.compile(r"\b[a-z]{2,} [a-z]{2,}\b")
_INLINE = re.compile(r"[ \u00a0]*(<(code|b|span class=\"name\")[^>]*>)?")
_WORD_AT_END = re.compile(r"\w$")


def explain_glued(text: str, context: str | None) -> str | None:
    """Why a sentence of the catalog is none by itself; None if it is one.

    A context tells translators what the placeholders are, or what a few words are about.
    """
    if context is not None:
        return None
    without_values = re.sub(r"\{[^{}]*\}", "", text)
    if _SIDE_BY_SIDE.search(text) and not re.search(r"\w", without_values):
        return "values side by side without a context"
    return "a sentence without its subject" if _PREDICATE.match(text) else None


def find_glued_code(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Lines of code that join shown messages with words or with each other."""
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr | ast.BinOp) and _joins_messages(node):
            yield node.lineno, "a shown message is joined with words or with another one"
        elif isinstance(node, ast.Call) and _is_verbatim_sentence(node):
            yield node.lineno, "Message.verbatim of words that could be translated"


def _joins_messages(node: ast.JoinedStr | ast.BinOp) -> bool:
    if isinstance(node, ast.BinOp) and not isinstance(node.op, ast.Add):
        return False
    parts = node.values if isinstance(node, ast.JoinedStr) else [node.left, node.right]
    parts = [part.value if isinstance(part, ast.FormattedValue) else part for part in parts]
    shown = sum(_is_shown(part) for part in parts)
    return shown > 1 or (shown == 1 and any(map(_has_words, parts)))


def _is_shown(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and _method(node) == "show"


def _method(call: ast.Call) -> str | None:
    return call.func.attr if isinstance(call.func, ast.Attribute) else None


def _has_words(node: ast.expr) -> bool:
    text = node.value if isinstance(node, ast.Constant) else None
    return isinstance(text, str) and bool(_WORD_WITHOUT_COLON.search(text))


def _is_verbatim_sentence(call: ast.Call) -> bool:
    literals = [
        part.value
        for argument in call.args
        for part in ast.walk(argument)
        if isinstance(part, ast.Constant) and isinstance(part.value, str)
    ]
    return _method(call) == "verbatim" and any(map(_TWO_WORDS.search, literals))


def find_glued_output(template: nodes.Template) -> Iterator[tuple[int, str]]:
    """Lines of a template where a message and a value, or two messages, make a sentence."""
    for output in template.find_all(nodes.Output):
        for before, between, after in zip(
            output.nodes, output.nodes[1:], output.nodes[2:], strict=False
        ):
            if isinstance(between, nodes.TemplateData) and _INLINE.fullmatch(between.data):
                first, second = _sentence_of(before), _sentence_of(after)
                is_begun = bool(first and _WORD_AT_END.search(first))
                if is_begun and not (second and second[:1].isupper()):
                    yield before.lineno, f"{first!r} goes on behind it"
                elif second and second[:1].islower():
                    yield after.lineno, f"{second!r} begins before it"


def _sentence_of(node: nodes.Node) -> str | None:
    if (
        isinstance(node, nodes.Call)
        and isinstance(node.node, nodes.Name)
        and node.node.name == "_"
        and node.args
        and isinstance(node.args[0], nodes.Const)
    ):
        return str(node.args[0].value)
    return None
