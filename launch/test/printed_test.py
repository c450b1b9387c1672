# SPDX-License-Identifier: Apache-2.0
"""printed_test.py PAGE SOURCE LAUNCHER PROGRAM: the page prints the program as it is, and what it says when it runs."""

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
ran = subprocess.run([launcher, "-n", "4", "--", program], stdout=subprocess.PIPE, text=True, timeout=150)
assert ran.returncode == 0, ran.returncode
assert sorted(ran.stdout.splitlines()) == sorted(printed.group(2).splitlines()), ran.stdout
