"""The page: k, columns and prices in a person's hands, the answer beside them."""

from __future__ import annotations

from functools import cache

from jinja2 import ChoiceLoader, Environment, PackageLoader
from markupsafe import Markup

from tokumei.core.text import Language, Text
from tokumei.price.service.desk import Desk, Limits
from tokumei.report.html import content_policy, environment, inert_json, template_source

TITLE = Text("What is this release worth?", "この匿名加工データの価値は？")


def render_page(desk: Desk, limits: Limits, lang: Language) -> str:
    """The page, opening in `lang`."""
    known = {
        "sessions": desk.sessions_json(),
        "prices": desk.prices_json(),
        "least_k": limits.least_k,
    }
    return (
        _environment()
        .get_template("price.html")
        .render(
            lang=lang,
            title=TITLE,
            uploads=limits.uploads,
            styles=Markup(template_source("report.css") + _source("price.css")),
            scripts=[Markup(script) for script in _scripts()],
            policy=page_policy(header=False),
            payload=Markup(inert_json(known)),
        )
    )


@cache
def page_policy(*, header: bool = True) -> str:
    """Our own scripts and our own service, and nothing else; frames only the header can forbid."""
    own = content_policy(_scripts()) + "; connect-src 'self'"
    return own + "; frame-ancestors 'none'" if header else own


def _scripts() -> list[str]:
    return [template_source("report.js"), _source("price.js")]


@cache
def _environment() -> Environment:
    shared = environment()
    ours = PackageLoader("tokumei.price.service", "templates")
    return shared.overlay(loader=ChoiceLoader([ours, shared.loader or ours]))


@cache
def _source(name: str) -> str:
    loader = _environment().loader
    assert loader is not None
    return loader.get_source(_environment(), name)[0].replace("\r", "")
