"""`tokumei price serve`: answers price queries over HTTP and on a page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from tokumei.apps.cli.printing_command import PrintingCommand, require_extra
from tokumei.core.command import option
from tokumei.core.errors import UsageError
from tokumei.core.messages import Message
from tokumei.core.option_parsing import split_names
from tokumei.core.shared_options import encoding_option, sep_option

if TYPE_CHECKING:
    from tokumei.apps.price.service.catalog import Catalog, Limits


@dataclass(frozen=True, kw_only=True)
class ServePrices(PrintingCommand):
    """Serve until stopped."""

    about: ClassVar = Message(
        "Answer price questions over HTTP: POST /v1/optimum gives the k-anonymous recoding that is "
        "worth most, GET /openapi.json describes the rest, and the page / shows value, choice and "
        "sample rows while k moves. Several --data become sessions named after their files, "
        "several --patterns price lists; the first one says which columns are counted. Listens on "
        "this machine only; there is no password."
    )
    examples: ClassVar = (
        "tokumei price serve --data people.csv --patterns prices.csv --port 8000",
    )

    data: list[str] = option("the people (may be repeated)")
    patterns: list[str] = option("price list: attribute,pattern,value,word,price (may be repeated)")
    columns: str | None = option("columns to count: a,b,c", default=None)
    host: str = option("address to listen on", default="127.0.0.1")
    port: int = option("0: any free port", least=0, most=65535, default=8000)
    allow_host: list[str] | None = option(
        "a further host name to answer for; * for any", default=None
    )
    seconds: float = option("longest search, in seconds", least=0.01, default=10.0)
    searches: int | None = option("searches at once", least=1, default=None)
    waiting: int = option("searches that may wait", least=0, default=64)
    least_k: int = option("smallest k to answer", least=2, default=2)
    uploads: bool = option("accept price lists by POST", default=True, negatable=True)
    sep: str | None = sep_option()
    encoding: str = encoding_option()

    def run(self, *, as_json: bool) -> int:
        """Run the command; return its exit code."""
        require_extra("fastapi", "uvicorn", extra="serve")
        from tokumei.apps.price.service.catalog import Limits

        limits = Limits(
            seconds=self.seconds, waiting=self.waiting, least_k=self.least_k, uploads=self.uploads
        )
        if self.searches is not None:
            limits = Limits(**{**vars(limits), "searches": self.searches})
        service = _open_service(
            self.data,
            self.patterns,
            split_names(self.columns) if self.columns else None,
            limits,
            self.sep,
            self.encoding,
        )
        _run_server(service, limits, self.host, self.port, self.allow_host or [], as_json)
        return 0


def _open_service(
    data: list[str],
    patterns: list[str],
    columns: Sequence[str] | None,
    limits: Limits,
    sep: str | None,
    encoding: str,
) -> Catalog:
    from tokumei.apps.cli.price.inputs import read_people, read_price_list
    from tokumei.apps.price.service.catalog import Catalog
    from tokumei.apps.price.session import PriceSession

    prices = [read_price_list(path, encoding=encoding) for path in patterns]
    sessions = {}
    for path in data:
        people = read_people(path, sep=sep, encoding=encoding)
        name = Path(path).name.partition(".")[0]
        sessions[name] = PriceSession(people, prices[0], columns=columns)
    if len(sessions) < len(data):
        raise UsageError(
            "two --data files have the same name; sessions are named after their files"
        )
    return Catalog(sessions, prices, limits)


def _run_server(
    service: Catalog, limits: Limits, host: str, port: int, allowed: list[str], as_json: bool
) -> None:
    from tokumei.apps.cli.console import print_json, print_note
    from tokumei.apps.http.server import (
        LOOPBACK_HOSTS,
        browser_address,
        log_to_stderr,
        open_listening_socket,
    )
    from tokumei.apps.price.service.app import create_app, make_service_server

    hosts = None if "*" in allowed else [*LOOPBACK_HOSTS, host, *allowed]
    app = create_app(service, limits, hosts=hosts)
    with open_listening_socket(host, port) as server_socket:
        address = browser_address(server_socket) + "/"
        if as_json:
            print_json({"ok": True, "address": address})
        print_note(Message("Open {address} (Ctrl+C ends)", address=address))
        if host not in LOOPBACK_HOSTS:
            print_note(
                Message("WARNING: anyone who reaches this address may ask; there is no password")
            )
        log_to_stderr()
        make_service_server(app, limits).run(sockets=[server_socket])
