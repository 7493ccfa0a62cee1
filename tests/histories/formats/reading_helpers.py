"""What the tests split from test_reading share."""

from __future__ import annotations

T = "17850,2010/12/1,85123A,2.55,6\n13047,2011/1/31,84879,1.125,32\n17850,2010/12/1,22745,3,-1\n"
