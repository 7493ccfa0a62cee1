"""Tests of tokumei.pseudonyms.attackers.calibration."""

from __future__ import annotations

import numpy as np
import pytest

from tokumei.pseudonyms.attackers.calibration import DecoyTrust


def test_trust_is_what_decoys_leave() -> None:
    draw = np.random.default_rng(1)
    far, near = draw.normal(20, 1, 500), draw.normal(2, 1, 500)
    sure = DecoyTrust.between(far, near)
    assert sure.nothing == 0
    assert sure.of(far).min() == 1
    same = DecoyTrust.between(near, near)
    assert same.nothing == 1
    assert same.of(near).max() == 0
    mixed = DecoyTrust.between(np.append(far, near[:250]), near)
    assert mixed.nothing == pytest.approx(1 / 3, abs=0.05)
    assert mixed.of(np.array([20.0]))[0] == pytest.approx(1)
    assert mixed.of(np.array([-5.0]))[0] == pytest.approx(2 / 3, abs=0.05)
    assert DecoyTrust.between(np.zeros(0), near).of(np.zeros(0)).size == 0
