"""A studio as a person starts it: the command, its address, a browser that counts clicks."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from support.waiting import HUNG_SECONDS


@dataclass
class Served:
    """A running studio."""

    process: subprocess.Popen[str]
    address: str

    @property
    def base(self) -> str:
        return self.address.partition("/enter")[0]


def started(home: Path, *more: str) -> Served:
    command = [sys.executable, "-m", "tokumei", "studio", "--home", str(home), "--no-browser"]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    process = subprocess.Popen(
        [*command, "--json", *more],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=env,
    )
    assert process.stdout is not None
    told = ""
    for line in process.stdout:
        told += line
        if line.startswith("}"):
            break
    return Served(process, json.loads(told)["address"])


@contextmanager
def served(home: Path, *more: str) -> Iterator[Served]:
    made = started(home, *more)
    try:
        yield made
    finally:
        made.process.terminate()
        made.process.wait()


class Person:
    """Somebody at a browser; every click is counted, every error of the page is kept."""

    def __init__(self, chromium: Any, address: str, *, lang: str = "en", wide: int = 1280) -> None:
        locale = {"en": "en-US", "ja": "ja-JP"}[lang]
        size = {"width": wide, "height": 900}
        self.context = chromium.new_context(viewport=size, locale=locale)
        self.page = self.context.new_page()
        self.page.set_default_timeout(1000 * HUNG_SECONDS)
        self.errors: list[str] = []
        self.foreign: list[str] = []
        self.clicks = 0
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        origin = "/".join(address.split("/")[:3])
        self.page.on(
            "request",
            lambda asked: None if asked.url.startswith(origin) else self.foreign.append(asked.url),
        )
        self.page.goto(address)
        # `enter` goes on by a page of its own: what has been parsed of the next one may still lack
        # its script, and a file dropped then would be lost.
        self.page.wait_for_selector("#drop")
        self.page.wait_for_load_state("load")

    def click(self, what: str) -> None:
        self.page.click(what)
        self.clicks += 1

    def drop(self, path: Path) -> None:
        """A file dropped on the page, as a browser gives it to a page."""
        held = self.page.evaluate_handle(
            """([name, bytes]) => {
                const given = new DataTransfer();
                given.items.add(new File([new Uint8Array(bytes)], name));
                return given;
            }""",
            [path.name, list(path.read_bytes())],
        )
        self.page.dispatch_event("#drop", "drop", {"dataTransfer": held})
        self.page.wait_for_url("**/look")
        self.page.wait_for_selector("#next")

    def wait(self, what: str, state: str = "visible") -> Any:
        return self.page.wait_for_selector(what, state=state)

    def on(self, where: str) -> None:
        self.click("#next")
        self.page.wait_for_url(f"**/{where}*")

    def close(self) -> None:
        assert not self.errors
        assert not self.foreign
        self.context.close()
