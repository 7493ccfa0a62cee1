"""Runs commands and programs in a folder, and writes down what they said and wrote.

with open_transcript("docs/index.md", "en", folder) as transcript:
    transcript.run_command(["sample", "table", "--rows", "300", "--seed", "1", "--out", "x.csv"])
    transcript.run_program(code, names)
transcript.lines
"""

from __future__ import annotations

import io
import json
import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType
from typing import Any

from golden.normalize import digest_file, digest_text, normalize_text
from golden.repeatable import SeededEntropy, print_warnings, run_repeatably
from support.sentence_codes import find_uncoded_sentences
from tokumei.apps.cli.app import main
from tokumei.core.json_types import as_json_text
from tokumei.core.language import language_context, use_language

LINES_SHOWN = 60
"""Of a longer text so many lines are kept; its digest tells of the others."""
VALUE_SHOWN = 120
"""A value of a JSON document is kept if it is not longer than this, else its digest."""
JSON_DEPTH = 2
IGNORED = ("__pycache__",)


@dataclass
class Transcript:
    """What was said and written, step by step."""

    folder: Path
    lang: str
    entropy: SeededEntropy
    lines: list[str] = field(default_factory=list)
    _files: dict[str, tuple[int, int, int]] = field(default_factory=dict)

    def run_command(self, args: list[str], *, as_json: bool = False) -> int:
        """Run `tokumei …` in this process; its exit code."""
        if self.lang != "en" and not any(arg.startswith("--lang") for arg in args):
            args = ["--lang", self.lang, *args]
        self.lines.append(f"$ tokumei {shlex.join(args)}")
        code, out, err = self._capture(lambda: _exit_code(args))
        self.lines.append(f"  exit {code}")
        if as_json:
            self._add_json(out)
        else:
            self._add_text("out", out)
        self._add_text("err", err)
        self.add_files()
        return code

    def run_program(self, code: CodeType, names: dict[str, Any], *, title: str) -> None:
        """Run a Python program in this process."""
        self.lines.append(f"> {title}")
        with language_context("ja" if self.lang == "ja" else "en"):
            _, out, err = self._capture(lambda: exec(code, names))
        self._add_text("out", out)
        self._add_text("err", err)
        self.add_files()

    def call(self, title: str, work: Callable[[], Any]) -> Any:
        """Call a function; its result."""
        self.lines.append(f"> {title}")
        with language_context("ja" if self.lang == "ja" else "en"):
            result, out, err = self._capture(work)
        self._add_text("out", out)
        self._add_text("err", err)
        self.add_files()
        return result

    def add_document(self, data: Any) -> None:
        """Write down plain data."""
        self._add_json(as_json_text(data))

    def begin(self) -> None:
        """Forget what was done so far, and take the files that lie in the folder for known."""
        self.lines.clear()
        self._files = dict(self._list_files())

    def add_files(self) -> None:
        """Write down the files that are new, changed or gone since the last step."""
        before, self._files = self._files, dict(self._list_files())
        for name in sorted(before.keys() - self._files.keys()):
            self.lines.append(f"  gone {name}")
        for name in sorted(self._files):
            if self._files[name] != before.get(name):
                digest = digest_file(self.folder / name, self.folder)
                shown = normalize_text(name, self.folder)
                self.lines.append(f"  file {shown} {digest}")

    def _list_files(self) -> Iterator[tuple[str, tuple[int, int, int]]]:
        for path in self.folder.rglob("*"):
            if path.is_file() and not {*IGNORED} & {*path.parts}:
                stat = path.stat()
                signature = (stat.st_mtime_ns, stat.st_size, stat.st_ino)
                yield path.relative_to(self.folder).as_posix(), signature

    def _capture(self, work: Callable[[], Any]) -> tuple[Any, str, str]:
        out, err = _open_stream(), _open_stream()
        self.entropy.begin_step()
        with redirect_stdout(out), redirect_stderr(err), print_warnings():
            result = work()
        return result, _read_stream(out), _read_stream(err)

    def _add_text(self, stream: str, text: str) -> None:
        lines = normalize_text(text, self.folder).splitlines()
        self.lines += [f"  {stream}| {line}".rstrip() for line in lines[:LINES_SHOWN]]
        if len(lines) > LINES_SHOWN:
            rest = digest_text("\n".join(lines))
            self.lines.append(f"  {stream}  … {len(lines)} lines, {rest}")

    def _add_json(self, text: str) -> None:
        data = json.loads(normalize_text(text, self.folder))
        assert not (uncoded := list(find_uncoded_sentences(data))), uncoded
        self.lines += [f"  json {line}" for line in _outline_json("", data)]


def _outline_json(name: str, data: Any, depth: int = 0) -> Iterator[str]:
    """A line for every value that is short, or deep in the document."""
    shown = json.dumps(data, ensure_ascii=False)
    if len(shown) <= VALUE_SHOWN:
        yield f"{name}: {shown}"
    elif isinstance(data, dict) and depth < JSON_DEPTH:
        for key, value in data.items():
            yield from _outline_json(f"{name}.{key}" if name else key, value, depth + 1)
    else:
        yield f"{name}: {type(data).__name__} of {len(data)}, {digest_text(shown)}"


def _open_stream() -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)


def _read_stream(stream: io.TextIOWrapper) -> str:
    stream.seek(0)
    return stream.read()


def _exit_code(args: list[str]) -> int:
    try:
        main(args)
    except SystemExit as end:
        return int(end.code or 0)
    finally:
        use_language("en")
    raise AssertionError("the command line did not exit")


@contextmanager
def open_transcript(group: str, lang: str, folder: Path) -> Iterator[Transcript]:
    """A transcript of what is run in the folder; the group's name is the seed."""
    with run_repeatably(group, folder) as entropy:
        yield Transcript(folder, lang, entropy)
