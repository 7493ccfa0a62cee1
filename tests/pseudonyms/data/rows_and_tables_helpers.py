"""What the tests split from test_rows_and_tables share."""

from __future__ import annotations

T = [
    "A,0,2010/12/1,9:09,21258,10.95,32",
    "B,0,2010/12/31,0:00,22,8.5,6",
    "A,0,2011/1/2,23:59,x,1,1",
]


RELEASED = ["q,0,2010/12/1,9:09,21258,10.95,32", "DEL,,,,,,", "p,0,2011/1/2,23:59,x,1,1"]
