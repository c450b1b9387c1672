# SPDX-License-Identifier: Apache-2.0
"""printed_test.py PAGE SOURCE LAUNCHER PROGRAM: the page's first command does what the page says. It prints the program as it is, and
what that says when it runs."""

import pathlib
import re
import subprocess
import sys

page, source, launcher, program = sys.argv[1:]
text = pathlib.Path(page).read_text()
printed = re.search(r"^```c\n(#include.*?)^```$.*?^```sh\n.*?^```$\s+^```\n(.*?)^```$", text, re.M | re.S)
assert printed, "the page prints a program and what it says"
code = pathlib.Path(source).read_text()
assert printed.group(1) == code[code.index("#include"):], "the program is another one"


def check(command, said, **how):
    ran = subprocess.run(command, stdout=subprocess.PIPE, text=True, timeout=80, **how)
    assert ran.returncode == 0, (command, ran.returncode)
    assert sorted(ran.stdout.splitlines()) == sorted(said.splitlines()), (command, ran.stdout)  # ranks come in any order


check([launcher, "-n", "4", "--", program], printed.group(2))
first = re.search(r"^```sh$.*?^native/target/build/bin/verbena-run (.*?)^```$\s+^```\n(.*?)^```$", text, re.M | re.S)
assert first, "the page has a first command, and what it says"
check(f"{launcher} {first.group(1)}", first.group(2), shell=True)
