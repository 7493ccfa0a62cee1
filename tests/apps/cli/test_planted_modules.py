"""What lies in the current folder is not run by studio, price service or Spark's workers."""

from __future__ import annotations

import subprocess
from pathlib import Path

import httpx
import pytest

from support.contest_server import document
from support.planted_modules import plant_modules, run_modules
from support.system_users import SystemUser, user_of_tests
from support.waiting import HUNG_SECONDS, wait_until
from tokumei.apps.price.datasets.sample_people import sample_prices
from tokumei.apps.studio.store.home import StudioHome


@pytest.fixture
def somebody(tmp_path: Path) -> SystemUser:
    user = user_of_tests(tmp_path)
    plant_modules(user)
    return user


@pytest.mark.long
def test_studio_and_its_jobs(somebody: SystemUser) -> None:
    command = ["tokumei", "studio", "--home", "home", "--no-browser", "--json"]
    with subprocess.Popen(
        command, **somebody.process(), stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            address = document(process)["address"]
            base, origin = address.partition("/enter")[0], "/".join(address.split("/")[:3])
            headers = {"origin": origin, "sec-fetch-site": "same-origin"}
            with httpx.Client(headers=headers, timeout=HUNG_SECONDS) as client:
                client.get(address)
                begun = client.post(f"{base}/sample", data={"sample": "customers"})
                assert begun.is_redirect, begun.text
            home = StudioHome(somebody.folder / "home")
            wait_until(
                lambda: [one for one, _ in home.list_recent_projects() if one.result("look")]
            )
        finally:
            process.terminate()
    assert run_modules(somebody.folder) == []


def test_price_service(somebody: SystemUser) -> None:
    people, prices = sample_prices(100, seed=1)
    people.write_csv(somebody.folder / "people.csv")
    prices.write_csv(somebody.folder / "prices.csv")
    command = ["tokumei", "price", "serve", "--data", "people.csv", "--patterns", "prices.csv"]
    with subprocess.Popen(
        [*command, "--port", "0", "--json"],
        **somebody.process(),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        try:
            address = document(process)["address"]
            assert httpx.get(f"{address}v1/prices", timeout=HUNG_SECONDS).is_success
        finally:
            process.terminate()
    assert run_modules(somebody.folder) == []


@pytest.mark.long
@pytest.mark.usefixtures("spark_installed")
def test_spark_workers(somebody: SystemUser) -> None:
    rows = "".join(f"{n % 40},2011/1/{1 + n % 28},i{n % 9},1.5,{1 + n % 3}\n" for n in range(300))
    (somebody.folder / "T.csv").write_text(rows)
    command = ["tokumei", "anonymize", "history", "--format", "pws2018", "--data", "T.csv"]
    command += ["--method", "rank-match", "--k", "2", "--public", "P.csv", "--secret", "S.csv"]
    done = subprocess.run(
        [*command, "--out", "A.csv", "--engine", "spark", "--master", "local[1]"],
        **somebody.process(),
        capture_output=True,
        text=True,
        check=False,
        timeout=4 * HUNG_SECONDS,
    )
    assert done.returncode == 0, done.stderr
    assert run_modules(somebody.folder) == []
