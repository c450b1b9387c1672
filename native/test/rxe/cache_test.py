# SPDX-License-Identifier: Apache-2.0
"""The cache of scripts/rxe-vm, shared by runs of several versions. Its argument is the folder of the scripts."""

import os
import pathlib
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest

SCRIPTS = pathlib.Path(sys.argv.pop(1))
sys.path.insert(0, str(SCRIPTS / "rxe"))

import cache  # noqa: E402

DAYS_AGO = time.time() - 3 * 24 * 3600


def make(part):
    (part / "made").touch()


class CacheTest(unittest.TestCase):

    def setUp(self):
        home = tempfile.TemporaryDirectory()
        self.addCleanup(home.cleanup)
        os.environ["XDG_CACHE_HOME"] = home.name
        self.base = cache.base_folder()

    def use(self, name):
        with cache.prepared(name, make) as folder:
            return folder

    def age(self, name):
        os.utime(self.base / f"{name}.lock", (DAYS_AGO, DAYS_AGO))

    def test_is_made_once(self):
        first = self.use("one")
        (first / "mark").touch()
        self.assertTrue((self.use("one") / "mark").exists())

    def test_folder_that_another_process_uses_stays_however_old(self):
        program = textwrap.dedent("""
            import cache, sys
            with cache.prepared("old", lambda part: (part / "made").touch()):
                print("entered", flush=True)
                sys.stdin.read()
        """)
        environment = dict(os.environ, PYTHONPATH=str(SCRIPTS / "rxe"), PYTHONDONTWRITEBYTECODE="1")
        with subprocess.Popen([sys.executable, "-c", program], env=environment, text=True, stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE) as user:
            self.assertEqual("entered\n", user.stdout.readline())
            self.age("old")
            self.use("new")
            self.assertTrue((self.base / "old" / "made").exists())
            user.stdin.close()

    def test_folder_used_lately_stays(self):
        self.use("old")
        self.use("new")
        self.assertTrue((self.base / "old" / "made").exists())

    def test_folder_that_nobody_used_for_days_goes(self):
        self.use("old")
        self.age("old")
        self.use("new")
        self.assertEqual({"lock", "new", "new.lock"}, {each.name for each in self.base.iterdir()})

    def test_folder_of_before_there_were_locks_goes_by_its_own_age(self):
        for name in ("old", "young"):
            (self.base / name).mkdir(parents=True)
        os.utime(self.base / "old", (DAYS_AGO, DAYS_AGO))
        self.use("new")
        self.assertFalse((self.base / "old").exists())
        self.assertTrue((self.base / "young").exists())

    def test_making_that_fails_leaves_nothing_and_is_done_again(self):
        def fail(part):
            make(part)
            raise InterruptedError

        with self.assertRaises(InterruptedError), cache.prepared("one", fail):
            self.fail("was entered")
        self.assertEqual([], [each for each in self.base.iterdir() if each.is_dir()])
        self.assertTrue((self.use("one") / "made").exists())


if __name__ == "__main__":
    unittest.main()
