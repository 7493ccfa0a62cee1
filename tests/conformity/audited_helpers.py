"""What the tests split from test_audited share."""


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
