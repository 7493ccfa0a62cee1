"""Templates, asset addresses and message formatting for page servers."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib import resources
from typing import Any
from urllib.parse import urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape
from starlette.requests import Request

from tokumei.apps.http.headers import language_tag
from tokumei.core.language import Language
from tokumei.core.messages import Message, as_sentence, join_messages
from tokumei.core.template_messages import language_names, use_catalogs


class PageRequest:
    """A request of a browser, whatever it is about."""

    request: Request

    def in_language(self, lang: Language) -> str:
        """The address of this page in another language; all else in it stays."""
        other_params = [
            param for param in self.request.query_params.multi_items() if param[0] != "lang"
        ]
        return "?" + urlencode([*other_params, ("lang", lang)])

    @property
    def is_script_request(self) -> bool:
        """Whether our own script sent this, and wants a short answer."""
        return self.request.headers.get("x-script") == "yes"


def make_template_environment(home: str) -> Environment:
    """The templates of a package, with what all pages use; `asset` is the end of an address."""
    environment = Environment(
        loader=PackageLoader(home, "templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    use_catalogs(environment, write_message)
    environment.globals.update(
        asset=lambda name: asset_address(home, name), language_names=language_names
    )
    environment.filters.update(
        sentence=format_sentence, language_tag=language_tag, joined=join_messages
    )
    return environment


def write_message(text: str, **values: Any) -> Message | Markup:
    """The `_` of templates: a message; if some of its values are markup, so is the whole."""
    pieces = {name: value for name, value in values.items() if isinstance(value, Markup)}
    if not pieces:
        return Message(text, **values)
    markup = escape(Message(text, **values | {name: f"\0{name}\0" for name in pieces}).show())
    for name, piece in pieces.items():
        markup = markup.replace(f"\0{name}\0", piece)
    return markup


def format_sentence(text: Message) -> str:
    """A message that stands alone: as a sentence, with its first letter and its end."""
    return as_sentence(text).show()


@cache
def asset_address(home: str, name: str) -> str:
    """The end of an address of a style sheet or script; it changes when the file does."""
    data = resources.files(home).joinpath("static", name).read_bytes()
    return f"static/{name}?v={hashlib.sha256(data).hexdigest()[:12]}"
