"""Removes what cannot be repeated from texts and files, and gives files short digests.

normalize_text("wrote /tmp/ab12/y.csv, 0.30000000000000004", Path("/tmp/ab12"))
# 'wrote <folder>/y.csv, 0.3'
digest_file(Path("y.csv"), folder)    # '3f2a9c1b04 501 lines'
"""

from __future__ import annotations

import hashlib
import io
import re
import zipfile
from pathlib import Path

import polars as pl

from tokumei._version import __version__

DIGITS = 12
"""Significant digits that do not depend on the machine's linear algebra."""
FLOAT = re.compile(r"(?<![\w.])-?\d+\.\d+(?:[eE][+-]?\d+)?(?![\w.])")
MOMENT = re.compile(r"\b20\d\d-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)")
SVG = re.compile(r"<svg\b.*?</svg>", re.DOTALL)
GEOMETRY = re.compile(
    r"\s(?:d|transform|x|y|x1|x2|y1|y2|dx|dy|cx|cy|r|rx|ry|width|height|viewBox|points|"
    r"font-size|clip-path|id)=\"[^\"]*\""
)
IMAGES = (".png", ".jpg", ".pdf")
ARCHIVES = (".zip", ".xlsx")
LENGTH = 10


def normalize_text(text: str, folder: Path) -> str:
    """The text without folders, versions and moments of this run; floats to 12 digits."""
    text = text.replace("\r\n", "\n").replace(str(folder), "<folder>")
    text = text.replace(__version__, "<version>")
    return FLOAT.sub(_round_float, MOMENT.sub("<moment>", text))


def _round_float(match: re.Match[str]) -> str:
    number = match[0]
    if sum(map(str.isdigit, re.split("[eE]", number)[0].lstrip("-0."))) <= DIGITS:
        return number
    value = float(number)
    rounded = f"{0.0 if abs(value) < 10**-DIGITS else value:.{DIGITS}g}"
    return rounded if {".", "e"} & {*rounded} else f"{rounded}.0"


def normalize_markup(text: str, folder: Path) -> str:
    """A page or chart: of its drawings the words and marks stay, not where fonts put them."""
    drawn = SVG.sub(lambda svg: GEOMETRY.sub("", svg[0]), text)
    return normalize_text(drawn, folder)


def digest_text(text: str) -> str:
    """A short hash of a text."""
    return hashlib.sha256(text.encode()).hexdigest()[:LENGTH]


def normalize_file(name: str, content: bytes, folder: Path) -> str:
    """What is compared of a file, as text."""
    suffix = Path(name).suffix.lower()
    if suffix in IMAGES:
        return "an image"
    if suffix in ARCHIVES:
        return _normalize_archive(content, folder)
    if suffix == ".parquet":
        return normalize_text(pl.read_parquet(content).write_ndjson(), folder)
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return content.hex()
    return (normalize_markup if "<svg" in text else normalize_text)(text, folder)


def _normalize_archive(content: bytes, folder: Path) -> str:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return "\n".join(
            f"{name} {digest_text(normalize_file(name, archive.read(name), folder))}"
            for name in archive.namelist()
        )


def digest_file(path: Path, folder: Path) -> str:
    """The digest of a file's normalized content, its number of lines, and whether it is private."""
    text = normalize_file(path.name, path.read_bytes(), folder)
    private = " private" if path.stat().st_mode & 0o077 == 0 else ""
    return f"{digest_text(text)} {text.count(chr(10))} lines{private}"


def keep_files(folder: Path, target: Path) -> None:
    """Copy the normalized content of all files, so that two runs can be compared."""
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            text = normalize_file(path.name, path.read_bytes(), folder)
            kept = target / path.relative_to(folder)
            kept.parent.mkdir(parents=True, exist_ok=True)
            kept.write_text(text, encoding="utf-8")
