"""Hidden files of our own: closed to others, gone at the end, found if they are left."""

from pathlib import Path

import pytest

from tokumei.files.temporary_files import (
    SECRET_PREFIX,
    UNVERIFIED_PREFIX,
    find_leftovers,
    hidden_path_beside,
    open_secret_file,
    temporary_secret_folder,
)


def test_a_hidden_name_stands_beside_the_file_and_is_new() -> None:
    target = Path("out") / "release.csv"
    names = {hidden_path_beside(target, UNVERIFIED_PREFIX) for _ in range(20)}
    assert len(names) == 20
    assert {name.parent for name in names} == {target.parent}
    assert all(name.name.startswith(".") for name in names)


def test_a_secret_folder_is_gone_at_the_end_even_after_an_error(tmp_path: Path) -> None:
    def fail_inside() -> None:
        with temporary_secret_folder(tmp_path / "release.csv") as folder:
            assert folder.parent == tmp_path
            (folder / "link.csv").write_text("secret")
            raise KeyError

    with pytest.raises(KeyError):
        fail_inside()
    assert list(tmp_path.iterdir()) == []


def test_a_secret_file_never_replaces_another(tmp_path: Path) -> None:
    with open_secret_file(tmp_path / "key") as file:
        file.write(b"1")
    with pytest.raises(FileExistsError):
        open_secret_file(tmp_path / "key")
    assert (tmp_path / "key").read_bytes() == b"1"


def test_only_our_own_files_are_leftovers(tmp_path: Path) -> None:
    (tmp_path / "release.csv").write_text("public")
    (tmp_path / ".hidden").write_text("somebody else's")
    left = tmp_path / f"{SECRET_PREFIX}0011"
    left.write_text("secret")
    assert find_leftovers([tmp_path, tmp_path / "absent"]) == [left]
