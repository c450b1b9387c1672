# SPDX-License-Identifier: Apache-2.0
"""tools_test.py PROGRAM [TEST]: programs that are not ours, over vbn-ip, and how long others are held up. Takes minutes. Exits with 77
where something is missing that none of it can do without."""

import hashlib
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time

import networks
from networks import PATIENCE, Network, ping, run
from networks_test import MIB, Stream, transfer

GIB = 1 << 30


def in_netns(node, *words, **how):
    return subprocess.run(["ip", "netns", "exec", node.netns, *words], timeout=5 * PATIENCE, **how)


def in_background(node, *words):
    return subprocess.Popen(["ip", "netns", "exec", node.netns, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def await_port(node, port):
    deadline = time.monotonic() + PATIENCE

    def is_open():
        with socket.socket() as made:
            return made.connect_ex((node.v4, port)) == 0

    while not node.run(is_open).result():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def the_pinger(program):
    with Network(program, 2) as network:
        one, two = network.start()
        for address in (two.v4, two.v6):
            in_netns(one, "ping", "-q", "-c", "20", "-i", "0.05", "-s", "1400", address, check=True, stdout=subprocess.DEVNULL)


def curl_of_a_gibibyte(program):
    with Network(program, 2) as network:
        one, two = network.start()
        folder = network.folder / "served"
        folder.mkdir()
        digest = hashlib.sha256()
        with open(folder / "file", "wb") as file:
            for _ in range(GIB // MIB):
                part = os.urandom(MIB)
                digest.update(part)
                file.write(part)
        server = in_background(two, sys.executable, "-m", "http.server", "--bind", two.v4, "--directory", folder, "8000")
        try:
            await_port(two, 8000)
            took = time.monotonic()
            got = subprocess.Popen(["ip", "netns", "exec", one.netns, "curl", "-s", f"http://{two.v4}:8000/file"], stdout=subprocess.PIPE)
            came = hashlib.sha256()
            while part := got.stdout.read(MIB):
                came.update(part)
            assert got.wait() == 0 and came.hexdigest() == digest.hexdigest()
            print(f"curl: 1 GiB in {time.monotonic() - took:.1f} s, its digest is right")
        finally:
            server.kill()
            server.wait()


def ssh(program):
    with Network(program, 2) as network:
        one, two = network.start()
        for name in ("host", "user"):
            run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", network.folder / name)
        shutil.copy(network.folder / "user.pub", network.folder / "authorized")
        os.makedirs("/run/sshd", exist_ok=True)
        server = in_background(two, shutil.which("sshd", path="/usr/sbin:/usr/bin"), "-D", "-e", "-p", "2222", "-o", f"HostKey={network.folder}/host",
                               "-o", f"AuthorizedKeysFile={network.folder}/authorized", "-o", "StrictModes=no", "-o", "PidFile=none",
                               "-o", "UsePAM=no", "-f", "/dev/null")
        try:
            await_port(two, 2222)
            said = in_netns(one, "ssh", "-F", "none", "-p", "2222", "-i", network.folder / "user", "-o", "StrictHostKeyChecking=no",
                            "-o", f"UserKnownHostsFile={network.folder}/known", "-o", "BatchMode=yes", f"root@{two.v4}",
                            "head -c 50000000 /dev/zero | sha256sum", check=True, stdout=subprocess.PIPE, text=True).stdout
            assert said.split()[0] == hashlib.sha256(bytes(50_000_000)).hexdigest(), said
        finally:
            server.kill()
            server.wait()


def iperf3(program):
    with Network(program, 2) as network:
        one, two = network.start("--queues", "2")
        server = in_background(two, "iperf3", "-s", "-B", two.v4)
        try:
            await_port(two, 5201)
            for name, words in (("TCP", ("-P", "4")), ("TCP, backwards", ("-R",)), ("UDP", ("-u", "-b", "1G", "-l", "8000"))):
                said = in_netns(one, "iperf3", "-c", two.v4, "-t", "3", "-J", *words, check=True, stdout=subprocess.PIPE, text=True)
                sums = json.loads(said.stdout)["end"]
                got = sums.get("sum") or sums["sum_received"]
                print(f"iperf3 {name}: {got['bits_per_second'] / 1e9:.1f} Gbit/s, lost {got.get('lost_percent', 0):.2f} %, "
                      f"retransmitted {sums.get('sum_sent', {}).get('retransmits', '-')}")
                assert got["bytes"] > 100 * MIB
        finally:
            server.kill()
            server.wait()


class Pauses:
    """How long a connection that sends a little all the time brought nothing."""

    def __init__(self, one, two):
        self.longest, self.over = 0.0, threading.Event()
        listening = two.run(networks.listen, two.v4, socket.SOCK_STREAM, 6100).result()
        self.reading = two.run(self.read, listening)
        self.writing = one.run(self.write, two.v4)

    def read(self, listening):
        with listening, listening.accept()[0] as made:
            made.settimeout(PATIENCE)
            last = time.monotonic()
            while made.recv(1 << 16):
                now = time.monotonic()
                self.longest, last = max(self.longest, now - last), now

    def write(self, address):
        with networks.connect(address, 6100) as made:
            made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            while not self.over.is_set():
                made.sendall(bytes(1000))
                time.sleep(0.0005)

    def end(self):
        self.over.set()
        self.writing.result()
        self.reading.result()


def others_pause(program):
    """While one is killed, stands still, and comes back, under load to it; in milliseconds, to reach: 50."""
    with Network(program, 3) as network:
        one, two, three = network.start()
        loads = [Stream(one, three)]
        for what, how in (("stands still", signal.SIGSTOP), ("goes on", signal.SIGCONT), ("is killed", signal.SIGKILL), ("comes back", None)):
            pauses = Pauses(one, two)
            time.sleep(1)
            quiet, pauses.longest = pauses.longest, 0
            three.start() if how is None else three.kill(how)
            time.sleep(3)
            pauses.end()
            print(f"others' longest pause as a node {what}: {pauses.longest * 1e3:.0f} ms (before: {quiet * 1e3:.0f})")
            assert pauses.longest < 1, "far more than the 20 ms that a queue waits"
        one.await_peer(3)
        loads[0].end()


def over_rxe(program):
    """In a machine that has rxe0 (scripts/rxe-vm)."""
    if not os.path.exists("/sys/class/infiniband/rxe0"):
        print("over_rxe: skipped, there is no rxe0")
        return
    with Network(program, 2, here="10.99.0.1") as network:
        one, two = network.start("--device", "rxe0", alone=True)
        assert one.peer(2)["way"].startswith("rxe0"), one.status()
        one.run(ping, two.v4).result()
        transfer(one, two, 16)
        transfer(two, one, 16)
        print(f"over_rxe: ping and 16 MiB each way, {one.peer(2)['way']}")


TESTS = [the_pinger, curl_of_a_gibibyte, ssh, iperf3, others_pause, over_rxe]

if __name__ == "__main__":
    chosen = [each for each in TESTS if each.__name__ in sys.argv[2:] or len(sys.argv) == 2]
    try:
        networks.check_machine()
    except networks.Lacking as lacking:
        print(lacking)
        sys.exit(77)
    for test in chosen:
        test(str(pathlib.Path(sys.argv[1]).resolve()))
        print(f"{test.__name__}: passed", flush=True)
