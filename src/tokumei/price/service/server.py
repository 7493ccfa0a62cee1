"""Run the service on a port.

with listening("127.0.0.1", 8000) as taken:
    service_server(create_app(desk, limits), limits).run(sockets=[taken])
"""

from __future__ import annotations

from fastapi import FastAPI

from tokumei.http.serving import PatientConnection, Server, make_server
from tokumei.price.service.desk import Limits
from tokumei.price.service.refusals import error_json


def service_server(app: FastAPI, limits: Limits) -> Server:
    """A server that is ready to run on a listening socket."""

    class Connection(PatientConnection):
        head_seconds = limits.idle_seconds
        tells_late = True
        shape = staticmethod(error_json)

    return make_server(app, connection=Connection, idle_seconds=limits.idle_seconds)
