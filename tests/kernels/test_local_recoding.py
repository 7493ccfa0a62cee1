"""The door of local recoding is closed: a wrong call raises and changes nothing."""

import numpy as np
import pytest

from support.kernel_problems import started
from tokumei.kernels import local_recoding


def bytes_of(arrays):
    return [array.tobytes() for array in arrays]


WRONG = {
    "type": lambda s: {"slot": s.slot.astype(np.int32)},
    "order": lambda s: {"ancestors": np.asfortranarray(s.ancestors)},
    "length": lambda s: {"counts": s.counts[:-1].copy()},
    "axes": lambda s: {"level": s.level.ravel()},
    "node": lambda s: {"ancestors": s.ancestors + len(s.node_cost)},
    "negative": lambda s: {"under": s.under - len(s.node_cost)},
    "no array": lambda s: {"rows": s.rows.tolist()},
    "no slot": lambda s: {"slot": np.full_like(s.slot, -1)},
    "two tops": lambda s: {"ancestors": np.ascontiguousarray(s.ancestors[:, :, :1])},
    "short log": lambda s: {"log": s.log[:9].copy(), "log_level": s.log_level[:9].copy()},
    "bits": lambda s: {"open_slots": ~np.zeros_like(s.open_slots)},
}


@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_call_raises(what):
    state, k = started(1, 3)
    wrong = state._replace(**WRONG[what](state))
    before = bytes_of(state)
    with pytest.raises(ValueError):  # noqa: PT011
        local_recoding.anneal(wrong, k, 10, 1.0, 0.5, 0.1)
    with pytest.raises(ValueError):  # noqa: PT011
        local_recoding.gain_of_leaving(wrong, k, np.zeros(len(state.slot)))
    assert bytes_of(state) == before


def test_classes_must_fit():
    state, _ = started(1, 3)
    with pytest.raises(ValueError, match="class_of"):
        local_recoding.fill_state(state, np.full(len(state.slot), 7), np.full(3, -1))
