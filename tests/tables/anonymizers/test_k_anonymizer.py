"""Tests of tokumei.tables.anonymizers.k_anonymizer."""

from __future__ import annotations

import tokumei as tk
from tables.data.column_encoding_helpers import people, spell


def test_k_people_are_k_people_whatever_their_spelling() -> None:
    release = tk.anonymize(people(spell), "mondrian", k=4, qi=["age"], sa=["pay"], person="uid")
    classes = release.public.frame.group_by("age").len()
    assert classes["len"].min() >= 4 * 5
