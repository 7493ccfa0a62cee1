"""Public names for prices: values a release, finds the k-anonymous recoding of highest value.

    session = PriceSession(people, PriceList.read("prices.csv"))
    session.release(session.ask(Question(k=5)))

`create_app` serves the same over HTTP.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokumei.core.lazy_imports import lazy_exports

if TYPE_CHECKING:
    from tokumei.apps.price.datasets.sample_people import sample_prices as sample_prices
    from tokumei.apps.price.price_days import by_intent as by_intent
    from tokumei.apps.price.price_days import daily_optima as daily_optima
    from tokumei.apps.price.price_days import read_price_days as read_price_days
    from tokumei.apps.price.price_list import PriceList as PriceList
    from tokumei.apps.price.problem import Question as Question
    from tokumei.apps.price.release_valuation import Valuation as Valuation
    from tokumei.apps.price.release_valuation import value_release as value_release
    from tokumei.apps.price.service.app import create_app as create_app
    from tokumei.apps.price.service.catalog import Catalog as Catalog
    from tokumei.apps.price.session import PriceAnswer as PriceAnswer
    from tokumei.apps.price.session import PriceSession as PriceSession
    from tokumei.apps.price.summary_tables import expected_cost as expected_cost
    from tokumei.apps.price.value_bounds import cut_off_cost as cut_off_cost
    from tokumei.apps.price.value_bounds import value_interval as value_interval
    from tokumei.apps.price.word_similarity import likenesses as likenesses
    from tokumei.apps.price.word_suggestions import suggest as suggest
    from tokumei.apps.price.word_suggestions import suggestion_trial as suggestion_trial
else:
    __getattr__, __dir__, __all__ = lazy_exports(__name__, renamed={"Desk": "Catalog"})
