"""Released texts in the encoding that the program which opens them expects.

The release itself is UTF-8, and its manifest tells of that file; these are copies for a download.
"""

from __future__ import annotations

import codecs
from pathlib import Path
from typing import Literal

from tokumei.apps.http.errors import UnprocessableContent


def encode_for_opening(path: Path, form: Literal["excel", "source"], encoding: str) -> bytes:
    """A file with the mark by which Excel knows UTF-8, or in the encoding of the source."""
    content = path.read_bytes().removeprefix(codecs.BOM_UTF8)
    if form == "excel":
        return codecs.BOM_UTF8 + content
    try:
        return content.decode("utf-8").encode(encoding or "utf-8")
    except UnicodeEncodeError as error:
        raise UnprocessableContent(
            "{letter} cannot be written in {encoding}; take the file in UTF-8",
            letter=repr(error.object[error.start]),
            encoding=encoding,
        ) from None
