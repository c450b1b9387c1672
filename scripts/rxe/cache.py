# SPDX-License-Identifier: Apache-2.0
"""Where the unpacked packages and the guest's kernel are kept: one folder for each way of making them.

Runs of different versions of this repository may share the cache. Each holds a shared lock on its folder's lock file
while it lives, and a folder is removed only by who gets that lock alone. Lock files are opened, and folders made and
removed, under the one lock of the whole cache.
"""

import fcntl
import hashlib
import os
import pathlib
import shutil
import time
from contextlib import ExitStack, contextmanager

# Who goes back and forth between two versions does not fetch each time.
KEPT_UNUSED_SECONDS = 24 * 3600


def base_folder():
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return pathlib.Path(base) / "verbena" / "rxe-vm"


def recipe(files):
    """Changes when the way of making the folder changes."""
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:16]


@contextmanager
def prepared(name, make):
    """The folder of that name, made by the first that comes with make(part); it stays as long as this is entered."""
    base = base_folder()
    base.mkdir(parents=True, exist_ok=True)
    folder = base / name
    with ExitStack() as stack:
        with locked(base / "lock"):
            stack.enter_context(hold(folder))
            if not folder.exists():
                remove_stale(base)
                make_whole(folder, make)
        yield folder


def hold(folder):
    """Nobody removes the folder until what is returned is closed."""
    used = open(lock_of(folder), "a")
    fcntl.flock(used, fcntl.LOCK_SH)
    os.utime(used.fileno())
    return used


@contextmanager
def locked(path):
    """Others wait; what they waited for is then done."""
    with open(path, "a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def lock_of(folder):
    return folder.with_name(folder.name + ".lock")


def make_whole(folder, make):
    """It has its name only once it is complete."""
    part = folder.with_name("part")
    shutil.rmtree(part, ignore_errors=True)  # of a run that was killed
    part.mkdir()
    try:
        make(part)
        part.rename(folder)
    finally:
        shutil.rmtree(part, ignore_errors=True)


def remove_stale(base):
    for folder in base.iterdir():
        if folder.is_dir() and folder.name != "part" and not in_use(folder):
            shutil.rmtree(folder)
            lock_of(folder).unlink(missing_ok=True)


def in_use(folder):
    """Whether a run has it open, or had it open lately."""
    try:
        with open(lock_of(folder)) as used:
            fcntl.flock(used, fcntl.LOCK_EX | fcntl.LOCK_NB)
            last_use = os.fstat(used.fileno()).st_mtime
    except FileNotFoundError:
        last_use = folder.stat().st_mtime
    except BlockingIOError:
        return True
    return time.time() - last_use < KEPT_UNUSED_SECONDS
