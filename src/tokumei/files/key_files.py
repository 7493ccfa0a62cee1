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
            f"{path} exists; a key is never replaced, because what it made could not be made again",
            f"{path} は既にあります。以前のデータを再現できなくなるため、上書きしません",
        ) from None
    except OSError as error:
        raise UsageError(
            f"{path}: cannot be written: {translate_system_error(error).en}",
            f"{path}: 書き込めません: {translate_system_error(error).ja}",
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
            f"{path}: the key cannot be read: {reason.en}", f"{path}: 鍵を読めません: {reason.ja}"
        ) from None
    if stat.S_IMODE(mode) & 0o077:
        raise InputError(
            f"{path}: others may read this key; make it yours alone (chmod 600) if nobody did, "
            "or make a new one (tokumei key)",
            f"{path}: 鍵が他の利用者にも読める状態です。誰も読んでいなければ chmod 600 を実行し、"
            "そうでなければ新しい鍵を作ってください (tokumei key)",
        )
    if not _HEX_KEY.fullmatch(text):
        raise InputError(
            f"{path}: not a key: expected {2 * KEY_BYTES} hexadecimal digits (see tokumei key)",
            f"{path}: 鍵ではありません。16 進 {2 * KEY_BYTES} 桁が必要です (tokumei key 参照)",
        )
    return int(text, 16)


def resolve_seed(seed: int | None, key: AnyPath | None) -> int | None:
    """The seed that `--seed` or `--key` names."""
    if key is None:
        if seed is not None and seed > LARGEST_SEED:
            raise UsageError(
                f"--seed is at most {LARGEST_SEED}; for 256 random bits make a key (tokumei key)",
                f"--seed は {LARGEST_SEED} 以下です。256 ビットの鍵は tokumei key で作れます",
            )
        return seed
    if seed is not None:
        raise UsageError(
            "give --seed (for experiments) or --key (for publication), not both",
            "--seed (実験用) と --key (公開用) は同時に指定できません",
        )
    return read_key(key)
