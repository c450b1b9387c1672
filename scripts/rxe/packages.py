# SPDX-License-Identifier: Apache-2.0
"""What the virtual machine is made of: packages of the distribution, unpacked in a cache, nothing installed."""

import platform
import re
import shutil
import subprocess

KERNEL_META = "linux-image-amd64"
# Of these only what the host does not have is fetched: the guest sees the host's files too.
PROGRAMS = [
    "qemu-system-x86", "busybox-static", "kmod", "iproute2",
    "libibverbs1", "ibverbs-providers", "ibverbs-utils", "perftest",
]
DOWNLOAD_TIMEOUT_SECONDS = 300
# Bookworm's and later releases' merged layout: packages still name the old places.
MERGED_FOLDERS = ["bin", "sbin", "lib", "lib64"]


class Unavailable(Exception):
    """The packages cannot be had here; the message says why."""


def check_host():
    if platform.system() != "Linux" or platform.machine() != "x86_64":
        raise Unavailable(f"the recipe is for Linux on x86-64, this is {platform.system()} on {platform.machine()}")
    for tool in ("apt-get", "dpkg", "apt-cache"):
        if shutil.which(tool) is None:
            raise Unavailable(f"there is no {tool}: the packages are Debian's")


def run(command, **options):
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=DOWNLOAD_TIMEOUT_SECONDS, **options)
    except subprocess.TimeoutExpired:
        raise Unavailable(f"'{' '.join(command[:4])} …' did not end within {DOWNLOAD_TIMEOUT_SECONDS} s") from None
    if done.returncode != 0:
        lines = (done.stderr or done.stdout).strip().splitlines()
        raise Unavailable(f"'{' '.join(command[:4])} …' failed: {lines[-1] if lines else 'without a word'}")
    return done.stdout


def missing_programs():
    """The programs above with the libraries they need, as far as the host has not installed them."""
    plan = run(["apt-get", "install", "--simulate", "--no-install-recommends", *PROGRAMS])
    return re.findall(r"^Inst (\S+)", plan, re.MULTILINE)


def kernel_package():
    depends = run(["apt-cache", "depends", KERNEL_META])
    found = re.search(r"Depends: (linux-image-\S+-amd64)$", depends, re.MULTILINE)
    if not found:
        raise Unavailable(f"the archive has no {KERNEL_META}; 'apt-get update' may be needed")
    return found.group(1)


def unpack(packages, archives, root):
    """Into one tree in the layout of a running system."""
    archives.mkdir(parents=True)
    run(["apt-get", "download", *packages], cwd=archives)
    root.mkdir(parents=True)
    for archive in sorted(archives.glob("*.deb")):
        run(["dpkg", "-x", str(archive), str(root)])
    for name in MERGED_FOLDERS:
        merge(root / name, root / "usr" / name)
    shutil.rmtree(archives)


def merge(source, target):
    if not source.is_dir() or source.is_symlink():
        return
    shutil.copytree(source, target, symlinks=True, dirs_exist_ok=True)
    shutil.rmtree(source)


def fetch(folder):
    """Makes folder/programs and folder/kernel."""
    check_host()
    programs = missing_programs()
    if programs:
        unpack(programs, folder / "archives", folder / "programs")
    else:
        (folder / "programs").mkdir()
    unpack([kernel_package()], folder / "archives", folder / "kernel")
