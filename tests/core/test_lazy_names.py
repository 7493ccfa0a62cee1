"""Names that are imported when first used, and old names that still work for one version."""

import sys
import warnings

import pytest

SOURCE = """
from typing import TYPE_CHECKING

from tokumei.core.lazy_imports import lazy_exports

if TYPE_CHECKING:
    from {name} import inside as inside
    from collections import OrderedDict as OrderedDict
    from fractions import (
        Fraction as Fraction,
    )
    from decimal import (
        ROUND_UP as ROUND_UP,
        Decimal as Decimal,
    )
    from math import pi as tau
else:
    renamed = {{"Dec": "Decimal", "Ratio": "Fraction"}}
    __getattr__, __dir__, __all__ = lazy_exports(__name__, renamed=renamed)
"""


@pytest.fixture
def module(tmp_path, monkeypatch):
    """A package whose names are lazy, and are not loaded yet."""
    folder = tmp_path / "lazy_package"
    folder.mkdir()
    (folder / "__init__.py").write_text(SOURCE.format(name=folder.name), encoding="utf-8")
    (folder / "inside.py").write_text("value = 1\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    import lazy_package

    yield lazy_package
    for name in [name for name in sys.modules if name.startswith("lazy_package")]:
        del sys.modules[name]


def test_imports_on_one_line_and_in_parentheses_are_found(module):
    from collections import OrderedDict
    from decimal import ROUND_UP, Decimal
    from fractions import Fraction

    assert module.__all__ == dir(module) == ["Decimal", "Fraction", "OrderedDict", "ROUND_UP"]
    assert (module.Decimal, module.Fraction) == (Decimal, Fraction)
    assert (module.OrderedDict, module.ROUND_UP) == (OrderedDict, ROUND_UP)


def test_a_name_is_loaded_when_first_used(module):
    assert "Decimal" not in vars(module)
    assert module.Decimal is vars(module)["Decimal"]
    assert module.inside.value == 1


def test_what_gets_another_name_is_not_public(module):
    for name in ("tau", "pi", "nothing"):
        with pytest.raises(AttributeError, match=f"'lazy_package' has no attribute '{name}'"):
            getattr(module, name)


def test_an_old_name_works_and_warns_its_user_every_time(module):
    for _ in range(2):
        with pytest.warns(DeprecationWarning, match="Dec is now") as heard:
            old = module.Dec
        assert old is module.Decimal
        (warning,) = heard
        assert "lazy_package.Dec is now lazy_package.Decimal" in str(warning.message)
        assert warning.filename == __file__
    with pytest.warns(DeprecationWarning, match="lazy_package.Ratio is now"):
        from lazy_package import Ratio
    assert Ratio is module.Fraction


def test_new_names_do_not_warn(module):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert module.Decimal is not module.Fraction
        assert "Dec" not in module.__all__
