"""Texts of `tokumei --help`: sections, and what each group of commands is for."""

from __future__ import annotations

from tokumei.core.messages import Message

PROGRAM_DESCRIPTION = Message(
    "Tokumei ({japanese_name}): anonymize tables and purchase histories, attack the result as a "
    "real attacker would, and measure what the data is still worth and who could be found.\n\n"
    "Start with:  tokumei demo\n\nEvery command takes --json (one JSON document on stdout), "
    "--lang and --help. Exit code: 0 done, 1 the data breaks a rule or a claim, 2 wrong usage or "
    "unreadable input.",
    japanese_name="匿名",
)
HELP_SECTIONS = (
    (
        Message("Start here"),
        {
            "studio": Message("work on a file in the browser"),
            "look": Message("what a file is, column by column"),
            "release": Message("make the release that suits a recipient"),
            "demo": Message("the whole flow on generated data"),
            "run": Message("run a recipe: a whole experiment"),
            "methods": Message("list all methods and what they do"),
            "paper": Message("recompute one of the five papers"),
            "completion": Message("complete commands in your shell"),
        },
    ),
    (
        Message("Data"),
        {
            "sample": Message("generate made-up data"),
            "hierarchy": Message("build, check and show hierarchies"),
            "categories": Message("put the items of a history into categories"),
            "knowledge": Message("draw what an attacker knows"),
        },
    ),
    (
        Message("Anonymize"),
        {
            "anonymize": Message("make a release and verify it"),
            "publish": Message("make the public and the secret file of a contest"),
            "rules": Message("keep what recommendations need"),
            "advise": Message("which release suits a purpose"),
            "choose": Message("which k, and what else to do"),
            "sweep": Message("loss and risk for every k"),
            "price": Message("what data is worth, and the best recoding"),
            "key": Message("make a key for a repeatable release"),
        },
    ),
    (
        Message("Attack and measure"),
        {
            "attack": Message("re-identify people in a release"),
            "audit": Message("membership, inference, singling out"),
            "measure": Message("what a release is worth, and what its structure gives away"),
            "risk": Message("the risk that a table carries"),
            "unicity": Message("who is singled out by a few known purchases"),
            "lifetime": Message("how long a pseudonym may be used"),
            "curves": Message("attacks by number of columns and rows"),
            "diagnose": Message("which methods made a release"),
        },
    ),
    (
        Message("Verify"),
        {
            "check": Message("recompute k and other models of any file"),
            "assess": Message("say whether a release may go to its recipient"),
            "conform": Message("evidence for the law's requirements"),
            "ledger": Message("the joint disclosure risk of all releases"),
            "leftovers": Message("files that killed runs left behind"),
        },
    ),
    (Message("Contests"), {"contest": Message("play, serve and judge contests")}),
)
"""All commands in few words, under what a person wants to do."""
OTHER_COMMANDS = Message("More")
GROUP_DESCRIPTIONS = {
    "anonymize": Message("Make a release and verify it."),
    "sample": Message("Generate made-up data that looks like the real thing."),
    "measure": Message("Measure what a release is worth, and what its structure gives away."),
    "contest": Message(
        "Contests: teams anonymize the same data, then attack each other's releases.\n\nStart "
        "with:  tokumei contest demo"
    ),
    "price": Message("What data is worth, and the most valuable recoding."),
    "price patterns": Message("Words for the values of a price list."),
    "hierarchy": Message("Hierarchies: what each value becomes, step by step, up to *."),
    "audit": Message("What a release reveals about the people in it."),
    "ledger": Message(
        "The release ledger: the joint disclosure risk of all releases, before you publish the "
        "next one."
    ),
    "rules": Message("Recommendation rules: keep in the data what recommendations need."),
}
"""What groups of commands are for."""
