"""`tokumei attack --format pws2018`: name the customers behind the pseudonyms."""

from __future__ import annotations

from tokumei.cli.check_history import contest_only
from tokumei.cli.options import Format
from tokumei.core.text import Text


def attack_contest(
    format: Format,
    *,
    known: str,
    public: str,
    method: str,
    answers: str,
    out: str | None,
    encoding: str,
    seed: int | None,
    json: bool,
) -> None:
    """Run one attack on a public file and write its guess."""
    from tokumei.cli.anonymize import spare_original
    from tokumei.cli.console import note, print_json
    from tokumei.core.randomness import Randomness
    from tokumei.files.atomic import write_all
    from tokumei.files.contest_text import contest_output
    from tokumei.histories.flow import chosen_answers
    from tokumei.histories.formats.reading import read_history, read_public
    from tokumei.histories.registry import attackers as history_attackers

    contest_only(format)
    for source in (known, public):
        spare_original(source, [out])
    knowledge = read_history(known, format=format.value, encoding=encoding)
    rows = read_public(public, encoding=encoding)
    attacker = history_attackers.build(method)
    guess = attacker.attack(rows, knowledge, rng=Randomness(seed))
    guess = chosen_answers(guess, answers)
    if out is not None:
        write_all([contest_output(guess.frame(), out)])
    answered = guess.frame().height
    expected = float(guess.confidence[guess.answered].sum())
    if json:
        print_json({"out": out, "method": method, "answered": answered, "expected_hits": expected})
        return
    note(
        Text(
            f"{answered} people named; the attack expects {expected:.0f} of them to be right",
            f"{answered} 人を推定 (攻撃自身の見込みでは {expected:.0f} 人が正解)",
        )
    )
