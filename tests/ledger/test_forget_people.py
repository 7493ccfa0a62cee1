"""Tests of tokumei.ledger.forget_people."""

import numpy as np
from tests.support.ledgers import contribution

from ledger.tampering_fixtures import LINES, found
from ledger.tampering_fixtures import book as book
from tokumei.ledger.forget_people import forget_people
from tokumei.ledger.ledger import Ledger


def test_people_who_are_forgotten_are_gone_from_every_file(book):
    done = forget_people(book, contribution(LINES).ids.head(2))
    assert (done.asked, done.found) == (2, 2)
    again = Ledger(book.path)
    assert [again.recorded(one).people.height for one in again.entries] == [7, 7]
    assert not found(book)
    assert len(list((book.path / "classes").iterdir())) == 6
    assert forget_people(again, contribution(LINES).ids.head(2)).found == 0
    assert np.all([one.version == 1 for one in Ledger(book.path).entries])
