# SPDX-License-Identifier: Apache-2.0
"""What scripts/rxe-conformance has its suites run, and how it counts. Its argument is the folder of the scripts."""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SCRIPTS = pathlib.Path(sys.argv.pop(1))

# Takes what it is to run for what it ran.
SUITE = """#!/bin/sh
for each; do case $each in --gtest_filter=*) filter=${each#*=} ;; esac; done
echo "$(basename "$0") $* => $filter" >>"$(dirname "$0")/../../ran"
"""


def passed(count):
    return "".join(f"echo '[       OK ] Suite.Case{i} (1 ms)'\n" for i in range(count))


class ConformanceTest(unittest.TestCase):

    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.root = pathlib.Path(place.name)
        self.script = self.root / "scripts/rxe-conformance"
        self.tests = self.root / "native/target/build/test"
        self.script.parent.mkdir()
        shutil.copy(SCRIPTS / "rxe-conformance", self.script)
        self.program(self.root / "scripts/rxe-vm", "#!/bin/sh\nexec \"$@\"\n")
        self.suites(passed(3), passed(2))

    @staticmethod
    def program(file, text):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        file.chmod(0o755)

    def suites(self, conformance, fabric):
        self.program(self.tests / "conformance/conformance-test", SUITE + conformance)
        self.program(self.tests / "fabric/fabric-test", SUITE + fabric)

    def run_script(self, *options):
        return subprocess.run([self.script, *options], cwd=self.root, stdout=subprocess.PIPE, text=True, timeout=60)

    def filters(self, *options):
        ran = self.tests.parent / "ran"
        ran.unlink(missing_ok=True)
        self.assertEqual(0, self.run_script(*options).returncode)
        lines = ran.read_text().splitlines()
        self.assertEqual(["conformance-test", "fabric-test"], [line.split()[0] for line in lines])
        filters = {line.rpartition(" => ")[2] for line in lines}
        self.assertEqual(1, len(filters))
        return filters.pop()

    def test_counts_each_suite_and_both(self):
        ended = self.run_script()
        self.assertEqual(["conformance on rxe0: 3 passed, 0 failed, 0 skipped",
                          "fabric on rxe0: 2 passed, 0 failed, 0 skipped",
                          "both on rxe0: 5 passed, 0 failed, 0 skipped"], ended.stdout.splitlines())

    def test_tells_what_failed_and_why_others_were_skipped(self):
        self.suites("echo 'a.cpp:1: Failure'\necho '[  FAILED  ] Suite.Wrong (1 ms)'\nexit 1\n",
                    passed(1) + "echo 'b.cpp:1: Skipped'\necho 'no wire'\necho '[  SKIPPED ] Suite.Apart (0 ms)'\n")
        ended = self.run_script()
        self.assertEqual(1, ended.returncode)
        self.assertIn("a.cpp:1: Failure", ended.stdout)
        self.assertIn("      1 no wire", ended.stdout)
        self.assertEqual(["conformance on rxe0: 0 passed, 1 failed, 0 skipped",
                          "fabric on rxe0: 1 passed, 0 failed, 1 skipped",
                          "both on rxe0: 1 passed, 1 failed, 1 skipped"], ended.stdout.splitlines()[-3:])

    def test_leaves_changed_keys_out_whatever_is_asked_for(self):
        self.assertEqual("*-*ChangedKeys*", self.filters())
        self.assertEqual("Draining*-*ChangedKeys*", self.filters("--gtest_filter=Draining*"))
        self.assertEqual("A*:B*-C*:*ChangedKeys*", self.filters("--gtest_filter=A*:B*-C*"))
        self.assertEqual("-C*:*ChangedKeys*", self.filters("--gtest_filter=-C*"))
        self.assertEqual("B*-*ChangedKeys*", self.filters("--gtest_filter=A*", "--gtest_filter=B*"))

    def test_takes_a_filter_for_no_name_of_files(self):
        (self.root / "--gtest_filter=*-of-ChangedKeys-").touch()
        self.assertEqual("*-*ChangedKeys*", self.filters())


if __name__ == "__main__":
    unittest.main()
