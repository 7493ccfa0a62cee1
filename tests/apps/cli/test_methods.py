"""Tests of tokumei.apps.cli.methods."""


def test_methods_lists_everything(tokumei):
    found = tokumei("methods", "--json").json
    assert {"mondrian", "noise", "yamaoka"} <= {
        item["name"] for item in found["tables.anonymizers"]
    }
    assert {"E1", "linkage"} <= {item["name"] for item in found["tables.attackers"]}
    assert "k-anonymity" in tokumei("methods").out
