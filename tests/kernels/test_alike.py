"""Compiled code equals its own source run by Python, byte for byte, on random problems.

`python -m fuzz.kernels --problems N` in this folder's parent runs as many as you like.
"""

import pytest

from fuzz.kernels import differing
from support.kernel_problems import PROBLEMS

FEW = 40
SLOW = {"alignments": 6, "annealing": 12}


@pytest.mark.parametrize("name", PROBLEMS)
def test_compiled_code_equals_its_source(name):
    assert differing(name, range(SLOW.get(name, FEW))) == []
