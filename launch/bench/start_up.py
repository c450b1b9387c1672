#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""
start_up.py BUILD [RANKS [ROUNDS]]: how long a small job takes from the command to its end beside the same program started as
often by plain fork, each alone. The two in turn, so that what else the machine does meets both; medians, and quartiles.
Measure on a quiet machine. Fails if the quickest of the jobs takes 100 ms more than what was started by fork beside it.
"""

import pathlib
import statistics
import subprocess
import sys
import time


MOST_MS = 100


def milliseconds(start):
    begin = time.monotonic()
    start()
    return 1000 * (time.monotonic() - begin)


def told(times):
    low, middle, high = statistics.quantiles(times, n=4)
    return f"{middle:6.1f} ms ({low:.1f} to {high:.1f})"


build = pathlib.Path(sys.argv[1]).resolve()
ranks = sys.argv[2] if len(sys.argv) > 2 else "4"
rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 20
program = [str(build / "launch/test/vbn-job-rank"), "learn"]


def as_job():
    said = subprocess.run([str(build / "bin/verbena-run"), "-n", ranks, *program], capture_output=True, check=True).stdout
    assert said.decode() == f"learnt {ranks}\n" * int(ranks), said


def alone():
    started = [subprocess.Popen(program, stdout=subprocess.DEVNULL) for _ in range(int(ranks))]
    assert [each.wait() for each in started] == [0] * int(ranks)


times = [(milliseconds(as_job), milliseconds(alone)) for _ in range(rounds + 1)][1:]  # the first one warms up
jobs, forks = zip(*times)
print(f"{ranks} ranks that learn each other, {rounds} rounds")
print(f"as a job   {told(jobs)}")
print(f"by fork    {told(forks)}")
more = [job - fork for job, fork in times]
print(f"the job's  {told(more)} more")
if min(more) > MOST_MS:
    sys.exit(f"start_up.py: a job of {ranks} ranks takes {min(more):.0f} ms more at its quickest; {MOST_MS} ms are allowed")
