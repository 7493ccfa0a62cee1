"""Whose requests are counted together, and which bodies the API's gate leaves to the routes."""

from __future__ import annotations

import re
from collections.abc import Hashable

from starlette.types import Scope

from tokumei.http.rates import MOST_ASKERS, Rates

MOST_BODY = 64 << 10
UPLOADS = re.compile(rb"POST .*/(contests|submissions|targets/[^/]+/attacks)")


class Askers:
    """Requests of one account are counted together, others by the address they come from."""

    def __init__(self, rates: Rates) -> None:
        self._rates = rates
        self._accounts: dict[bytes, int] = {}
        """Whose tokens were valid, by the header they came in."""

    def require(self, scope: Scope) -> None:
        """TooMany if one asks too often.

        Only a header that was valid before counts: anybody can make up a new one each time. So
        whoever looks a token up tells `scope["remember"]` whose it is.
        """
        header: bytes = dict(scope["headers"]).get(b"authorization", b"")
        account, client = self._accounts.get(header), scope.get("client")
        asker: Hashable = ("account", account) if account is not None else client and client[0]
        self._rates.require(asker)
        scope["remember"] = lambda found: self._remember(header, found)

    def _remember(self, header: bytes, account: int) -> None:
        if len(self._accounts) >= MOST_ASKERS:
            self._accounts.clear()
        self._accounts[header] = account


def most_body(scope: Scope) -> int | None:
    """Uploads are read by their routes (forms.py), straight to disk."""
    told = f"{scope['method']} {scope['path']}".encode("utf-8", "surrogatepass")
    return None if UPLOADS.fullmatch(told) else MOST_BODY
