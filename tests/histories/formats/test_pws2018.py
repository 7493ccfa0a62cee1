"""Tests of tokumei.histories.formats.pws2018."""

from __future__ import annotations

import pytest

from histories.formats.reading_helpers import T
from tokumei import read_history
from tokumei.core.errors import InputError
from tokumei.histories.data.generalized_history import format_general_history
from tokumei.histories.formats.pws2018 import Pws2018

A = "100,[2010/12/1;2011/1/31],{84879;85123A},2.55,*\n*,*,*,*,*\n100,2010/12/1,22745,3,-1\n"


class TestReleases:
    def test_aligned_cells_survive(self, make):
        original = read_history(make(T), format="pws2018")
        general = Pws2018().read_general(make(A, "A.csv"), original)
        assert general.decimals == original.decimals
        assert general.kept.tolist() == [True, False, True]
        assert format_general_history(general).rows() == [
            tuple(line.split(",")) for line in A.splitlines()
        ]

    def test_another_number_of_rows_is_refused(self, make):
        original = read_history(make(T), format="pws2018")
        with pytest.raises(InputError, match="1 row, but the original has 3"):
            Pws2018().read_general(make(A.splitlines()[0], "A.csv"), original)
        with pytest.raises(InputError, match="line 2: 4 field"):
            Pws2018().read_general(make(A.replace("*,*,*,*,*", "*,*,*,*"), "A.csv"), original)

    def test_public_cells_are_text(self, make):
        assert Pws2018().read_public(make(A)).row(0)[1:3] == (
            "[2010/12/1;2011/1/31]",
            "{84879;85123A}",
        )
        assert Pws2018().read_public(make("")).shape == (0, 5)
        with pytest.raises(InputError, match="line 1"):
            Pws2018().read_public(make("1,2\n"))

    def test_a_guess_is_read_as_it_is(self, make):
        guess = Pws2018().read_pairs(make("100,17850\n101\n"))
        assert guess.frame.rows() == [("100", "17850"), ("101", None)]
