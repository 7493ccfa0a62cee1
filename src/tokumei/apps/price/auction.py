"""The price of a click at an auction, as paper 002 describes it in its Figure 3.

auction_cost(30, [50, 20], clicks=10, unit=1)    # 210: the next bid below is 20
"""

from __future__ import annotations

from collections.abc import Sequence

from tokumei.core.errors import UsageError


def auction_cost(
    bid: float, others: Sequence[float], *, clicks: float, unit: float = 1.0, minimum: float = 0.0
) -> float:
    """What an advertiser pays whose highest bid is `bid`.

    Above others it pays the next lower bid and the smallest unit for each click, below all of them
    its own bid; without a click, the minimum.
    """
    if bid < 0 or clicks < 0 or unit < 0 or any(other < 0 for other in others):
        raise UsageError("bids, clicks and the smallest unit must not be negative")
    if not clicks:
        return minimum
    beaten = [other for other in others if other < bid]
    price = min(max(beaten) + unit, bid) if beaten else bid
    return price * clicks
