"""Templates, asset addresses and message formatting for page servers."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib import resources
from urllib.parse import urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.requests import Request

from tokumei.core.messages import Language, Message


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
    environment.globals.update(w=Message, asset=lambda name: asset_address(home, name))
    environment.filters.update(sentence=format_sentence)
    return environment


def format_sentence(text: Message) -> str:
    """A message that stands alone: as a sentence, with its first letter and its end."""
    message = text.show()
    capitalized = message[:1].upper() + message[1:]
    return (
        capitalized
        if capitalized.endswith((".", "。", "!", "?", "？"))
        else capitalized + str(Message(".", "。"))
    )


@cache
def asset_address(home: str, name: str) -> str:
    """The end of an address of a style sheet or script; it changes when the file does."""
    data = resources.files(home).joinpath("static", name).read_bytes()
    return f"static/{name}?v={hashlib.sha256(data).hexdigest()[:12]}"
