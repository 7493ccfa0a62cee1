"""Commands of every kind, run in the language in which every sentence has brackets.

    scene = make_scene(folder)          # runs SCENE, in this order, in the folder
    scene.runs[0].out, scene.runs[0].err

What they write is what other tests change, break and read again.
"""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import asdict, dataclass, replace
from fcntl import LOCK_EX, flock
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest
from catalogs.pseudo_locale import PSEUDO_LANGUAGE, write_pseudo_locale

from tokumei.apps.cli.app import main
from tokumei.core.language import use_language

ROWS = 120
AGES = [20 + i * 7 % 24 for i in range(ROWS)]
TABLE = "id,age,sex,zip,income,illness\n" + "".join(
    f"P-{i:03d},{AGES[i]},{'MF'[i % 2]},{100 + i % 4}-000{i % 3},{2000 + i * 37},"
    f"{('flu', 'cold')[AGES[i] < 30 and i % 2] if i % 9 else 'asthma'}\n"
    for i in range(ROWS)
)
ROLES = "--qi age,sex --sa income,illness"
BOTH = f"--original x.csv --release y.csv --truth link.csv {ROLES}"
H18, H17 = "--format pws2018", "--format pws2017 --master M.csv"
PRICES = "--data people.csv --patterns prices.csv"
MINED = "--data x.csv --qi sex,age --hierarchies auto --target illness"
FILES = {
    "x.csv": TABLE,
    "few.csv": "".join(TABLE.splitlines(keepends=True)[:7]),
    "gone.csv": "".join(TABLE.splitlines(keepends=True)[:3]),
    "rules.yaml": "magazine: {sex: M}\nyoung: {age: {min: 20, max: 29}}\n",
    "recipe.yaml": (
        "data: {file: x.csv, qi: [age, sex], sa: [income, illness], ids: [id]}\n"
        "releases:\n  - {name: alike, steps: [{method: mondrian, k: 5}]}\n"
    ),
    "history.yaml": (
        "history: {file: T.csv, format: pws2018}\nsweeps: [{method: rank-match, k: [2, 3]}]\n"
        "categories: prefix:2\nattacks: [consistent, best]\n"
    ),
    "periods.yaml": (
        "periods: {file: P.csv, master: M.csv}\nknowledge: {alphas: [0.5], prefix: {item: 2}}\n"
        "releases: [{name: monthly, method: pseudonyms, lifetime: 1}]\nattacks: [S1, best]\n"
    ),
}
SCENE = f"""
methods
methods mondrian
sample table --messy en --rows 60 --seed 1 --out customers.csv
look customers.csv --out look.html --save
look x.csv
anonymize table --data x.csv {ROLES} --id id --k 5 --seed 1 --out y.csv --secret link.csv
anonymize table --data x.csv {ROLES} --id id,zip --method local --k 5 --hierarchies auto --seed 2 \
 --out y2.csv --secret link2.csv
anonymize table --data x.csv --qi sex --sa income --id id --pass-rest \
 --method mondrian,noise --k 5 --seed 3 --out y3.csv
check --release y.csv --qi age,sex --k 5
1 check --release x.csv --qi age,sex --k 50
attack {BOTH} --seed 1
measure utility {BOTH}
diagnose {BOTH} --seed 1
risk --data x.csv --qi age,sex --out risk.html
curves {BOTH} --by qi --seed 1 --out curves
conform {BOTH} --seed 1 --out conformity.html
1 assess {BOTH} --for public
assess {BOTH} --for inside --knows age --no-remedies
2 assess --original x.csv --release y.csv --for partner {ROLES}
1 assess {BOTH} --for partner --limit smallest_class=50 --uses U1,U4 --keep income=3 \
 --report assessed.html
release x.csv --for partner --answers defaults --out to-partner
1 release few.csv --for public --answers defaults --out nothing
1 release few.csv --for public --answers defaults --anyway trial --out for-trial
release x.csv --for inside --knows age --pass zip --answers defaults --out inside
choose --data x.csv {ROLES} --id id --k 2,5 --seed 1 --out choice
sweep --data x.csv {ROLES} --id id --method mondrian --k 2,5 --seed 1 --out table-sweep
advise x.csv --recipient partner --known age,sex --keep income --steps 2 --seed 1 \
 --out advice.html
audit split --data x.csv --control 0.5 --seed 1 --out split
anonymize table --data split/members.csv {ROLES} --id id,zip --k 2 --seed 1 \
 --out members-release.csv
audit --release members-release.csv --members split/members.csv --control split/control.csv \
 --qi age,sex --sa illness --seed 1 --out audit.html
hierarchy build --data x.csv --column age --width 5,10 --out age.csv
hierarchy check --hierarchy age.csv --data x.csv --column age
hierarchy show --hierarchy age.csv --out tree.html
hierarchy export --builtin sex --out sexes.csv
ledger init ledger --key-file ledger.key
ledger add ledger --release y.csv --secret link.csv --data x.csv --id id {ROLES} --recipient A
ledger check ledger --with y2.csv --secret link2.csv --data x.csv --id id {ROLES} --recipient B \
 --joint-k 3
ledger check ledger --joint-k 3 --out joint.html
ledger show ledger
ledger verify ledger
ledger attack ledger --release r1 --data x.csv --secret link.csv {ROLES}
ledger forget ledger --people gone.csv --id id
rules mine {MINED} --people 2 --out mined.yaml
rules anonymize --data x.csv --id id --pass income --qi sex,age --rules rules.yaml \
 --hierarchies auto --k 2 --out fitted.csv
rules trial {MINED} --k 5 --draws 2 --seed 1
rules simulate --draws 5 --seed 1
sample history --rows 600 --customers 20 --seed 1 --out T.csv --items items.csv
anonymize history --data T.csv {H18} --method rank-match --k 3 --seed 1 --out A.csv \
 --public A1.csv --secret F.csv
publish {H18} --original T.csv --release A.csv --public A2.csv --secret F2.csv
1 assess {H18} --original T.csv --release A.csv --for partner --report assessed-history.html
1 check {H18} --original T.csv --release A.csv --k 6
measure utility {H18} --original T.csv --release A.csv
attack {H18} --known T.csv --public A1.csv --seed 1 --out F1.csv
measure safety {H18} --original T.csv --release A.csv --guess F1.csv
unicity --data T.csv {H18} --points 1-2 --by item,day --seed 1 --out unicity
categories {H18} --data T.csv --items items.csv --by keywords --out categories.csv
categories study {H18} --data T.csv --by prefix:2 --k 3
sweep {H18} --data T.csv --k 2,4 --method rank-match --seed 1 --out history-sweep
sample history {H17.replace("M.csv", "M.csv --out P.csv")} --rows 600 --customers 20 --seed 1
anonymize history {H17} --data P.csv --lifetime 1 --day 15 --seed 1 --out AT.csv --public S.csv \
 --secret FS.csv
check {H17} --original P.csv --release AT.csv
1 assess {H17} --original P.csv --release S.csv --truth FS.csv --for partner
measure utility {H17} --original P.csv --release AT.csv
knowledge --data P.csv --alpha 0.25 --prefix item=2 --seed 1 --out T25.csv
attack {H17} --known T25.csv --public S.csv --seed 1 --out Fh.csv
attack {H17} --known T25.csv --public S.csv --secret FS.csv --method scoreboard --curve --seed 1 \
 --out scoreboard
measure safety --format pws2017 --secret FS.csv --guess Fh.csv
1 conform {H17} --original P.csv --release AT.csv --public S.csv --seed 1
sample prices --rows 200 --seed 1 --out people.csv --prices prices.csv
sample prices --rows 200 --seed 2 --out people2.csv --prices prices2.csv
price optimize {PRICES} --k 5 --out sold.csv
price value {PRICES} --release sold.csv
price show {PRICES}
price diff --data people.csv --before prices.csv --after prices2.csv --k 5
2 price intents {PRICES} --k 5
price patterns suggest {PRICES}
price curve {PRICES} --k 2-4 --out price-curve
price pareto {PRICES} --k 2-4
run recipe.yaml --seed 1 --out results
paper 002 --out paper
contest init spring --preset pws2018 --rows 600 --customers 20
anonymize history --data spring/T.csv {H18} --method rank-match --k 3 --seed 1 \
 --out SA.csv --public SP.csv
contest check spring --release SA.csv
key release.key
leftovers .
completion bash
"""
"""One command on a line; it exits with the number before it, else with 0."""
LONG_SCENE = """
demo --out demo-out
assess --original x.csv --release y.csv --truth link.csv --qi age,sex --sa income,illness \
 --for partner --ledger ledger --control split/control.csv --report assessed-again.html
paper 000 --out paper
paper 001 --out paper
lifetime --data P.csv --master M.csv --alpha 0.5 --lifetimes 1-2 --seed 1 --out lifetime
run history.yaml --seed 1 --out history
run periods.yaml --seed 1 --out periods
paper 003 --out paper
paper 004 --out paper
advise T.csv --format pws2018 --recipient partner --keep item --steps 2 --seed 1 --out goods.html
price patterns suggest --patterns prices.csv --hide 0.2 --seed 1
"""
"""What takes longer; it reads what the scene wrote."""


