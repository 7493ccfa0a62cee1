"""Tests of tokumei.conformity.reidentification_risk."""

import json

import pytest

import tokumei as tk
from conformity.audited_helpers import audit
from tokumei.conformity.reidentification_risk import audit_findings, read_audit


@pytest.mark.parametrize("text", ["", "[]", '{"a": 1}'])
def test_another_file_is_no_audit(text, tmp_path):
    (tmp_path / "a.json").write_text(text)
    with pytest.raises(tk.InputError, match="no audit"):
        read_audit(str(tmp_path / "a.json"))


def test_an_audit_is_read_back(tmp_path):
    (tmp_path / "a.json").write_text(json.dumps(audit()))
    assert [one.item for one in audit_findings(read_audit(str(tmp_path / "a.json")))] == [5, 5, 4]
