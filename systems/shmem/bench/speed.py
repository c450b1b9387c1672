#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""
speed.py BUILD [--pairs N] [--pes N] [--oshcc PATH --oshrun PATH]   how long calls of OpenSHMEM take, beside another library

Compiles speed.c with the oshcc of BUILD and with another one (that of the PATH unless it is named), and runs the two in turn, the
next time in the opposite order. Prints medians in ns, and of their ratios the median, the least and the greatest.
"""

import argparse
import pathlib
import shlex
import statistics
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).with_name("speed.c")


def compiled(oshcc, into):
    subprocess.run([*shlex.split(oshcc), "-O2", "-std=gnu11", str(SOURCE), "-o", str(into)], check=True)
    return str(into)


def round_of(command):
    """What it measured. A library may fail at its end, behind the figures: that is said and no more."""
    ended = subprocess.run(command, capture_output=True, text=True, timeout=600)
    words = [line.split() for line in ended.stdout.splitlines()]
    figures = {line[0]: float(line[1]) for line in words if len(line) == 2 and line[1].replace(".", "", 1).isdigit()}
    if ended.returncode != 0:
        print(f"speed.py: '{shlex.join(command)}' ended with {ended.returncode}", file=sys.stderr)
    if not figures:
        sys.exit(f"speed.py: it measured nothing:\n{ended.stdout}{ended.stderr}")
    return figures


def main():
    parser = argparse.ArgumentParser(usage=__doc__.strip())
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--pes", type=int, default=2, help="2: calls of one PE; more: calls of all")
    parser.add_argument("--oshcc", help="the other library's")
    parser.add_argument("--oshrun", default="oshrun --oversubscribe", help="the other library's")
    chosen = parser.parse_args()
    bin_folder = chosen.build.resolve() / "bin"
    with tempfile.TemporaryDirectory() as folder:
        ours = compiled(str(bin_folder / "oshcc"), pathlib.Path(folder) / "ours")
        sides = {"ours": [str(bin_folder / "oshrun"), "-n", str(chosen.pes), "--", ours]}
        if chosen.oshcc:
            theirs = compiled(chosen.oshcc, pathlib.Path(folder) / "theirs")
            sides["theirs"] = [*shlex.split(chosen.oshrun), "-n", str(chosen.pes), theirs]
        rounds = {side: [] for side in sides}
        for pair in range(chosen.pairs):
            for side in list(sides)[:: 1 if pair % 2 == 0 else -1]:
                rounds[side].append(round_of(sides[side]))
    for name in rounds["ours"][0]:
        line = f"{name:14}" + "".join(f" {side} {statistics.median(each[name] for each in of):12.2f}" for side, of in rounds.items())
        if "theirs" in rounds:
            ratios = [a[name] / b[name] for a, b in zip(rounds["ours"], rounds["theirs"])]
            line += f"   ratio {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})"
        print(line)


main()
