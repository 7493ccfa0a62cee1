"""Key files: 256 random bits, with which only their owner can make a release again.

write_key("release.key")            # mode 0600; an existing file is never replaced
rng = Randomness(read_key("release.key"))
"""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path

from tokumei.core.error_translation import translate_system_error
from tokumei.core.errors import InputError, UsageError
from tokumei.core.provenance import KEY_BYTES, LARGEST_SEED
from tokumei.files.file_formats import AnyPath

_HEX_KEY = re.compile(rf"[0-9a-f]{{{2 * KEY_BYTES}}}")


def write_key(path: AnyPath) -> None:
    """A new key from the operating system, readable by its owner alone from the first byte."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise UsageError(
            "{path} exists; a key is never replaced, because what it made could not be made again",
            path=path,
        ) from None
    except OSError as error:
        raise UsageError(
            "{path}: cannot be written: {reason}", path=path, reason=translate_system_error(error)
        ) from None
    with os.fdopen(descriptor, "w") as file:
        file.write(os.urandom(KEY_BYTES).hex() + "\n")
        file.flush()
        os.fsync(file.fileno())


def read_key(path: AnyPath) -> int:
    """The key in a file, which nobody but its owner may be able to read."""
    try:
        mode = Path(path).stat().st_mode
        text = Path(path).read_text("ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = translate_system_error(error)
        raise InputError(
            "{path}: the key cannot be read: {reason}", path=path, reason=reason
        ) from None
    if stat.S_IMODE(mode) & 0o077:
        raise InputError(
            "{path}: others may read this key; make it yours alone (chmod 600) if nobody did, or "
            "make a new one (tokumei key)",
            path=path,
        )
    if not _HEX_KEY.fullmatch(text):
        raise InputError(
            "{path}: not a key: expected {digits} hexadecimal digits (see tokumei key)",
            path=path,
            digits=2 * KEY_BYTES,
        )
    return int(text, 16)


def resolve_seed(seed: int | None, key: AnyPath | None) -> int | None:
    """The seed that `--seed` or `--key` names."""
    if key is None:
        if seed is not None and seed > LARGEST_SEED:
            raise UsageError(
                "--seed is at most {most}; for 256 random bits make a key (tokumei key)",
                most=LARGEST_SEED,
            )
        return seed
    if seed is not None:
        raise UsageError("give --seed (for experiments) or --key (for publication), not both")
    return read_key(key)
