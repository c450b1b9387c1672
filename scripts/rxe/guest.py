# SPDX-License-Identifier: Apache-2.0
"""One run of one guest."""

import ctypes
import os
import pathlib
import shlex
import signal
import subprocess
import tempfile

import image

KERNEL_ARGUMENTS = (
    "console=ttyS0 quiet panic=-1 reboot=t nokaslr mitigations=off audit=0 apparmor=0 random.trust_cpu=on "
    "tsc=reliable clocksource=tsc no_timer_check rcupdate.rcu_expedited=1"
)
PR_SET_PDEATHSIG = 1
LIBC = ctypes.CDLL(None)
PASSED_ON = ("HOME", "LANG", "JAVA_HOME", "TERM")
PASSED_PREFIXES = ("VERBENA_", "GTEST_", "CTEST_", "ASAN_", "UBSAN_", "TSAN_")


def end_with_parent():
    """A machine that nobody waits for any more would stay for ever."""
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


class Guest:
    """A command in a machine of its own. `number` is 1, or 2 for the second of a pair."""

    def __init__(self, cache, command, *, number=1, wire=None, netem="", writable=(), memory=3072):
        self.cache = cache
        self.number = number
        self.wire = wire
        self.writable = [str(pathlib.Path(folder).resolve()) for folder in writable]
        self.memory = memory
        self.folder = tempfile.TemporaryDirectory(prefix="rxe-vm-")
        self.task = pathlib.Path(self.folder.name)
        self.process = None
        (self.task / "command").write_text(self.script(command))
        (self.task / "writable").write_text("".join(folder + "\n" for folder in self.writable))
        (self.task / "netem").write_text(netem)

    def script(self, command):
        """Run by the guest's shell: same folder, same environment as far as it means something there."""
        exports = [
            f"export {name}={shlex.quote(value)}" for name, value in sorted(os.environ.items())
            if name in PASSED_ON or name.startswith(PASSED_PREFIXES)
        ]
        here = [f"export VERBENA_VM_ADDRESS=10.99.0.{self.number}", f"export VERBENA_VM_PEER=10.99.0.{3 - self.number}"]
        return "\n".join([*exports, *here, f"cd {shlex.quote(os.getcwd())} || exit 126",
                          "exec " + " ".join(shlex.quote(word) for word in command), ""])

    def start(self, out, err):
        """Boots; what the command prints goes to the two descriptors."""
        programs = self.cache / "programs"
        environment = dict(os.environ, LD_LIBRARY_PATH=image.library_path(programs),
                           QEMU_MODULE_DIR=str(programs / "usr/lib/x86_64-linux-gnu/qemu"))
        # qemu refuses descriptors of standard streams, even as places to write to.
        passed = (os.dup(out), os.dup(err))
        with open(self.task / "qemu", "w") as own_words:
            self.process = subprocess.Popen(self.arguments(programs, *passed), env=environment, pass_fds=passed,
                                            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=own_words,
                                            preexec_fn=end_with_parent)
        for descriptor in passed:
            os.close(descriptor)

    def arguments(self, programs, out, err):
        return [
            str(image.find_program(programs, "qemu-system-x86_64")),
            "-M", "q35", "-accel", "tcg,thread=multi", "-cpu", "Nehalem", "-smp", "2", "-m", str(self.memory),
            "-nodefaults", "-no-user-config", "-no-reboot", "-display", "none",
            *self.firmware(programs),
            "-kernel", str(self.cache / "vmlinux"), "-initrd", str(self.cache / "initramfs"),
            "-append", f"{KERNEL_ARGUMENTS} {self.settings()}",
            "-chardev", f"file,id=console,path={self.task / 'console'}", "-serial", "chardev:console",
            "-device", "virtio-rng-pci", "-device", "virtio-serial-pci",
            *self.output("out", out, 1), *self.output("err", err, 2),
            *self.share("host", "/", readonly=True), *self.share("programs", str(programs), readonly=True),
            *self.share("task", str(self.task)),
            *(word for index, folder in enumerate(self.writable) for word in self.share(f"writable{index}", folder)),
            *(self.wire or []),
        ]

    def settings(self):
        return (f"verbena.guest={self.number} verbena.pair={0 if self.wire is None else 1} "
                f"verbena.writable={len(self.writable)}")

    @staticmethod
    def firmware(programs):
        folders = [programs / "usr/share/qemu", programs / "usr/share/seabios",
                   pathlib.Path("/usr/share/qemu"), pathlib.Path("/usr/share/seabios")]
        return [word for folder in folders if folder.is_dir() for word in ("-L", str(folder))]

    @staticmethod
    def output(name, descriptor, number):
        # A file on a passed descriptor: qemu's stdio needs a terminal's input.
        return ["-add-fd", f"fd={descriptor},set={number}",
                "-chardev", f"file,id={name},path=/dev/fdset/{number},append=on",
                "-device", f"virtserialport,chardev={name},name={name}"]

    @staticmethod
    def share(tag, path, readonly=False):
        return ["-virtfs", f"local,path={path.replace(',', ',,')},mount_tag={tag},security_model=none,"
                           f"multidevs=remap,readonly={'on' if readonly else 'off'}"]

    def status(self):
        """The command's exit status; None when the guest ended without one."""
        try:
            return int((self.task / "status").read_text())
        except (FileNotFoundError, ValueError):
            return None

    def troubles(self):
        """What the machine itself said, for a run that went wrong."""
        text = "".join((self.task / name).read_text(errors="replace") for name in ("qemu", "console")
                       if (self.task / name).exists())
        return "\n".join(text.splitlines()[-30:])

    def close(self):
        if self.process is not None and self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.folder.cleanup()
