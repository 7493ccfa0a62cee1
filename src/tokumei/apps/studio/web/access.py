"""Access control: only the person who started the studio, only from its own pages.

    access = Access.fresh(port=40123)
    access.first_address              # for the browser: with the token
    access.require(scope)             # refuses what others ask

A random path stands before every address, and the cookie is bound to it: cookies do not know
ports, so that another server on this machine would otherwise be sent ours. Requests under another
name of this machine (DNS rebinding), from a page of another origin, or without the cookie are
refused; what changes something must say that it comes from here.
"""

from __future__ import annotations

from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie

from starlette.responses import HTMLResponse, Response
from starlette.types import Scope

from tokumei.apps.http.errors import Forbidden, MisdirectedRequest, NotFound
from tokumei.apps.http.headers import SECONDS_PER_YEAR
from tokumei.apps.http.signing import tokens_equal
from tokumei.apps.studio.store.saved_address import SavedAddress, make_address
from tokumei.core.messages import Message

SESSION_COOKIE = "tokumei-studio"
LOOPBACK_HOST = "127.0.0.1"
SAFE_METHODS = ("GET", "HEAD")
FOREIGN_REQUEST = Message("this request came from another page; it was refused")
ENTER_FIRST = Message("open the address that the command `tokumei studio` printed")
_REDIRECT_PAGE = (
    '<!doctype html><meta charset="utf-8"><title>Tokumei</title>'
    '<meta http-equiv="refresh" content="0;url={to}"><p><a href="{to}">Tokumei studio</a></p>'
)


@dataclass(frozen=True, repr=False)
class StudioAccess:
    """The secrets of a studio's address."""

    port: int
    base: str
    token: str
    session: str

    @classmethod
    def fresh(cls, port: int) -> StudioAccess:
        """New secrets from the operating system."""
        return cls.of(make_address(port))

    @classmethod
    def of(cls, address: SavedAddress) -> StudioAccess:
        """The access of an address that was kept."""
        return cls(address.port, f"/{address.path}", address.token, address.session)

    @property
    def origin(self) -> str:
        """What browsers call this server."""
        return f"http://{LOOPBACK_HOST}:{self.port}"

    @property
    def first_address(self) -> str:
        """What the person opens; only they are told."""
        return f"{self.origin}{self.base}/enter?token={self.token}"

    def require_own_request(self, scope: Scope) -> None:
        """Refuse a request that is not from the person's own pages here."""
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        if headers.get(b"host", "") != f"{LOOPBACK_HOST}:{self.port}":
            raise MisdirectedRequest("this server has another name")
        if not scope["path"].startswith(f"{self.base}/"):
            raise NotFound
        if scope["path"] == f"{self.base}/enter" and scope["method"] in SAFE_METHODS:
            return
        self._require_same_origin(scope["method"], headers)
        if not tokens_equal(_session_cookie(headers.get(b"cookie", "")), self.session):
            raise Forbidden(ENTER_FIRST)

    def _require_same_origin(self, method: str, headers: dict[bytes, str]) -> None:
        origin, site = headers.get(b"origin"), headers.get(b"sec-fetch-site", "none")
        foreign_origin = origin is not None and origin != self.origin
        if foreign_origin or site not in ("none", "same-origin"):
            raise Forbidden(FOREIGN_REQUEST)
        if method not in SAFE_METHODS and origin != self.origin:
            raise Forbidden(FOREIGN_REQUEST)

    def enter(self, token: str) -> Response:
        """Take the token for a cookie, and go on to the first page."""
        if not tokens_equal(token, self.token):
            raise Forbidden(ENTER_FIRST)
        # By a page of ours, not a redirect: after one, a strict cookie would stay at home.
        response = HTMLResponse(_REDIRECT_PAGE.format(to=f"{self.base}/"))
        response.set_cookie(
            SESSION_COOKIE,
            self.session,
            SECONDS_PER_YEAR,  # a bookmark works until the address is made anew
            path=f"{self.base}/",
            httponly=True,
            samesite="strict",
        )
        return response


def _session_cookie(header: str) -> str:
    try:
        cookie = SimpleCookie(header).get(SESSION_COOKIE)
    except CookieError:
        return ""
    return "" if cookie is None else cookie.value
