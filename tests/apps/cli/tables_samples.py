"""What the tests split from test_tables share."""


def attack(tokumei, paper, release, *more):
    ran = tokumei("attack", "--original", "x.csv", "--release", release, *paper, "--json", *more)
    assert ran.code == 0
    return ran.json


def make_sample(tokumei, rows=300):
    ran = tokumei("sample", "table", "--rows", rows, "--seed", 1, "--out", "s.csv", "--json")
    return ["--qi", ",".join(ran.json["qi"][:6]), "--sa", ",".join(ran.json["sa"])]
