"""Tests of tokumei.apps.studio.server."""

from __future__ import annotations

import socket
from pathlib import Path

from tokumei.apps.studio.server import _keep_access, _listen
from tokumei.apps.studio.store.home import StudioHome
from tokumei.apps.studio.store.saved_address import read_address


def test_the_address_is_that_of_the_last_time_unless_its_port_is_taken(tmp_path: Path) -> None:
    home = StudioHome.open(tmp_path / "home")
    with _listen(0, None) as first:
        port = first.getsockname()[1]
        access = _keep_access(home, port, None)
        saved = read_address(home.folder)
        with _listen(0, saved) as other:
            moved = _keep_access(home, other.getsockname()[1], saved)
    assert moved.port != access.port
    assert (moved.base, moved.token, moved.session) == (access.base, access.token, access.session)
    assert isinstance(first, socket.socket)
