"""What the tests split from test_front_ends share."""

from __future__ import annotations

from pseudonyms.services.front_ends_helpers import SEED, Case, files


def by_command_line(tokumei, case: Case) -> dict[str, bytes]:
    given = [
        part for key, value in case.method.items() for part in (f"--{key.replace('_', '-')}", value)
    ]
    source = ["--format", "pws2017", "--data", case.name, "--master", "M.csv"]
    source += ["--encoding", case.encoding]
    paths = ["--public", "c.csv", "--secret", "c.secret.csv", "--out", "c.all.csv"]
    ran = tokumei("anonymize", "history", *source, *given, "--seed", SEED, *paths)
    assert ran.code == 0, ran.err
    return files("c.csv", "c.secret.csv")
