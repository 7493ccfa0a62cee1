"""Rules files: both forms say the same, every fault has its line."""

import pytest

from tokumei.core.errors import InputError, UsageError
from tokumei.tables.recommendation_rules.rule_model import RecommendationRule, RuleBox, WantedValues
from tokumei.tables.recommendation_rules.rules_file import read_rules

YAML = """\
clothes A: {sex: 男性, height: "<=170", birth: "*"}
charm:
  birth: {min: 1977, max: 1979}
  height:
spanner:
  - {job: [cook, 01]}
  - {height: {min: 190}}
"""


CSV = """\
rule,sex,birth,job,height
clothes A,男性,*,,<=170
charm,,[1977;1979],,
spanner,*,*,{cook;01},*
spanner,*,*,*,>=190
"""


WANTED = [
    RecommendationRule(
        "clothes A",
        (RuleBox({"sex": WantedValues(("男性",)), "height": WantedValues(high="170")}),),
    ),
    RecommendationRule("charm", (RuleBox({"birth": WantedValues(low="1977", high="1979")}),)),
    RecommendationRule(
        "spanner",
        (
            RuleBox({"job": WantedValues(("cook", "01"))}),
            RuleBox({"height": WantedValues(low="190")}),
        ),
    ),
]


def without_lines(rules):
    return [
        RecommendationRule(one.name, tuple(RuleBox(box.wanted) for box in one.boxes))
        for one in rules
    ]


@pytest.mark.parametrize(("name", "text"), [("r.yaml", YAML), ("r.csv", CSV), ("r.yml", YAML)])
def test_both_forms_say_the_same(tmp_path, name, text):
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert without_lines(read_rules(tmp_path / name)) == WANTED


def test_every_wanted_value_has_its_line(tmp_path):
    (tmp_path / "r.yaml").write_text(YAML, encoding="utf-8")
    (tmp_path / "r.csv").write_text(CSV, encoding="utf-8")
    yaml, csv = read_rules(tmp_path / "r.yaml"), read_rules(tmp_path / "r.csv")
    assert [box.lines for box in yaml[2].boxes] == [{"job": 6}, {"height": 7}]
    assert [box.lines for box in csv[2].boxes] == [{"job": 4}, {"height": 5}]


def test_another_encoding_and_separator(tmp_path):
    (tmp_path / "r.csv").write_bytes("規則;性別\n雑誌;男性\n".encode("cp932"))
    (rule,) = read_rules(tmp_path / "r.csv")
    assert rule.boxes[0].wanted == {"性別": WantedValues(("男性",))}


@pytest.mark.parametrize(
    ("text", "lines", "message"),
    [
        ("", [1], "there are no rules"),
        ("- a\n- b\n", [1], "rules: write name"),
        ("a: 3\n", [1], "rule 'a': write name"),
        ("a: {sex: m}\na: {sex: f}\n", [2], "'a' is given twice"),
        ("a: {sex: m, sex: f}\n", [1], "'sex' is given twice"),
        ("a: []\n", [1], "rule 'a' is empty"),
        ("a:\n  sex: {low: 3}\n", [2], "write a value, [values] or {min: …, max: …}"),
        ("a: {sex: []}\n", [1], "write a value"),
        ("a: {sex: [[m]]}\nb:\n  h: {min: [1]}\n", [1, 3], "write a value"),
        ("a: {sex: *}\n", [1], 'write "*" and ">=170" in quotation marks'),
        ("a:\n  height: >=170\n", [2], "not valid YAML"),
    ],
)
def test_faults_of_a_yaml_file(tmp_path, text, lines, message):
    (tmp_path / "r.yaml").write_text(text or "# nothing\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"r.yaml: the rules cannot be used") as caught:
        read_rules(tmp_path / "r.yaml")
    assert [fault.line for fault in caught.value.faults] == lines
    assert message in caught.value.faults[0].message.show("en")


def test_a_csv_rule_needs_a_name(tmp_path):
    (tmp_path / "r.csv").write_text("rule,sex\na,m\n,f\n", encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_rules(tmp_path / "r.csv")
    assert [fault.line for fault in caught.value.faults] == [3]


def test_another_kind_of_file(tmp_path):
    with pytest.raises(UsageError, match="must end in one of"):
        read_rules(tmp_path / "r.parquet")
