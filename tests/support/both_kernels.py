"""The same call with the compiled kernels and with their sources run by Python."""

import os

import numpy as np
import pytest


def both(call, *ways):
    """What a call gives in both ways, as bytes: the two must be equal."""
    ways = ways or (os.environ.get("TOKUMEI_KERNELS", "compiled"), "uncompiled")
    found = []
    for how in ways:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("TOKUMEI_KERNELS", how)
            found.append(as_bytes(call()))
    return found


def as_bytes(found):
    """Arrays inside tuples and lists as bytes, numbers as they are."""
    if isinstance(found, np.ndarray):
        return str(found.dtype), found.shape, found.tobytes()
    if isinstance(found, tuple | list):
        return [as_bytes(part) for part in found]
    return found
