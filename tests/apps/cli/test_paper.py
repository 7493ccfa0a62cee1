"""`tokumei paper` as it is typed."""

from pathlib import Path

FIGURE7 = "Figure 7"


def test_a_paper_in_words_and_as_data(tokumei):
    ran = tokumei("paper", "002", "--table", "table5,figure7")
    assert ran.code == 0
    assert "60.57" in ran.out
    assert "differs: reason below" in ran.out
    (five, seven) = tokumei("paper", "002", "--table", "table5,figure7", "--json").json
    assert five["table"] == "table5"
    assert {row["verdict"] for row in five["rows"]} == {"equal", "rounding", "form"}
    assert set(five["rows"][0]) >= {"cells", "computed", "difference", "verdict"}
    assert seven["rows"][0]["explanations"][0]["en"].startswith("Cost / clicks is 485.5")


def test_days_are_told_as_data(tokumei):
    (data,) = tokumei("paper", "004", "--table", "data", "--json").json
    assert data["rows"][0]["computed"][-1] == 100
    assert data["rows"][3]["cells"][-1] == data["rows"][3]["computed"][-1] == "1944-01-29"


def test_japanese(tokumei):
    ran = tokumei("paper", "002", "--table", "table5", "--lang", "ja")
    assert "一致" in ran.out
    assert "表 5" in ran.out


def test_what_needs_data_says_so_and_is_no_failure(tokumei):
    ran = tokumei("paper", "001", "--table", "table2")
    assert ran.code == 0
    assert "online_retail.parquet" in ran.out


def test_another_k_is_what_the_twin_is_asked_for(tokumei):
    Path("mine.yaml").write_text("paper: '002'\nk: 3\nseed: 1\n", encoding="utf-8")
    ran = tokumei("paper", "mine.yaml", "--table", "table5")
    assert ran.code == 0
    assert "2,381,711" in ran.out


def test_a_difference_without_a_reason_fails(tokumei):
    ran = tokumei("paper", "004", "--table", "data", "--draws", "1", "--json")
    assert ran.code == 0
    Path("mine.yaml").write_text("paper: '004'\npeople: 90\n", encoding="utf-8")
    ran = tokumei("paper", "mine.yaml", "--table", "data", "--json")
    assert ran.code == 1
    assert ran.json[0]["verdict"] == "differs"


def test_pages(tokumei):
    ran = tokumei("paper", "002", "--table", "table1,figure8", "--out", "pages")
    assert ran.code == 0
    page = Path("pages/paper-002.html").read_text(encoding="utf-8")
    assert "Content-Security-Policy" in page
    assert 'data-chart="figure8"' in page


def test_a_table_that_is_not_there(tokumei):
    ran = tokumei("paper", "002", "--table", "table77")
    assert ran.code == 2
    assert "table77" in ran.err


def test_the_twin_in_files(tokumei):
    files = ("--out", "P.csv", "--prices", "prices.csv")
    assert tokumei("sample", "prices", "--paper", "--ages", "ages.csv", *files).code == 0
    asked = ("--data", "P.csv", "--patterns", "prices.csv", "--json")
    best = tokumei("price", "optimize", *asked, "--k", 2).json
    assert (best["value"], round(100 * best["ratio"], 2), best["k"]) == (2_648_556, 60.57, 2)
    assert best["optimal"]
    shown = tokumei("price", "show", "--data", "P.csv", "--patterns", "ages.csv", "--json").json
    assert [line["words"] for line in shown["patterns"]] == [73, 8, 13, 6, 46]
    assert tokumei("sample", "prices", "--ages", "a.csv", *files).code == 2


def test_a_file_of_ones_own_makes_the_tables_of_the_paper(tokumei):
    tokumei("sample", "history", "--format", "table", "--rows", 400, "--customers", 30,
            "--seed", 1, "--out", "own.csv")  # fmt: skip
    asked = ("paper", "000", "--data", "own.csv", "--set", "k=2-3", "--table", "table9,figure2")
    ran = tokumei(*asked, "--out", "pages", "--lang", "ja")
    assert ran.code == 0
    assert "表 9" in ran.out
    assert 'data-chart="figure2"' in Path("pages/study-000.html").read_text(encoding="utf-8")
    (nine, two) = tokumei(*asked, "--json").json
    assert [row[0] for row in nine["rows"]] == [2, 3]
    assert two["table"] == "figure2"
    assert tokumei("paper", "all", "--data", "own.csv").code == 2
    assert tokumei("paper", "000", "--data", "own.csv", "--draws", 3).code == 2
    assert "none.csv" in tokumei("paper", "000", "--data", "none.csv").err


def test_a_setting_of_the_recipe(tokumei):
    ran = tokumei("paper", "003", "--set", "seeds=1", "--set", "x=U2", "--table", "figure1")
    assert ran.code == 0
    assert tokumei("paper", "003", "--set", "x=U9", "--table", "figure1").code == 2
    assert "'sides'" in tokumei("paper", "003", "--set", "sides=1").err


def test_response_times_beside_the_papers(tokumei):
    ran = tokumei("paper", "002", "--set", "times=true", "--table", "figure1")
    assert "made-up people in SQLite" in ran.out
