"""Compile the kernels once, before tests run in several processes that would each compile them.

python tests/compile_kernels.py
"""

import os
import shlex
import tempfile

from tokumei.cli.app import main

TABLE = "anonymize table --data x.csv --qi earners,region --sa food --k 5 --out y.csv --method"
PERIODS = "--format pws2017"
COMMANDS = f"""
sample table --rows 200 --seed 1 --out x.csv
{TABLE} mondrian
{TABLE} mondrian --set cut=median --l 2
{TABLE} mondrian-hierarchical --hierarchies auto
{TABLE} mondrian-hierarchical --hierarchies auto --l 2
{TABLE} local
{TABLE} local --l 2
sample history --rows 300 --seed 1 --out T.csv
anonymize history --data T.csv --format pws2018 --method aligned --k 3 --out A.csv --public A1.csv
sample history {PERIODS} --rows 500 --seed 1 --out P.csv --master M.csv
unicity {PERIODS} --data P.csv --points 1-2
anonymize history {PERIODS} --data P.csv --master M.csv --lifetime 1 --out AT.csv --public S.csv
knowledge {PERIODS} --data P.csv --alpha 0.5 --prefix item=2 --out K.csv
attack {PERIODS} --known K.csv --master M.csv --public S.csv --method best --out G.csv
"""


def run(command: str) -> None:
    """The command in this process; its failure ends everything."""
    try:
        main(shlex.split(command))
    except SystemExit as end:
        if end.code:
            raise


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for command in COMMANDS.strip().splitlines():
            run(command)
        os.chdir("/")
