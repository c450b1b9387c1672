# SPDX-License-Identifier: Apache-2.0
"""Verbena over verbs beside the benchmarks that come with the device's own library, in the machine that has rxe0.

Arguments: how often each is measured, and the command that is 'verbena'.
"""

import json
import os
import pathlib
import statistics
import subprocess
import sys

from perftest import DEVICE, perftest

ROUNDS, VERBENA = int(sys.argv[1]), sys.argv[2:]
# The JVM's compiler, emulated too, takes long.
WARMUP_SECONDS, ROUND_SECONDS = 15, 3
WARNINGS_ALONE = pathlib.Path(__file__).resolve().parent / "logging.properties"


def send_rate(size, count):
    """Messages per second."""
    return perftest("MsgRate[Mpps]", "ib_send_bw", "-s", str(size), "-n", str(count)) * 1e6


def send_round_trip_us():
    """The median of one way, as the tool tells it, there and back."""
    return 2 * perftest("t_typical[usec]", "ib_send_lat", "-s", "64", "-n", "20000")


def verbena(workload, size, *options):
    """What 'verbena bench' has measured."""
    report = f"/tmp/{workload}-{size}.json"
    subprocess.run([*VERBENA, "bench", workload, "--transport", "rdma", "--device", DEVICE, "--size", str(size),
                    "--repeat", str(ROUNDS), "--warmup", str(WARMUP_SECONDS), "--seconds", str(ROUND_SECONDS),
                    "--set", "rdma.handshake.timeout=30s", "--set", "connect.timeout=30s", "--json", report,
                    f"--jvm=-Djava.util.logging.config.file={WARNINGS_ALONE}", *options],
                   check=True, stdout=subprocess.DEVNULL)
    with open(report) as stream:
        return json.load(stream)["results"][0]


def rate(size):
    return verbena("throughput", size)["messages_per_second"]


def round_trip_us():
    return verbena("latency", 64, "--wait", "spin")["rtt_ns"]["p50"] / 1000


def row(what, unit, goal, own, theirs):
    """Theirs is measured before and after ours: other work of the host would show."""
    before = [theirs() for _ in range(ROUNDS)]
    ours = own()
    after = [theirs() for _ in range(ROUNDS)]
    figure = statistics.median(before + after)
    spread = f"({min(before + after):,.0f} to {max(before + after):,.0f})"
    print(f"{what:24} {ours:11,.0f} {figure:11,.0f} {spread:>20} {unit:6} {ours / figure:7.2f}   {goal}", flush=True)


print(f"{'medians of ' + str(ROUNDS):24} {'Verbena':>11} {'perftest':>11} {'(spread)':>20} {'':6} {'ratio':>7}   goal")
row("one way, 64 B", "msg/s", "at least 10", lambda: rate(64), lambda: send_rate(64, 50000))
row("one way, 64 KiB", "msg/s", "at least 0.9", lambda: rate(65536), lambda: send_rate(65536, 4000))
# Two threads poll, one on each processor; of class batch, they are not put off by each short wake-up of a third.
os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
row("round trip, 64 B, p50", "us", "at most 1.5", round_trip_us, send_round_trip_us)
