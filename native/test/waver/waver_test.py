# SPDX-License-Identifier: Apache-2.0
"""
What scripts/waver counts, lists, goes on with and leaves behind. Its arguments are the folder of the scripts and ctest.

The script and ctest are the real ones. A program of this file stands in for the JVM: it writes down that it was started,
and passes, fails, hangs or dies as a file beside the class path says.
"""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

CTEST = pathlib.Path(sys.argv.pop(2))
SCRIPTS = pathlib.Path(sys.argv.pop(1))
PATIENCE_SECONDS = 60

JVM = f"""#!{sys.executable}
import os, pathlib, sys, time

options = dict(word.split("=", 1) for word in sys.argv if word.startswith("-") and "=" in word)
seed = options["-Dverbena.seed"]
place = pathlib.Path("PLACE")
module = pathlib.Path.cwd().name
before = len(list(place.glob(f"{{module}}-{{seed}}-*")))
started = place / f"{{module}}-{{seed}}-{{before}}"
pathlib.Path(f"{{started}}.new").write_text(str(os.getpid()))
os.rename(f"{{started}}.new", started)
fate = place / f"fate-of-{{module}}"
fate = fate.read_text() if fate.exists() else "passes"
if fate == "hangs" or (fate == "hangs later" and len(list(place.glob(f"{{module}}-*-*"))) > 1):
    time.sleep(600)
if fate == "dies":
    os.abort()
failure = '<failure message="it wavered"/>' if fate == "fails" else ""
report = pathlib.Path(options["--reports-dir"]) / "TEST-junit-jupiter.xml"
report.write_text(f'''<testsuite>
  <testcase name="one()" classname="a.FirstTest" time="0.1">{{failure}}</testcase>
  <testcase name="two()" classname="a.FirstTest" time="0.2"/>
  <testcase name="three()" classname="a.SecondTest" time="0"><skipped/></testcase>
</testsuite>''')
sys.exit(1 if fate == "fails" else 0)
"""

