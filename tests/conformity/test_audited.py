"""What an audit found is cited: more than the control needs a person, no more passes."""

import pytest

from conformity.audited_helpers import audit
from tokumei.conformity.reidentification_risk import audit_findings


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
