"""What servers of pages share: templates, addresses of assets, messages as sentences."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib import resources
from urllib.parse import urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.requests import Request

from tokumei.core.text import Language, Text


class Looking:
    """A request of a browser, whatever it is about."""

    request: Request

    def in_language(self, lang: Language) -> str:
        """The address of this page in another language; all else in it stays."""
        kept = [one for one in self.request.query_params.multi_items() if one[0] != "lang"]
        return "?" + urlencode([*kept, ("lang", lang)])

    @property
    def by_script(self) -> bool:
        """Whether our own script sent this, and wants a short answer."""
        return self.request.headers.get("x-script") == "yes"


def templates_of(home: str) -> Environment:
    """The templates of a package, with what all pages use; `asset` is the end of an address."""
    made = Environment(
        loader=PackageLoader(home, "templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    made.globals.update(w=Text, asset=lambda name: asset(home, name))
    made.filters.update(sentence=sentence)
    return made


def sentence(text: Text) -> str:
    """A message that stands alone: as a sentence, with its first letter and its end."""
    shown = text.show()
    whole = shown[:1].upper() + shown[1:]
    return whole if whole.endswith((".", "。", "!", "?", "？")) else whole + str(Text(".", "。"))


@cache
def asset(home: str, name: str) -> str:
    """The end of an address of a style sheet or script; it changes when the file does."""
    data = resources.files(home).joinpath("static", name).read_bytes()
    return f"static/{name}?v={hashlib.sha256(data).hexdigest()[:12]}"
