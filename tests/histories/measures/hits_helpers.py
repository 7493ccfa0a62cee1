"""What the tests split from test_hits share."""

import polars as pl

TRUTH = pl.DataFrame(
    {"pseudonym": [f"10{n}" for n in range(10)], "customer": [f"c{n}" for n in range(10)]}
)


def answers(pids, cids):
    return pl.DataFrame({"pid": pids, "cid": cids}, schema={"pid": pl.String, "cid": pl.String})
