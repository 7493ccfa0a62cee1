"""Methods and their parameters as steps of a recipe."""

from tokumei.tables.services.method_steps import build_steps, list_privacy_models


def test_a_single_method_takes_all_parameters_with_or_without_its_name() -> None:
    (step,) = build_steps(["mondrian"], {"mondrian.k": 5, "strict": True})
    assert step == {"method": "mondrian", "k": 5, "strict": True}


def test_a_parameter_with_a_name_is_for_that_method_only() -> None:
    first, second = build_steps(["mondrian", "noise"], {"mondrian.k": 5})
    assert first == {"method": "mondrian", "k": 5}
    assert second == {"method": "noise"}


def test_short_models_come_before_the_written_ones() -> None:
    assert list_privacy_models(["delta=0.1"], l=3, t=0.2) == ["l=3", "t=0.2", "delta=0.1"]
    assert list_privacy_models(None, l=None, t=None) == []
