# SPDX-License-Identifier: Apache-2.0
"""The benchmarks that come with the device's own library, in the machine that has rxe0."""

import subprocess
import time

DEVICE = "rxe0"
SETTLE_SECONDS = 1.5  # until the listening side listens
TIMEOUT_SECONDS = 60


def perftest(column, name, *options):
    """The figure in one column of the table that the asking side prints."""
    command = [name, "-d", DEVICE, "-x", "1", "-F", *options]
    listening = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        time.sleep(SETTLE_SECONDS)
        asked = subprocess.run([*command, "127.0.0.1"], capture_output=True, text=True, check=True,
                               timeout=TIMEOUT_SECONDS)
        listening.wait(TIMEOUT_SECONDS)
    finally:
        listening.kill()
    lines = asked.stdout.replace("BW ", "BW-").splitlines()  # one word for each column
    head = next(number for number, line in enumerate(lines) if column in line)
    return float(lines[head + 1].split()[lines[head].split().index(column)])
