"""What the tests split from test_recoding_commands share."""

RECODERS = ["flash", "local", "mondrian-hierarchical", "auto"]


def anonymize(run, method, *options, qi="a,b", data="x.csv", out="y.csv"):
    return run(
        *("anonymize", "table", "--data", data, "--qi", qi, "--method", method, "--k", "5"),
        *("--out", out, *options),
    )
