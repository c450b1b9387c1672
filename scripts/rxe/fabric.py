# SPDX-License-Identifier: Apache-2.0
"""One-sided memory and channels beside the benchmarks that come with the device's own library, in the machine that has
rxe0.

Arguments: how many pairs, and the folder of 'vbn-fabric-perf' and 'vbn-channel-perf'.
"""

import json
import statistics
import subprocess
import sys

from perftest import DEVICE, perftest

PAIRS, TOOLS = int(sys.argv[1]), sys.argv[2]
BYTES_OF_A_MB = 1 << 20  # as perftest counts
NS_OF_A_US = 1000
LARGE_BYTES = 64 << 10


def medians(tool):
    lines = subprocess.run([f"{TOOLS}/{tool}", DEVICE, "--json", "--once"], stdout=subprocess.PIPE, text=True,
                           check=True).stdout
    return [statistics.median(json.loads(line)["values"]) for line in lines.splitlines()]


def ours():
    """As ROWS has them: nanoseconds and bytes per second."""
    put, add, puts = medians("vbn-fabric-perf")
    messages, trip = medians("vbn-channel-perf")
    return [put, add, puts, trip, messages * LARGE_BYTES]


def theirs():
    """A put is done when the far side's device says so: there and back, of which ib_write_lat tells half."""
    put, word = (2 * NS_OF_A_US * perftest("t_typical[usec]", "ib_write_lat", "-s", size, "-n", "5000")
                 for size in ("64", "10"))
    add = NS_OF_A_US * perftest("t_typical[usec]", "ib_atomic_lat", "-A", "FETCH_AND_ADD", "-n", "5000")
    puts = BYTES_OF_A_MB * perftest("BW-average[MB/sec]", "ib_write_bw", "-s", str(LARGE_BYTES), "-n", "2000")
    return [put, add, puts, word, puts]


def pair(number):
    if number % 2 == 0:
        return ours(), theirs()
    behind = theirs()
    return ours(), behind


ROWS = [("put, 64 B, until it is done", "us", 1 / NS_OF_A_US, "at most 1.25"),
        ("fetch-and-add", "us", 1 / NS_OF_A_US, "at most 1.25"),
        ("puts of 64 KiB", "MB/s", 1 / BYTES_OF_A_MB, "at least 0.9"),
        ("channel, 10 B there and back", "us", 1 / NS_OF_A_US, "at most 1.5"),
        ("channel, 64 KiB one way", "MB/s", 1 / BYTES_OF_A_MB, "at least 0.85")]

pairs = [pair(number) for number in range(PAIRS)]
print(f"{f'medians of {PAIRS} pairs':30} {'Verbena':>9} {'perftest':>9} {'':5} {'ratio':>6} {'(spread)':>16}  goal")
for row, (what, unit, scale, goal) in enumerate(ROWS):
    own, other = ([one[side][row] for one in pairs] for side in (0, 1))
    ratios = [mine / their for mine, their in zip(own, other)]
    spread = f"({min(ratios):.2f} to {max(ratios):.2f})"
    print(f"{what:30} {statistics.median(own) * scale:9.1f} {statistics.median(other) * scale:9.1f} {unit:5}"
          f" {statistics.median(ratios):6.2f} {spread:>16}  {goal}")