@dataclass
class Ran:
    """A command, the code with which it ended, and what it printed."""

    command: str
    code: int
    out: str
    err: str
    expected: int = 0


@dataclass
class Scene:
    """The folder in which commands were run, and the commands."""

    folder: Path
    runs: list[Ran]


def list_scene(scene: str = SCENE) -> Iterator[tuple[int, str]]:
    """The expected exit codes, and the commands."""
    for line in filter(None, scene.replace("\\\n", "").splitlines()):
        number, _, rest = line.partition(" ")
        yield (int(number), rest) if number.isdigit() else (0, line)


def run_command(command: str | list[str]) -> Ran:
    """Run `tokumei …` in this process, in the pseudo-language."""
    args = shlex.split(command) if isinstance(command, str) else command
    out, err, code = _open_stream(), _open_stream(), 0
    with redirect_stdout(out), redirect_stderr(err):
        try:
            main(["--lang", PSEUDO_LANGUAGE, *args])
        except SystemExit as end:
            code = int(end.code or 0)
        finally:
            use_language("en")
    return Ran(shlex.join(args), code, _read_stream(out), _read_stream(err))


def make_scene(folder: Path, scene: str = SCENE) -> Scene:
    """Run a scene in a folder, or take what was run there."""
    kept = folder / f"{'runs' if scene == SCENE else 'more'}.json"

    def run() -> None:
        for name, text in FILES.items():
            (folder / name).write_text(text, encoding="utf-8")
        with working_in(folder):
            runs = [replace(run_command(text), expected=code) for code, text in list_scene(scene)]
        kept.write_text(json.dumps([asdict(ran) for ran in runs]), encoding="utf-8")

    make_once(folder, kept, run)
    return Scene(folder, [Ran(**plain) for plain in json.loads(kept.read_text("utf-8"))])


