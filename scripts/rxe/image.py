# SPDX-License-Identifier: Apache-2.0
"""Kernel and first file system of the guest, in the forms that boot fastest under emulation."""

import lzma
import os
import pathlib
import re
import shutil
import struct
import subprocess
import zlib

from packages import Unavailable

# In this order, each after what it depends on; crc32_generic is what rdma_rxe asks for by another name. Names that a kernel has built in or has merged into
# another module are passed over.
MODULES = """
    virtio_pci 9pnet_virtio 9p overlay virtio_console virtio-rng virtio_net
    crc32_generic dummy veth tun ib_uverbs rdma_rxe rdma_ucm sch_netem
""".split()
NEEDED = {"9p", "overlay", "rdma_rxe", "ib_uverbs"}


def find_program(programs, name):
    for folder in ("usr/sbin", "usr/bin"):
        if (programs / folder / name).exists():
            return programs / folder / name
    found = shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")
    if found is None:
        raise Unavailable(f"there is no {name}, neither in the packages nor on the host")
    return pathlib.Path(found)


def library_path(programs):
    return ":".join(str(programs / folder) for folder in
                    ("usr/lib/x86_64-linux-gnu", "usr/lib/x86_64-linux-gnu/pulseaudio", "usr/lib"))


def decompress(data):
    if data.startswith(b"\xfd7zXZ\x00"):
        return lzma.LZMADecompressor().decompress(data)
    if data.startswith(b"\x1f\x8b"):
        return zlib.decompressobj(31).decompress(data)
    if data.startswith(b"\x28\xb5\x2f\xfd"):
        return subprocess.run(["zstd", "-dc"], input=data, capture_output=True, check=True).stdout
    return data


def plain_kernel(image):
    """The ELF file within a bzImage: emulated, decompressing it would take longer than all the rest."""
    sectors = image[0x1F1] or 4
    offset, length = struct.unpack_from("<II", image, 0x248)
    start = (sectors + 1) * 512 + offset
    kernel = decompress(image[start:start + length])
    if not kernel.startswith(b"\x7fELF"):
        raise Unavailable("the kernel package holds an image of a form that is not known")
    return kernel


def dependencies(modules_folder):
    """Module name -> its file and those it needs, as modules.dep has them."""
    table = {}
    for line in (modules_folder / "modules.dep").read_text().splitlines():
        file, _, needed = line.partition(":")
        table[module_name(file)] = (file, needed.split())
    return table


def module_name(file):
    return re.sub(r"\.ko(\.\w+)?$", "", pathlib.Path(file).name).replace("-", "_")


def load_order(table):
    order = []
    for name in (module.replace("-", "_") for module in MODULES):
        if name not in table:
            if name in NEEDED:
                raise Unavailable(f"the kernel package has no module {name}")
            continue
        file, needed = table[name]
        # modules.dep lists the most dependent first.
        order += [each for each in [*reversed(needed), file] if each not in order]
    return order


class Archive:
    """A cpio archive as the kernel takes it ("newc")."""

    def __init__(self, stream):
        self.stream = stream
        self.number = 0

    def add(self, name, mode, data=b""):
        self.number += 1
        fields = [self.number, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(name) + 1, 0]
        header = b"070701" + b"".join(b"%08x" % field for field in fields)
        self.write(header + name.encode() + b"\0")
        self.write(data)

    def write(self, data):
        self.stream.write(data + b"\0" * (-len(data) % 4))

    def folder(self, name):
        self.add(name, 0o040755)

    def program(self, name, data):
        self.add(name, 0o100755, data)

    def file(self, name, data):
        self.add(name, 0o100644, data)

    def close(self):
        self.add("TRAILER!!!", 0)


def write_initramfs(target, busybox, init, modules_folder, order):
    with open(target, "wb") as stream:
        archive = Archive(stream)
        for name in ("bin", "dev", "proc", "sys", "modules"):
            archive.folder(name)
        archive.program("bin/busybox", busybox.read_bytes())
        archive.program("init", init.read_bytes())
        for file in order:
            archive.file(f"modules/{module_name(file)}.ko", decompress((modules_folder / file).read_bytes()))
        archive.file("modules/order", "\n".join(module_name(file) for file in order).encode() + b"\n")
        archive.close()


def make(folder, init):
    """Makes folder/vmlinux and folder/initramfs out of the unpacked packages."""
    programs, kernel = folder / "programs", folder / "kernel"
    image = next((kernel / "boot").glob("vmlinuz-*"))
    version = image.name.removeprefix("vmlinuz-")
    (folder / "vmlinux").write_bytes(plain_kernel(image.read_bytes()))
    environment = dict(os.environ, LD_LIBRARY_PATH=library_path(programs))
    # One program under many names; its links are absolute and so lead out of the unpacked tree.
    subprocess.run(["depmod", "-b", kernel / "usr", version], executable=find_program(programs, "kmod"),
                   check=True, env=environment)
    modules_folder = kernel / "usr" / "lib" / "modules" / version
    write_initramfs(folder / "initramfs", find_program(programs, "busybox"), init, modules_folder,
                    load_order(dependencies(modules_folder)))
    shutil.rmtree(kernel)
