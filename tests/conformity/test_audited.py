"""What an audit found is cited: more than the control needs a person, no more passes."""

import json

import pytest

import tokumei as tk
from tokumei.conformity.reidentification_risk import audit_findings, read_audit


def audit(*, auc_low=0.45, auc_high=0.6, low=-0.02, risk_low=-0.01, differs=False, mixed=False):
    return {
        "model": "together",
        "warnings": [],
        "control_test": {"differs": differs, "reference_mixed": mixed},
        "membership": {
            "strongest": {"attack": "box", "auc": 0.52, "auc_low": auc_low, "auc_high": auc_high}
        },
        "attribute": {
            "ill": {"strongest": {"attack": "forest", "value": 0.01, "low": low, "high": 0.05}}
        },
        "singling_out": [
            {
                "columns": 4,
                "members": 9,
                "control": 8,
                "people": 100,
                "risk": {"value": 0.01, "low": risk_low, "high": 0.04},
            },
            {"columns": 1, "members": 0, "control": 0, "people": 100, "risk": None},
        ],
    }


def verdicts(**changes):
    return {one.id: one.verdict.value for one in audit_findings(audit(**changes))}


NAMES = ("audit-membership", "audit-attribute-ill", "audit-singling-out")


def test_no_more_than_the_control_passes():
    assert verdicts() == dict.fromkeys(NAMES, "PASS")


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ({"auc_low": 0.51}, NAMES[0]),
        ({"low": 0.01}, NAMES[1]),
        ({"risk_low": 0.001}, NAMES[2]),
    ],
)
def test_more_than_the_control_needs_a_person(change, name):
    found = verdicts(**change)
    assert found.pop(name) == "NEEDS-HUMAN"
    assert set(found.values()) == {"PASS"}


@pytest.mark.parametrize("change", [{"differs": True}, {"mixed": True}, {"auc_high": 0.49}])
def test_people_who_are_not_who_they_should_be_need_a_person(change):
    """Another population, a reference with members or control in it, files exchanged."""
    assert set(verdicts(**change).values()) == {"NEEDS-HUMAN"}


@pytest.mark.parametrize("text", ["", "[]", '{"a": 1}'])
def test_another_file_is_no_audit(text, tmp_path):
    (tmp_path / "a.json").write_text(text)
    with pytest.raises(tk.InputError, match="no audit"):
        read_audit(str(tmp_path / "a.json"))


def test_an_audit_is_read_back(tmp_path):
    (tmp_path / "a.json").write_text(json.dumps(audit()))
    assert [one.item for one in audit_findings(read_audit(str(tmp_path / "a.json")))] == [5, 5, 4]
