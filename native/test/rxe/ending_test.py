# SPDX-License-Identifier: Apache-2.0
"""What is left when scripts/rxe-vm is ended: no machine, no files. Its argument is the folder of the scripts."""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

SCRIPTS = pathlib.Path(sys.argv.pop(1))
PATIENCE_SECONDS = 20

# Says that it runs, and does so until it is ended.
MACHINE = """#!/bin/sh
echo $$ >"$MACHINES/part.$$"
mv "$MACHINES/part.$$" "$MACHINES/$$"
exec sleep 600
"""


def runs(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def await_that(condition):
    until = time.monotonic() + PATIENCE_SECONDS
    while not condition() and time.monotonic() < until:
        time.sleep(0.01)
    return condition()


class EndingTest(unittest.TestCase):

    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.root = pathlib.Path(place.name)
        self.scripts = self.root / "scripts"
        shutil.copytree(SCRIPTS, self.scripts)
        for suite in ("conformance", "fabric"):
            self.program(f"native/target/build/test/{suite}/{suite}-test", "#!/bin/sh\n")
        self.program(f"cache/verbena/rxe-vm/{self.recipe()}/programs/usr/bin/qemu-system-x86_64", MACHINE)
        for name in ("temporary", "machines"):
            (self.root / name).mkdir()

    def program(self, name, text):
        file = self.root / name
        file.parent.mkdir(parents=True)
        file.write_text(text)
        file.chmod(0o755)
        return file

    def recipe(self):
        sys.path.insert(0, str(SCRIPTS / "rxe"))
        import cache
        return cache.recipe([SCRIPTS / "rxe" / name for name in ("packages.py", "image.py", "init")])

    def start(self, script, *arguments):
        environment = dict(os.environ, XDG_CACHE_HOME=str(self.root / "cache"), TMPDIR=str(self.root / "temporary"),
                           MACHINES=str(self.root / "machines"))
        started = subprocess.Popen([self.scripts / script, *arguments], env=environment, stdout=subprocess.DEVNULL,
                                   start_new_session=True)
        self.addCleanup(self.end_session, started)
        return started

    @staticmethod
    def end_session(started):
        try:
            os.killpg(started.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        started.wait()

    def machines(self):
        return [int(file.name) for file in (self.root / "machines").glob("[0-9]*")]

    def check_nothing_left(self, count):
        self.assertEqual(count, len(self.machines()))
        self.assertTrue(await_that(lambda: not any(runs(pid) for pid in self.machines())), "a machine is left")
        self.assertTrue(await_that(lambda: not any((self.root / "temporary").iterdir())), "files are left")

    def test_signals_end_the_machine_and_remove_the_files(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            with self.subTest(number):
                before = len(self.machines())
                script = self.start("rxe-vm", "true")
                self.assertTrue(await_that(lambda: len(self.machines()) == before + 1))
                script.send_signal(number)
                self.assertEqual(128 + number, script.wait(PATIENCE_SECONDS))
                self.check_nothing_left(before + 1)

    def test_machine_ends_with_a_script_that_is_killed(self):
        script = self.start("rxe-vm", "true")
        self.assertTrue(await_that(self.machines))
        script.kill()
        script.wait()
        self.assertTrue(await_that(lambda: not runs(self.machines()[0])), "the machine is left")

    def test_signal_for_the_conformance_script_alone_ends_the_machine(self):
        script = self.start("rxe-conformance")
        self.assertTrue(await_that(self.machines))
        script.terminate()
        self.assertEqual(128 + signal.SIGTERM, script.wait(PATIENCE_SECONDS))
        self.check_nothing_left(1)

    def test_signal_that_is_ignored_stays_so(self):
        script = self.start_under_nohup()
        self.assertTrue(await_that(self.machines))
        script.send_signal(signal.SIGHUP)
        time.sleep(0.3)
        self.assertIsNone(script.poll())
        script.terminate()
        self.assertEqual(128 + signal.SIGTERM, script.wait(PATIENCE_SECONDS))

    def start_under_nohup(self):
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        try:
            return self.start("rxe-vm", "true")
        finally:
            signal.signal(signal.SIGHUP, signal.SIG_DFL)


if __name__ == "__main__":
    unittest.main()
