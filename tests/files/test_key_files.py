"""Tests of tokumei.files.key_files."""

from __future__ import annotations

from contextlib import chdir
from pathlib import Path

import tokumei as tk
from tokumei.apps.studio.job_handlers.advise import open_project
from tokumei.apps.studio.job_handlers.profile_source import profile_source
from tokumei.apps.studio.job_handlers.release import write_release
from tokumei.apps.studio.store.home import StudioHome
from tokumei.files.key_files import read_key
from tokumei.pseudonyms.data.period_history import to_period_history


class Silent:
    def progress(self, share, words): ...

    def fresh(self): ...


def test_a_studio_job_writes_what_python_writes(tmp_path):
    bought = [
        f"C{n % 9},2024-{1 + n % 3:02d}-{1 + n % 27:02d},A{n % 5},{100 + n % 7},{1 + n % 3}"
        for n in range(80)
    ]
    text = "\n".join(["customer,day,item,price,quantity", *bought, ""])
    with chdir(tmp_path):
        Path("bought.csv").write_text(text)
        project = StudioHome.open(tmp_path / "home").begin("bought.csv", tmp_path / "bought.csv")
        profile_source(project, {}, Silent())
        columns = {name: name for name in ("customer", "day", "item", "price", "quantity")}
        project.change(kind="pseudonyms", columns=columns)
        profile_source(project, {}, Silent())
        step = {"method": "pseudonyms", "lifetime": 2}
        request = {"kind": "pseudonyms", "steps": [step]}
        project.write_result("candidates/one", {"id": "one", "request": request})
        open_project(project)  # writes the purchases as recipes of this kind read them
        args = {"id": "one", "folder": str(tmp_path / "out"), "anyway": "a test"}
        write_release(project, args, Silent())
        history = to_period_history(tk.read_history("bought.csv", columns=columns))
        seed = read_key("out/secret/release.key")
        tk.save(tk.anonymize(history, **step, seed=seed), "p.csv")
        assert Path("p.csv").read_bytes() == Path("out/releases/01-release.csv").read_bytes()
