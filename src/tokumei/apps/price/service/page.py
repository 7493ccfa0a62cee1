"""Renders the page of the price service, which asks it by a script."""

from __future__ import annotations

from functools import cache

from markupsafe import Markup

from tokumei.apps.price.service.catalog import Catalog, Limits
from tokumei.core.language import Language
from tokumei.core.messages import Message
from tokumei.pages.html import (
    content_security_policy,
    script_messages,
    script_safe_json,
    template_environment,
    template_source,
)
from tokumei.pages.translation import language_styles

PACKAGE = "tokumei.apps.price.service"
PAGE_TITLE = Message("What is this release worth?")
PRICE_MESSAGES = {
    "proven": Message(
        "The data as they are would be worth {original}. No choice with groups of {k} or more is "
        "worth more than this."
    ),
    "out_of_time": Message(
        "The data as they are would be worth {original}. Time ran out: nothing can be worth more "
        "than {bound}."
    ),
    "proven_best": Message("proven best"),
    "best_so_far": Message("best so far"),
    "milliseconds": Message("ms", context="milliseconds"),
    "free": Message("free", context="what becomes of a column"),
    "stay": Message("keep", context="what becomes of a column"),
    "go": Message("delete", context="what becomes of a column"),
    "deleted": Message("deleted"),
    "original": Message("original", context="a pattern"),
    "words": Message("{words} words"),
    "fewer_words": Message("{before} → {after} words"),
    "share": Message("{share} of {whole}"),
    "people": Message("people", context="a number"),
    "unreachable": Message("The service does not answer."),
}
"""What the script says; it fills in the figures."""


def render_price_page(desk: Catalog, limits: Limits, lang: Language) -> str:
    """The page, opening in `lang`."""
    messages = {key: message.texts() for key, message in PRICE_MESSAGES.items()}
    payload = {
        "sessions": desk.sessions_json(),
        "prices": desk.prices_json(),
        "least_k": limits.least_k,
        "messages": {**script_messages(), **messages},
    }
    sheets = template_source("report.css") + template_source("price.css", PACKAGE)
    return (
        template_environment(PACKAGE)
        .get_template("price.html")
        .render(
            lang=lang,
            title=PAGE_TITLE,
            uploads=limits.uploads,
            styles=Markup(language_styles() + sheets),
            scripts=[Markup(script) for script in _page_scripts()],
            policy=page_policy(header=False),
            payload=Markup(script_safe_json(payload)),
        )
    )


@cache
def page_policy(*, header: bool = True) -> str:
    """Our own scripts and our own service, and nothing else; frames only the header can forbid."""
    policy = content_security_policy(_page_scripts()) + "; connect-src 'self'"
    return policy + "; frame-ancestors 'none'" if header else policy


def _page_scripts() -> list[str]:
    return [template_source("report.js"), template_source("price.js", PACKAGE)]
