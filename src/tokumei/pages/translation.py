"""Sentences of a report: a page that holds every language.

Its style sheet shows the one of `<html lang>`, and its script changes that.
"""

from __future__ import annotations

from typing import Any

from jinja2 import Environment
from markupsafe import Markup, escape

from tokumei.core.catalogs import available_languages
from tokumei.core.messages import Message
from tokumei.core.template_messages import language_names, use_catalogs


def use_all_languages(environment: Environment) -> None:
    """Give the templates of reports what writes every language."""
    use_catalogs(environment, write_sentence)
    environment.globals.update(
        t=write_spans, label=write_label, label_of=write_label_of, data_texts=write_data_texts
    )
    environment.globals.update(language_names=language_names)


def write_sentence(text: str, **values: Any) -> Markup:
    """A sentence of a template in every language."""
    return write_spans(Message(text, **values))


def write_spans(message: Message) -> Markup:
    """A sentence in every language, one beside the other."""
    return Markup().join(
        Markup('<span class="{0}" lang="{0}">{1}</span>').format(language, _unbroken(text))
        for language, text in message.texts().items()
    )


def write_label(text: str, **values: Any) -> Markup:
    """Attributes that name an element for whoever cannot see it."""
    return write_label_of(Message(text, **values))


def write_label_of(message: Message) -> Markup:
    """The same of a message."""
    texts = message.texts()
    attributes = (
        Markup('data-label-{}="{}"').format(language, text) for language, text in texts.items()
    )
    return Markup(" ").join([*attributes, Markup('aria-label="{}"').format(texts["en"])])


def write_data_texts(message: Message) -> Markup:
    """Attributes with which the page's script changes the text of an element."""
    return Markup(" ").join(
        Markup('data-{}="{}"').format(language, text) for language, text in message.texts().items()
    )


def language_styles() -> str:
    """Style rules that show of all languages the one of the page."""
    return "".join(
        f':root[lang="{shown}"] span.{hidden} {{ display: none; }}\n'
        for shown in available_languages()
        for hidden in available_languages()
        if shown != hidden
    )


def _unbroken(text: str) -> Markup:
    return escape(text.replace(" %", "\u00a0%"))
