"""The vault, which only workers open: uploads, links of releases, and salts.

    vault = Vault.open(home / "vault")
    vault.take(home.inbox, entry_id, sha256)      # from the inbox, verified
    vault.commitments(entry_id, public, truth)    # SHA-256 of salt + content, salts kept here

A(T) beside T is the truth too, so uploads are kept here and never handed out.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tokumei.apps.contest.store.file_store import FileStore, Inbox, sha256_hex, write_file
from tokumei.core.errors import InputError

_VAULT_FOLDERS = ("uploads", "truth", "salts", "work")
SALT_BYTES = 32


@dataclass(frozen=True)
class Vault:
    """The folder that the web process cannot read."""

    folder: Path

    @classmethod
    def open(cls, folder: Path) -> Vault:
        """Open it, made first if need be: only its owner may look in."""
        for path in (folder, *(folder / name for name in _VAULT_FOLDERS)):
            path.mkdir(mode=0o700, exist_ok=True)
        return cls(folder)

    @property
    def uploads(self) -> FileStore:
        """Uploads by content."""
        return FileStore(self.folder / "uploads", secret=True)

    @property
    def work_folder(self) -> Path:
        """Where judgements write what they find."""
        return self.folder / "work"

    def take(self, inbox: Inbox, entry_id: str, sha256: str) -> Path:
        """Where an entry's upload is, taken from the inbox if it is still there."""
        path = self.uploads.path(sha256)
        if not path.is_file():
            with suppress(FileNotFoundError):
                data = inbox.path(entry_id).read_bytes()
                if sha256_hex(data) != sha256:
                    raise InputError(
                        "the upload of entry {entry_id} changed after it was received",
                        entry_id=entry_id,
                    )
                self.uploads.put(data)
        if not path.is_file():
            raise InputError("the upload of entry {entry_id} is missing", entry_id=entry_id)
        inbox.discard(entry_id)
        return path

    def truth_path(self, entry_id: str) -> Path:
        """Where a release's truth is."""
        return self.folder / "truth" / entry_id

    def keep_truth(self, entry_id: str, truth: bytes) -> None:
        """Keep the truth of a release."""
        write_file(self.truth_path(entry_id), truth, secret=True)

    def commitments(self, entry_id: str, public: bytes, truth: bytes) -> dict[str, str]:
        """What is published of a release before its truth may be known; asked again, the same."""
        salts = self.salts(entry_id)
        return {
            "public_commitment": _salted_hash(salts["public"], public),
            "truth_commitment": _salted_hash(salts["truth"], truth),
        }

    def sketch_key(self) -> bytes:
        """The key of sketches; made once, whoever asks first."""
        return bytes.fromhex(self._load_or_create_secrets("sketches", "key")["key"])

    def salts(self, entry_id: str) -> dict[str, str]:
        """An entry's salts in hexadecimal."""
        return self._load_or_create_secrets(entry_id, "public", "truth")

    def _load_or_create_secrets(self, name: str, *parts: str) -> dict[str, str]:
        """Secrets in hexadecimal; made once, whoever asks first."""
        path = self.folder / "salts" / f"{name}.json"
        if not path.is_file():
            new_secrets = {part: secrets.token_hex(SALT_BYTES) for part in parts}
            _write_once(path, json.dumps(new_secrets).encode())
        stored_secrets: dict[str, str] = json.loads(path.read_bytes())
        return stored_secrets


def _salted_hash(salt: str, data: bytes) -> str:
    return hashlib.sha256(bytes.fromhex(salt) + data).hexdigest()


def _write_once(path: Path, data: bytes) -> None:
    """Like write_file, but what is there already stays: of two workers, the first wins."""
    draft = path.with_name(f".{secrets.token_hex(8)}.draft")
    try:
        write_file(draft, data, secret=True)
        with suppress(FileExistsError):
            os.link(draft, path)
    finally:
        draft.unlink(missing_ok=True)
