"""The secrets of a studio's address, kept in its home until somebody asks for new ones.

address = keep_address(home.folder, port=40123)
address.port, address.path, address.token, address.session
"""

from __future__ import annotations

import json
import secrets
from dataclasses import asdict, dataclass
from pathlib import Path

from tokumei.core.json_types import as_json_text
from tokumei.files.atomic_write import Output, write_all

ADDRESS_FILE = "address.json"


@dataclass(frozen=True, repr=False)
class SavedAddress:
    """Port, random path, token and session: with them a bookmark outlives the server."""

    port: int
    path: str
    token: str
    session: str


def read_address(folder: Path) -> SavedAddress | None:
    """The address of the studio before; None if there is none that can be read."""
    try:
        data = json.loads((folder / ADDRESS_FILE).read_text("utf-8"))
        address = SavedAddress(**data)
    except (OSError, ValueError, TypeError):
        return None
    texts = (address.path, address.token, address.session)
    whole = isinstance(address.port, int) and 0 < address.port < 65536
    return address if whole and all(isinstance(t, str) and len(t) >= 12 for t in texts) else None


def make_address(port: int) -> SavedAddress:
    """A new address; its secrets are from the operating system."""
    return SavedAddress(port, *(secrets.token_urlsafe(size) for size in (9, 24, 24)))


def save_address(folder: Path, address: SavedAddress) -> None:
    """Keep the address where only the owner may read it."""
    content = as_json_text(asdict(address)).encode()
    write_all([Output(folder / ADDRESS_FILE, lambda s: s.write(content), secret=True)])
