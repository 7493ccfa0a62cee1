"""What a release is worth to advertisers, and the k-anonymous recoding worth most.

    session = PriceSession(people, PriceList.read("prices.csv"))
    session.release(session.ask(Question(k=5)))

`create_app` serves the same over HTTP.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokumei.core.lazy import lazy

if TYPE_CHECKING:
    from tokumei.price.daily import by_intent as by_intent
    from tokumei.price.daily import daily_optima as daily_optima
    from tokumei.price.daily import read_price_days as read_price_days
    from tokumei.price.dictionary import PriceList as PriceList
    from tokumei.price.likeness import likenesses as likenesses
    from tokumei.price.problem import Question as Question
    from tokumei.price.sample.people import sample_prices as sample_prices
    from tokumei.price.service.app import create_app as create_app
    from tokumei.price.service.desk import Desk as Desk
    from tokumei.price.session import PriceAnswer as PriceAnswer
    from tokumei.price.session import PriceSession as PriceSession
    from tokumei.price.suggestions import suggest as suggest
    from tokumei.price.suggestions import suggestion_trial as suggestion_trial
    from tokumei.price.tables import expected_cost as expected_cost
    from tokumei.price.unpriced import cut_off_cost as cut_off_cost
    from tokumei.price.unpriced import value_interval as value_interval
    from tokumei.price.valuation import Valuation as Valuation
    from tokumei.price.valuation import value_release as value_release
else:
    __getattr__, __dir__, __all__ = lazy(__name__)
