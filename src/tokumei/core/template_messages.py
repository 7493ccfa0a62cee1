"""Sentences in templates: Jinja's translation extension on our catalogs.

{{ _("Lost in {columns} columns", columns=columns|length) }}
"""

from __future__ import annotations

from collections.abc import Callable

from jinja2 import Environment

from tokumei.core.catalogs import available_languages
from tokumei.core.messages import Message

LANGUAGE_NAME = Message("English", context="name of this language, in this language")


def use_catalogs(environment: Environment, write: Callable[..., object]) -> None:
    """Give templates `_`; `write` gets the sentence, its values, and `plural` and `context`."""
    environment.add_extension("jinja2.ext.i18n")
    environment.globals.update(gettext=write, languages=available_languages)


def language_names() -> dict[str, str]:
    """Every language's own name."""
    return LANGUAGE_NAME.texts()
