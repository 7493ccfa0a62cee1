"""Where the server listens.

with listening("127.0.0.1", 8000) as taken:
    address_of(taken)                        # http://127.0.0.1:8000
"""

from __future__ import annotations

import errno
import socket

from tokumei.core.errors import UsageError
from tokumei.core.text import Text

LOOPBACK = ("127.0.0.1", "localhost", "::1")
WAITING = 1024
"""Connections that wait while the web process is started again."""


def listening(host: str, port: int) -> socket.socket:
    """A socket that takes connections; port 0 takes a free one."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=WAITING)
    except (OSError, OverflowError) as error:
        raise UsageError(_why(host, port, error)) from None


def _why(host: str, port: int, error: Exception) -> Text:
    if isinstance(error, OSError) and error.errno == errno.EADDRINUSE:
        return Text(
            f"port {port} of {host} is in use; choose another with --port (0: any free one)",
            f"{host} のポート {port} は使用中です。--port で別のポートを選んでください"
            " (0: 空きポート)",
        )
    reason = getattr(error, "strerror", None) or str(error)
    return Text(
        f"cannot listen on {host} port {port}: {reason}",
        f"{host} のポート {port} で待ち受けできません: {reason}",
    )


def address_of(taken: socket.socket) -> str:
    """What to open in a browser on this machine."""
    host, port = taken.getsockname()[:2]
    if host in ("0.0.0.0", "::"):
        host = "localhost"
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