def make_locale(folder: Path) -> Path:
    """The folder with the language's catalog."""
    catalog = folder / PSEUDO_LANGUAGE / "LC_MESSAGES" / "tokumei.mo"
    make_once(folder, catalog, lambda: write_pseudo_locale(folder))
    return folder


def make_once(folder: Path, made: Path, make: Callable[[], object]) -> None:
    """Make something unless another process of this run made it."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("w") as lock:
        flock(lock, LOCK_EX)
        if not made.exists():
            make()


def shared_folder(factory: pytest.TempPathFactory, name: str) -> Path:
    """A folder that all processes of a run of tests have in common."""
    base = factory.getbasetemp()
    return (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / name


@contextmanager
def in_pseudo_language(factory: pytest.TempPathFactory) -> Iterator[str]:
    """Inside the block the language is there; in messages, English stays in force."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TOKUMEI_LOCALES", str(make_locale(shared_folder(factory, "pseudo-locale"))))
        patch.setenv("COLUMNS", "200")
        patch.setenv("NO_COLOR", "1")
        yield PSEUDO_LANGUAGE


@contextmanager
def working_in(folder: Path) -> Iterator[None]:
    """Inside the block the folder is the current one."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def _open_stream() -> TextIOWrapper:
    return TextIOWrapper(BytesIO(), encoding="utf-8", write_through=True)


def _read_stream(stream: TextIOWrapper) -> str:
    stream.seek(0)
    return stream.read()
