"""What a release is worth to advertisers, and the k-anonymous recoding worth most.

    session = PriceSession(people, PriceList.read("prices.csv"))
    session.release(session.ask(Question(k=5)))

`create_app` serves the same over HTTP.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokumei.core.lazy import lazy

if TYPE_CHECKING:
    from tokumei.price.dictionary import PriceList as PriceList
    from tokumei.price.problem import Question as Question
    from tokumei.price.sample.people import sample_prices as sample_prices
    from tokumei.price.service.app import create_app as create_app
    from tokumei.price.service.desk import Desk as Desk
    from tokumei.price.session import PriceAnswer as PriceAnswer
    from tokumei.price.session import PriceSession as PriceSession
    from tokumei.price.valuation import Valuation as Valuation
    from tokumei.price.valuation import value_release as value_release
else:
    __getattr__, __dir__, __all__ = lazy(
        __name__,
        {
            "tokumei.price.dictionary": "PriceList",
            "tokumei.price.problem": "Question",
            "tokumei.price.sample.people": "sample_prices",
            "tokumei.price.service.app": "create_app",
            "tokumei.price.service.desk": "Desk",
            "tokumei.price.session": "PriceAnswer PriceSession",
            "tokumei.price.valuation": "Valuation value_release",
        },
    )
