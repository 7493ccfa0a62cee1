"""The data of a recipe makes the request that the command line makes."""

from tokumei.tables.recipe_data import DataSpec


def test_columns_and_answers_reach_the_request() -> None:
    spec = DataSpec(file="people.csv", qi=["age"], sa=["pay"], ids=["name"], header_row=2)
    request = spec.request([{"method": "mondrian"}, {"method": "noise"}])
    assert request.data == "people.csv"
    assert request.method == ("mondrian", "noise")
    assert (request.qi, request.sa, request.id) == (("age",), ("pay",), ("name",))
    assert request.header_row == "2"


def test_cells_as_they_stand_are_normalized_in_no_column() -> None:
    assert DataSpec(file="a.csv", normalize=False).request().no_normalize == ("all",)
    assert DataSpec(file="a.csv", no_normalize=["age"]).request().no_normalize == ("age",)
