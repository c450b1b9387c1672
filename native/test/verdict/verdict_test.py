# SPDX-License-Identifier: Apache-2.0
"""
What passes, what has wavered and what has failed, by scripts/test-summary. Its arguments are the folder of the scripts and
ctest.

Native tests are made up, and run by the real ctest through scripts/native. Of Java tests the reports are made up, as Surefire
writes them.
"""

import copy
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml

CTEST = pathlib.Path(sys.argv.pop(2))
SCRIPTS = pathlib.Path(sys.argv.pop(1))

POM = """<project xmlns="http://maven.apache.org/POM/4.0.0"><modules>
<module>a</module><module>kit</module>{native}</modules></project>"""

# Does what WHAT says the first time, and passes from then on.
FIRST = "sh -c 'test -f {place}/{name} || {{ touch {place}/{name}; {what}; }}'"


class VerdictTest(unittest.TestCase):

    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.root = pathlib.Path(place.name).resolve()
        self.file("pom.xml", POM.format(native=""))
        self.java("FineTest")

    def file(self, name, text):
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def java(self, name, inside="", tag="", parent="", imports="", report=True, modifiers=""):
        extends = f" extends {parent}" if parent else ""
        self.file(f"a/src/test/java/p/{name}.java", f"package p;\n{imports}\n\n{tag}\n{modifiers}class {name}{extends} {{\n}}\n")
        if report:
            case = f'<testcase name="case" classname="p.{name}" time="0">{inside}</testcase>'
            self.file(f"a/target/surefire-reports/TEST-p.{name}.xml", f'<testsuite name="p.{name}" time="0">{case}</testsuite>')

    def native(self, **tests):
        """By name: a command, or what the first try does, and properties."""
        self.file("pom.xml", POM.format(native="<module>native</module>"))
        lines = []
        for name, (first, properties) in tests.items():
            command = FIRST.format(place=self.root, name=name, what=first) if " " in first else first
            lines.append(f"add_test({name} {command.replace(chr(39), chr(34))})")
            lines += [f"set_tests_properties({name} PROPERTIES {properties})"] if properties else []
        self.file("native/target/build/CTestTestfile.cmake", "\n".join(lines))
        for call in (["test", "TEST-native.xml", "true"], ["again", "AGAIN-native.xml"]):
            command = [SCRIPTS / "native", call[0], self.root / "native/target/build",
                       self.root / "native/target/surefire-reports" / call[1], *call[2:]]
            environment = dict(os.environ, PATH=f"{CTEST.parent}:{os.environ['PATH']}")
            subprocess.run(command, env=environment, check=True, capture_output=True)

    def verdict(self, steps_failed=0):
        run = subprocess.run([sys.executable, "-B", SCRIPTS / "test-summary", str(steps_failed), self.root],
                             capture_output=True, text=True)
        self.assertEqual(run.stderr, "")
        return run.returncode, run.stdout

    def is_green(self, totals, *said):
        self.holds(0, totals, *said)

    def is_red(self, totals, *said):
        self.holds(1, totals, *said)

    def holds(self, status, totals, *said):
        returned, text = self.verdict()
        self.assertEqual(text.strip().splitlines()[-1], totals, text)
        for each in said:
            self.assertIn(each, text)
        self.assertEqual(returned, status, text)

    # ------------------------------------------------------------ native

    def test_what_passes_the_second_time_has_wavered(self):
        self.native(A=("echo x.cpp:1: Failure; echo seed 42; false", "LABELS timing"), B=("true", ""))
        self.is_green("3 passed, 0 failed, 0 skipped", "wavered: A\n    x.cpp:1: Failure\n    seed 42")

    def test_what_stands_behind_tests_without_a_second_try_has_one(self):
        self.native(A=("true", ""), B=("echo x.cpp:1: Failure; false", "LABELS timing"), C=("true", "LABELS timing"))
        self.is_green("4 passed, 0 failed, 0 skipped", "wavered: B\n    x.cpp:1: Failure")

    def test_what_never_passes_has_failed(self):
        self.native(A=("false", "LABELS timing"))
        self.is_red("1 passed, 1 failed, 0 skipped", "failed: A")

    def test_what_needs_no_time_has_no_second_try(self):
        self.native(A=("echo x.cpp:1: Failure; false", ""))
        self.is_red("1 passed, 1 failed, 0 skipped", "failed: A\n    x.cpp:1: Failure")

    def test_a_crash_is_not_excused(self):
        self.native(A=("kill -SEGV $$ ; true", "LABELS timing"))
        self.is_red("1 passed, 1 failed, 0 skipped", "failed: A\n    It hung or crashed.")

    def test_a_hang_is_not_excused(self):
        self.native(A=("exec sleep 60", "LABELS timing TIMEOUT 1"))
        self.is_red("1 passed, 1 failed, 0 skipped", "failed: A\n    It hung or crashed.")

    def test_what_a_sanitizer_says_is_not_excused(self):
        frames = "".join(f"echo frame {i}; " for i in range(40))
        for i, said in enumerate(["==1==ERROR: AddressSanitizer: heap-use-after-free", "WARNING: ThreadSanitizer: data race"]):
            self.native(**{f"A{i}": (f"echo {said}; {frames} false", "LABELS timing")})
            self.is_red("1 passed, 1 failed, 0 skipped", said)

    def test_a_bound_against_hanging_is_not_excused(self):
        self.native(A=("echo x.cpp:1: Failure; echo node 2 did not end within 120 s; false", "LABELS timing"))
        self.is_red("1 passed, 1 failed, 0 skipped", "failed: A")

    def test_a_test_that_is_missing_in_the_report_has_failed(self):
        self.native(A=("true", ""), B=("true", ""))
        report = self.root / "native/target/surefire-reports/TEST-native.xml"
        suite = xml.parse(report)
        suite.getroot().remove(suite.getroot().find("testcase"))
        suite.write(report)
        self.is_red("2 passed, 1 failed, 0 skipped", "failed: A\n    It left no report")

    def test_a_program_of_which_no_test_ran_has_failed(self):
        self.native(A=("true", ""))
        self.file("native/target/build/test-programs", "true\nforgotten-test\n")
        self.is_red("2 passed, 1 failed, 0 skipped", "failed: forgotten-test\n    No test of this program ran")

    def test_of_two_tests_with_one_name_each_counts(self):
        self.native(A=("true", ""))
        report = self.root / "native/target/surefire-reports/TEST-native.xml"
        suite = xml.parse(report)
        failed = copy.deepcopy(suite.getroot().find("testcase"))
        failed.set("status", "fail")
        suite.getroot().insert(0, failed)
        suite.write(report)
        self.is_red("2 passed, 1 failed, 0 skipped", "failed: A")

    def test_a_program_that_was_not_built_has_failed(self):
        self.native(A=("/no/such/program", ""))
        self.is_red("1 passed, 1 failed, 0 skipped", "failed: A\n    Unable to find executable")

    def test_a_suite_without_a_report_has_failed(self):
        self.file("pom.xml", POM.format(native="<module>native</module>"))
        self.is_red("1 passed, 1 failed, 0 skipped", "failed: native\n    It left no report")

    def test_what_is_skipped_says_why(self):
        self.native(A=("echo x.cpp:1: Skipped; echo no device", 'SKIP_REGULAR_EXPRESSION ": Skipped"'))
        self.is_green("1 passed, 0 failed, 1 skipped", "skipped: A: no device")

    def test_what_is_disabled_is_skipped(self):
        self.native(A=("true", "DISABLED TRUE"))
        self.is_green("1 passed, 0 failed, 1 skipped", "skipped: A: no test by itself")

    def test_nightly_tests_do_not_run(self):
        self.native(A=("true", ""), B=("false", "LABELS nightly"))
        self.is_green("2 passed, 0 failed, 0 skipped")

    # ------------------------------------------------------------ Java

    FLAKE = """<flakyFailure message="{0}">
      <stackTrace>java.lang.AssertionError: {0}</stackTrace><system-out>seed=7</system-out></flakyFailure>"""

    def test_a_class_with_the_tag_may_waver(self):
        self.java("LateTest", self.FLAKE.format("too late"), tag='@Tag("timing")')
        self.is_green("2 passed, 0 failed, 0 skipped",
                      "wavered: p.LateTest.case\n    java.lang.AssertionError: too late\n    seed=7")

    def test_a_class_whose_parent_has_the_tag_may_waver(self):
        self.file("kit/src/main/java/k/Kit.java", 'package k;\n\n@Tag("timing")\npublic abstract class Kit {}\n')
        self.java("LateTest", self.FLAKE.format("too late"), parent="Kit", imports="import k.Kit;")
        self.is_green("2 passed, 0 failed, 0 skipped", "wavered: p.LateTest.case")

    def test_a_class_of_the_same_name_in_another_module_changes_nothing(self):
        self.file("kit/src/test/java/k/LateTest.java", 'package k;\n\n@Tag("timing")\nclass LateTest {}\n')
        self.java("LateTest", self.FLAKE.format("wrong byte"))
        self.is_red("1 passed, 2 failed, 0 skipped", "failed: p.LateTest.case", "failed: k.LateTest")

    def test_a_hang_in_a_later_try_is_not_excused(self):
        hang = "<flakyError><stackTrace>java.util.concurrent.TimeoutException: case() timed out after 600 seconds</stackTrace></flakyError>"
        self.java("LateTest", self.FLAKE.format("too late") + hang, tag='@Tag("timing")')
        self.is_red("1 passed, 1 failed, 0 skipped", "timed out after 600 seconds")

    def test_what_a_sanitizer_says_beside_a_test_is_not_excused(self):
        said = "<system-err>WARNING: ThreadSanitizer: data race</system-err></flakyFailure>"
        self.java("LateTest", self.FLAKE.format("too late").replace("</flakyFailure>", said), tag='@Tag("timing")')
        self.is_red("1 passed, 1 failed, 0 skipped", "failed: p.LateTest.case")

    def test_a_crashed_child_and_a_bound_against_hanging_are_not_excused(self):
        for said in ["node 2 ended with status 134", "not within PT3M: node 2 to be up", "test-1 still runs after PT3M"]:
            self.java("LateTest", self.FLAKE.format(said), tag='@Tag("timing")')
            self.is_red("1 passed, 1 failed, 0 skipped", said)

    def test_a_report_that_is_not_whole_has_failed(self):
        self.java("CutTest")
        self.file("a/target/surefire-reports/TEST-p.CutTest.xml", '<testsuite name="p.CutTest"')
        self.is_red("1 passed, 2 failed, 0 skipped", "TEST-p.CutTest.xml\n    The report is not whole")

    def test_a_class_without_the_tag_may_not(self):
        self.java("CodecTest", self.FLAKE.format("wrong byte"))
        self.is_red("1 passed, 1 failed, 0 skipped", "failed: p.CodecTest.case", "wrong byte")

    def test_a_hanging_method_is_not_excused(self):
        hang = "<flakyError><stackTrace>java.util.concurrent.TimeoutException: case() timed out after 600 seconds</stackTrace></flakyError>"
        self.java("LateTest", hang, tag='@Tag("timing")')
        self.is_red("1 passed, 1 failed, 0 skipped", "timed out after 600 seconds")

    def test_what_failed_in_every_try_has_failed(self):
        self.java("LateTest", '<failure>too late</failure><rerunFailure/>', tag='@Tag("timing")')
        self.is_red("1 passed, 1 failed, 0 skipped", "failed: p.LateTest.case\n    too late")

    def test_a_class_without_a_report_has_failed(self):
        self.java("GoneTest", report=False)
        self.java("NightlyTest", tag='@Tag("nightly")', report=False)
        self.java("SharedTest", modifiers="abstract ", report=False)
        self.is_red("1 passed, 1 failed, 0 skipped", "failed: p.GoneTest\n    It left no report")

    def test_a_jvm_that_crashed_has_failed(self):
        self.file("a/target/peers/hs_err_pid7.log", "# A fatal error")
        self.is_red("1 passed, 1 failed, 0 skipped", "hs_err_pid7.log")

    # ------------------------------------------------------------ both

    def test_more_than_three_may_not_waver(self):
        for i in range(4):
            self.java(f"Late{i}Test", self.FLAKE.format("too late"), tag='@Tag("timing")')
        self.is_red("5 passed, 1 failed, 0 skipped", "failed: 4 tests wavered, more than 3")

    def test_a_step_that_failed_is_counted(self):
        returned, text = self.verdict(steps_failed=1)
        self.assertIn("\n1 passed, 1 failed, 0 skipped\n", text)
        self.assertEqual(returned, 1)


if __name__ == "__main__":
    unittest.main()
