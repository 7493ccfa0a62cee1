"""Tests of tokumei.tables.services.joint_k_of_releases."""

from pathlib import Path


def test_check_reports_faults_in_the_contract_shape(tokumei):
    Path("y.csv").write_text("age,ill\n30,a\n30,a\n40,b\n")
    ran = tokumei(
        "check", "--format", "table", "--release", "y.csv", "--qi", "age", "--k", 2, "--json"
    )
    assert ran.code == 1
    assert ran.json["ok"] is False
    assert ran.json["total"] == 1
    assert set(ran.json["faults"][0]) == {"line", "column", "rule", "message_en", "message_ja"}
    assert ran.json["faults"][0]["line"] == 4
    ran = tokumei("check", "--release", "y.csv", "--qi", "age", "--l", 2, "--sa", "ill", "--json")
    assert ran.json["total"] == 2
