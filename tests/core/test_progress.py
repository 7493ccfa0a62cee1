"""Progress reaches whoever listens, and nobody else."""

import os
import pty
import subprocess
import sys
from contextlib import contextmanager

import pytest

from tokumei.core.messages import Message
from tokumei.core.progress import progress_bar, set_progress_listener, track_progress


@pytest.fixture
def heard():
    """What a listener is told."""
    told = []

    @contextmanager
    def listener(what, total):
        told.append((what.show("en"), total))
        yield lambda done: told.append(done)
        told.append("done")

    set_progress_listener(listener)
    yield told
    set_progress_listener(None)


def test_track_tells_each_step(heard):
    assert list(track_progress([5, 6], Message("work"))) == [5, 6]
    assert heard == [("work", 2), 1, 1, "done"]


def test_a_meter_of_unknown_size(heard):
    with progress_bar(Message("work")) as advance:
        advance(3)
    assert heard == [("work", None), 3, "done"]


def test_silence_without_a_listener():
    assert list(track_progress(iter([1]), Message("work"))) == [1]


def terminal_output(*args):
    """What a command writes to stderr when that is a terminal."""
    parent, child = pty.openpty()
    ran = subprocess.Popen(
        [sys.executable, "-m", "tokumei", *args], stderr=child, stdout=subprocess.PIPE
    )
    os.close(child)
    shown = b""
    while True:
        try:
            part = os.read(parent, 65536)
        except OSError:
            break
        if not part:
            break
        shown += part
    out = ran.communicate()[0]
    os.close(parent)
    return ran.returncode, out, shown.decode()


@pytest.mark.long
def test_bars_inside_bars_on_a_terminal_and_clean_json_beside(tmp_path):
    recipe = tmp_path / "r.yaml"
    recipe.write_text(
        "data: {sample: {rows: 300, seed: 1}}\n"
        "releases: [{name: a, steps: [{method: mondrian, k: 3}, {method: swap}]}]\n"
    )
    out = str(tmp_path / "o")
    code, stdout, shown = terminal_output("run", str(recipe), "--out", out, "--json")
    assert code == 0
    assert stdout.startswith(b"{")
    assert "releases" in shown