NATIVE_TESTS = """
add_test(Quick.Passes true)
add_test(Quick.Fails false)
add_test(Timing.Passes true)
set_tests_properties(Timing.Passes PROPERTIES LABELS timing)
add_test(Timing.Fails false)
set_tests_properties(Timing.Fails PROPERTIES LABELS timing)
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


class WaverTest(unittest.TestCase):

    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.root = pathlib.Path(place.name).resolve()
        self.starts = self.root / "starts"
        self.starts.mkdir()
        (self.root / "scripts").mkdir()
        self.script = self.root / "scripts/waver"
        shutil.copy(SCRIPTS / "waver", self.script)
        self.program("scripts/find-jdk", f"#!/bin/sh\necho '{self.root}/jdk'\n")
        self.program("jdk/bin/java", JVM.replace("PLACE", str(self.starts)))
        for module in re.findall(r'^ +"[\w-]+": \("([\w/-]+)"', self.script.read_text(), re.MULTILINE):
            (self.root / module).mkdir(parents=True, exist_ok=True)
            shutil.copy(SCRIPTS.parent / module / "pom.xml", self.root / module)
        self.file("system-tests/made/test-classpath", "/somewhere/junit.jar\n")
        self.file("native/target/build/CTestTestfile.cmake", NATIVE_TESTS)

    def file(self, name, text):
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file

    def program(self, name, text):
        self.file(name, text).chmod(0o755)

    def fate(self, module, word):
        (self.starts / f"fate-of-{module}").write_text(word)

    def start(self, *arguments, parts=("core", "cli")):
        chosen = [word for part in parts for word in ("--part", part)]
        environment = dict(os.environ, PATH=f"{CTEST.parent}:{os.environ['PATH']}", WAVER_TEST=str(self.root))
        started = subprocess.Popen([sys.executable, self.script, "--built=made", "--load=1", *chosen, *arguments], text=True,
                                   env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.addCleanup(started.communicate)
        self.addCleanup(started.kill)
        return started

    def waver(self, *arguments, **options):
        """Runs it to its end; returns its exit status and its lines."""
        started = self.start(*arguments, **options)
        lines = started.communicate(timeout=PATIENCE_SECONDS)[0].splitlines()
        return started.returncode, lines

    def begun(self):
        """Module and seed of each JVM that was started, in order of the names."""
        return sorted(tuple(file.name.rsplit("-", 2)[:2]) for file in self.starts.glob("*-*-?"))

    def is_begun(self, module, times):
        return await_that(lambda: [each for each, _ in self.begun()].count(module) == times)

    def processes(self):
        """What was started on behalf of this test, by whomever."""
        found = []
        for folder in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                environment = (folder / "environ").read_bytes().decode(errors="replace")
            except OSError:
                continue
            if f"WAVER_TEST={self.root}" in environment:
                found.append(folder.name)
        return found

    def test_counts_what_passes_in_rounds_of_their_own_seeds(self):
        status, lines = self.waver("3")
        self.assertEqual((0, "12 passed, 0 failed"), (status, lines[-1]))
        self.assertEqual("3 rounds, 6 skipped", lines[-2])
        seeds = [int(re.search(r"seed (\d+)", line)[1]) for line in lines if line.startswith("round")]
        self.assertEqual([seeds[0], seeds[0] + 1, seeds[0] + 2], seeds)
        self.assertEqual(sorted((module, str(seed)) for module in ("cli", "core") for seed in seeds), self.begun())

    def test_rounds_take_turns(self):
        self.waver("3", parts=())
        rounds = {}
        for module, seed in self.begun():
            rounds.setdefault(seed, []).append(module)
        first, second, third = (rounds[seed] for seed in sorted(rounds))
        self.assertIn("core", first)
        self.assertNotIn("bench", first)
        self.assertIn("bench", second)
        self.assertNotIn("core", second)
        self.assertEqual(first, third)

    def test_each_round_runs_all_that_fits_a_pattern(self):
        self.waver("1", "First", parts=())
        self.assertLess({"core", "bench", "cli", "transport-rdma"}, {module for module, _ in self.begun()})

    def test_lists_what_failed_with_round_seed_and_log(self):
        self.fate("cli", "fails")
        status, lines = self.waver("2")
        self.assertEqual((1, "6 passed, 2 failed"), (status, lines[-1]))
        failures = [line for line in lines if line.startswith("failed: ")]
        for number, failure in enumerate(failures, start=1):
            self.assertRegex(failure, rf"round {number}, seed {self.begun()[number - 1][1]}: a.FirstTest.one\(\): it wavered")
        self.assertEqual(["  target/waver/round-1-cli.log", "  target/waver/round-2-cli.log"],
                         [line for line in lines if line.startswith("  target")])
        self.assertTrue((self.root / "target/waver/round-2-cli.log").exists())

    def test_jvm_that_dies_has_failed(self):
        self.fate("core", "dies")
        status, lines = self.waver("1")
        self.assertEqual((1, "2 passed, 1 failed"), (status, lines[-1]))

    def test_goes_on_with_the_part_in_which_it_was_ended(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGKILL):
            with self.subTest(number):
                shutil.rmtree(self.starts)
                self.starts.mkdir()
                self.check_goes_on_after(number)

    def check_goes_on_after(self, number):
        self.fate("cli", "fails")
        self.fate("core", "hangs")
        first = self.start("2")
        state = self.root / "target/waver/state.json"
        self.assertTrue(self.is_begun("core", 1))
        self.assertTrue(await_that(lambda: state.exists() and '"cli"' in state.read_text()))
        first.send_signal(number)
        first.communicate(timeout=PATIENCE_SECONDS)
        self.assertTrue(await_that(lambda: not self.processes()), "a process is left")

        self.fate("core", "passes")
        status, lines = self.waver("2")
        self.assertEqual((1, "6 passed, 2 failed"), (status, lines[-1]), lines)
        self.assertEqual("2 rounds, 4 skipped", lines[-2])
        (_, seed), (_, next_seed) = self.begun()[:2]
        self.assertEqual([("cli", seed), ("cli", next_seed), ("core", seed), ("core", seed), ("core", next_seed)], self.begun())

    def test_may_be_ended_at_any_moment(self):
        self.fate("core", "hangs")
        for delay in range(20):
            started = self.start("1")
            time.sleep(delay / 100)  # so that it is met in all it does
            started.terminate()
            started.communicate(timeout=PATIENCE_SECONDS)
            self.assertTrue(await_that(lambda: not self.processes()), "a process is left")

    def test_goes_on_after_rounds_that_are_done(self):
        self.fate("core", "hangs later")
        first = self.start("2")
        self.assertTrue(self.is_begun("core", 2))
        first.terminate()
        lines = first.communicate(timeout=PATIENCE_SECONDS)[0].splitlines()
        self.assertEqual(1, len(lines), lines)
        self.fate("core", "passes")
        status, lines = self.waver("3")
        self.assertEqual((0, "12 passed, 0 failed"), (status, lines[-1]))
        self.assertEqual(["waver: goes on with round 2 of an earlier call", "round 2", "round 3"],
                         [lines[0], *(line[:7] for line in lines if line.startswith("round"))])

    def test_begins_anew_after_its_end_and_with_another_expression(self):
        self.waver("1")
        self.waver("1")
        self.waver("1", "First|Second")
        self.assertEqual(3, len({seed for _, seed in self.begun()}))

    def test_native_tests_with_the_label_take_part(self):
        status, lines = self.waver("2", parts=["native"])
        self.assertEqual((1, "2 passed, 2 failed"), (status, lines[-1]))
        self.assertTrue(any("Timing.Fails" in line for line in lines))
        self.assertFalse(any("Quick" in line for line in lines))

    def test_expression_chooses_native_tests_and_one_that_chooses_none_has_failed(self):
        self.assertEqual((0, "1 passed, 0 failed"), self.last_of(self.waver("1", "Timing.*P", parts=["native"])))
        self.assertEqual((1, "0 passed, 1 failed"), self.last_of(self.waver("1", "Quick", parts=["native"])))

    @staticmethod
    def last_of(outcome):
        return outcome[0], outcome[1][-1]


if __name__ == "__main__":
    unittest.main()
