"""Stored machine code: the same results without a compiler, and made anew when it must be."""

import os
import subprocess
import sys
import textwrap

import pytest

MODULE = """
from typing import NamedTuple

import numpy as np

from tokumei.kernels.compiled import compiled
from tokumei.kernels.stored_code import stored


class Scale(NamedTuple):
    factors: np.ndarray
    grid: np.ndarray
    start: int


@compiled
def power(base: float, exponent: int) -> float:
    return base**exponent + 0.0


@stored
def fill(scale: Scale, exponent: int, shift: float, found: np.ndarray) -> None:
    for i in range(found.size):
        value = power(scale.factors[i], exponent) + shift + scale.grid[i % 2, 1]
        found[i] = value + scale.start
"""
CALL = """
import sys
import numpy as np
import kernel

scale = kernel.Scale(np.array([1.0, 2.0, 3.0]), np.array([[0, 10], [0, 20]]), 5)
found = np.zeros(3)
kernel.fill(scale, 2, np.float32(0.5), found)
print(found.tolist(), "numba" in sys.modules)
"""
EXPECTED = [1 + 0.5 + 10 + 5, 4 + 0.5 + 20 + 5, 9 + 0.5 + 10 + 5]


@pytest.fixture(scope="module")
def called(tmp_path_factory):
    """Write the module into a folder and call it in a process of its own."""
    folder = tmp_path_factory.mktemp("kernel")
    (folder / "kernel.py").write_text(textwrap.dedent(MODULE))

    def call():
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), *sys.path])}
        environment.pop("NUMBA_CACHE_DIR", None)
        return subprocess.run(
            [sys.executable, "-c", CALL],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()

    call.folder = folder
    call.first = call()
    return call


def kept(folder):
    return sorted((folder / "__pycache__").glob("kernel.fill-*.bin"))


def test_the_second_run_needs_no_compiler(called):
    assert called.first == f"{EXPECTED} True"
    assert len(kept(called.folder)) == 1
    assert called() == f"{EXPECTED} False"


def test_damaged_code_is_made_anew(called):
    (code,) = kept(called.folder)
    whole = code.read_bytes()
    code.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    assert called() == f"{EXPECTED} True"
    assert code.read_bytes()[:32] == whole[:32]


def test_a_change_beside_it_makes_it_anew(called):
    source = called.folder / "kernel.py"
    source.write_text(source.read_text().replace("exponent + 0.0", "exponent + 1.0"))
    assert called() == f"{[value + 1 for value in EXPECTED]} True"
    assert len(kept(called.folder)) == 2


def test_arrays_must_be_in_c_order():
    import numpy as np

    from tokumei.kernels.stored_code import Call

    with pytest.raises(ValueError, match="C order"):
        Call((np.zeros((2, 3)).T,))
