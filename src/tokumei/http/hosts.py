"""For which hosts a server answers: a foreign page must not reach it under another name."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from starlette.types import Scope

from tokumei.core.text import Text
from tokumei.http.refusals import WrongHost


def only_for(hosts: Iterable[str] | None) -> Callable[[Scope], None]:
    """Refuses requests for other hosts (None: for any it answers)."""
    allowed = None if hosts is None else {host.lower() for host in hosts}

    def require(scope: Scope) -> None:
        named = dict(scope["headers"]).get(b"host", b"").decode("latin-1").lower()
        host = named.rpartition(":")[0] if named.rpartition(":")[2].isdecimal() else named
        if allowed is not None and host.strip("[]") not in allowed:
            raise WrongHost(
                Text(
                    "this service does not answer for that host; allow it with --allow-host",
                    "このホスト名には応答しません。--allow-host で許可できます",
                )
            )

    return require
