"""A confined process cannot open the vault, and does everything else as before."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from tokumei.apps.contest.store.server_home import prepare_home

SCRIPT = """
import json, os, subprocess, sys, tempfile
from pathlib import Path
from tokumei.apps.contest.store.sandbox import hide_vault_from_web
from tokumei.apps.contest.store.file_store import FileReceiver
from tokumei.apps.contest.store.server_home import open_home
from tokumei.apps.contest.services.validation import generate_id

home = open_home(Path(sys.argv[1]))
secret = home.path / "vault" / "truth" / ("a" * 20)
assert secret.read_bytes() == b"truth"
confined = hide_vault_from_web(home.path)

def refused(action):
    try:
        action()
    except PermissionError:
        return True
    except OSError as error:
        return f"{error}"
    return False

database = home.database()
with database.write():
    pass
database.close()
database = home.database()
entry = generate_id()
with FileReceiver(home.inbox.path(entry), 100) as upload:
    upload.write(b"upload")
    upload.keep()
with tempfile.NamedTemporaryFile() as stream:
    stream.write(b"temporary")
through = Path(f"/proc/self/root{secret}")
linked = home.path.parent / "link" / "home" / "vault" / "truth" / ("a" * 20)
print(json.dumps({
    "confined": confined,
    "refused": [
        refused(lambda: secret.read_bytes()),
        refused(lambda: secret.write_bytes(b"forged")),
        refused(lambda: secret.unlink()),
        refused(lambda: os.listdir(home.path / "vault")),
        refused(lambda: (home.path / "vault" / "new").write_bytes(b"")),
        refused(lambda: through.read_bytes()),
        refused(lambda: linked.read_bytes()),
        refused(lambda: os.link(secret, home.path / "files" / "stolen")),
        refused(lambda: (home.path / "vault").rename(home.path / "files" / "moved")),
        subprocess.run(["cat", secret], capture_output=True).returncode != 0,
    ],
    "works": [
        home.files.read(home.files.put(b"file")) == b"file",
        home.inbox.path(entry).read_bytes() == b"upload",
        (home.path / "contests" / "c" / "T.csv").read_bytes() == b"T",
        len(home.read_cookie_key()) == 32,
    ],
}))
"""


def test_the_vault_is_out_of_reach(tmp_path):
    home = prepare_home(tmp_path / "home")
    home.vault().keep_truth("a" * 20, b"truth")
    (tmp_path / "link").symlink_to(tmp_path)  # a way back that must not open it
    (home.contests / "c").mkdir()
    (home.contests / "c" / "T.csv").write_bytes(b"T")
    ran = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(home.path)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    found = json.loads(ran.stdout)
    if not found["confined"]:
        pytest.skip("this system has no Landlock")
    assert all(found["works"])
    assert all(found["refused"]), found["refused"]
    assert home.vault().truth_path("a" * 20).read_bytes() == b"truth"
