# SPDX-License-Identifier: Apache-2.0
"""Nodes of vbn-ip in network namespaces of this machine: one namespace in which they reach each other, and one for each with its
interface. Programs with sockets run in the latter, as threads that have entered it."""

import concurrent.futures
import ctypes
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time

PATIENCE = 60  # seconds; a bound against hanging
CLONE_NEWNET = 0x4000_0000
libc = ctypes.CDLL(None, use_errno=True)
namespaces = iter(range(1 << 30))


class Lacking(Exception):
    """What this machine does not have."""


def run(*words, check=True):
    done = subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE)
    if check and done.returncode != 0:
        raise RuntimeError(f"{' '.join(words)}: {done.stderr}")
    return done.stdout


def check_machine():
    if os.geteuid() != 0:
        raise Lacking("network namespaces need root")
    if not shutil.which("ip"):
        raise Lacking("'ip' is missing: apt-get install iproute2")
    if not os.path.exists("/dev/net/tun"):
        raise Lacking("the kernel has no TUN/TAP")
    name = f"vbnip-{os.getpid()}-probe"
    if subprocess.run(["ip", "netns", "add", name], capture_output=True).returncode != 0:
        raise Lacking("network namespaces cannot be made here")
    run("ip", "netns", "del", name)


def inside(netns, work, *arguments):
    """Runs it in a thread that has entered the namespace; a future."""
    def entered():
        with open(f"/run/netns/{netns}") as there:
            if libc.setns(there.fileno(), CLONE_NEWNET) != 0:
                raise OSError(ctypes.get_errno(), "setns")
        return work(*arguments)
    pool = concurrent.futures.ThreadPoolExecutor(1)
    future = pool.submit(entered)
    pool.shutdown(wait=False)
    return future


class Node:
    def __init__(self, network, number):
        self.network, self.number = network, number
        self.netns = network.namespace()
        self.v4, self.v6 = f"10.77.0.{number}", f"fd77::{number}"
        self.process, self.log = None, network.folder / f"node-{number}.log"

    def start(self, *options, key=None, alone=False):
        """`alone`: as on a host of its own, with a /dev/shm that no other node sees."""
        words = [self.network.program, "up", "--node", str(self.number), "--peers", self.network.peers, "--netns", self.netns,
                 "--address", f"{self.v4}/24", "--address", f"{self.v6}/64", *options]
        if key:
            words += ["--key", key]
        if alone:
            words = ["unshare", "-m", "sh", "-c", 'mount -t tmpfs none /dev/shm && exec "$@"', "sh", *words]
        command = ["ip", "netns", "exec", self.network.wire, *words] if self.network.wire else words
        with open(self.log, "a") as log:
            environment = dict(self.network.environment)
            if alone:
                environment.pop("VERBENA_SOFTNIC_DIR")  # it is in /dev/shm then
            self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True, env=environment)
        if not self.process.stdout.readline():
            raise RuntimeError(f"node {self.number}: {self.log.read_text()}")
        return self

    def status(self):
        return json.loads(run(self.network.program, "status", "--netns", self.netns, "--json"))

    def peer(self, number):
        return next(each for each in self.status()["peers"] if each["node"] == number)

    def await_peer(self, number, is_so=lambda peer: peer["up"]):
        deadline = time.monotonic() + PATIENCE
        while not is_so(self.peer(number)):
            if time.monotonic() > deadline:
                raise TimeoutError(f"node {self.number} and its peer: {self.peer(number)}")
            time.sleep(0.01)
        return self.peer(number)

    def kill(self, how=signal.SIGKILL):
        self.process.send_signal(how)
        if how in (signal.SIGKILL, signal.SIGTERM):
            self.process.wait(PATIENCE)

    def run(self, work, *arguments):
        return inside(self.netns, work, *arguments)


class Network:
    """`hosts`: how many nodes; their addresses are of the loopback, or ones by which softnic reaches other hosts, too. `here`: they
    are reached at this address, in the namespace of the test."""

    def __init__(self, program, hosts, loopback=True, here=None):
        self.program, self.made = program, []
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="vbn-ip-"))
        self.wire = None if here else self.namespace()
        self.environment = os.environ | {"VERBENA_SOFTNIC_DIR": str(self.folder / "softnic")}
        self.environment.pop("VERBENA_SOFTNIC_TCP", None)
        self.nodes = [Node(self, number) for number in range(1, hosts + 1)]
        self.peers = str(self.folder / "peers")
        lines = []
        for node in self.nodes:
            address = here or (f"127.0.0.{node.number}" if loopback else f"10.98.0.{node.number}")
            if not loopback:
                run("ip", "-n", self.wire, "address", "add", f"{address}/32", "dev", "lo")
            lines.append(f"{node.number} {address}:{4800 + node.number}\n")
        pathlib.Path(self.peers).write_text("".join(lines))

    def namespace(self):
        name = f"vbnip-{os.getpid()}-{next(namespaces)}"
        run("ip", "netns", "add", name)
        self.made.append(name)
        run("ip", "-n", name, "link", "set", "lo", "up")
        # Addresses of IPv6 are used at once: nobody else has them.
        run("ip", "netns", "exec", name, "sh", "-c", "echo 0 >/proc/sys/net/ipv6/conf/default/accept_dad")
        return name

    def key(self, name):
        path = self.folder / f"key-{name}"
        path.write_text(name * 16)
        path.chmod(0o600)
        return path

    def start(self, *options, **how):
        for node in self.nodes:
            node.start(*options, **how)
        for one in self.nodes:
            for other in self.nodes:
                if one is not other:
                    one.await_peer(other.number)
        return self.nodes

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        for node in self.nodes:
            if node.process and node.process.poll() is None:
                node.process.kill()
                node.process.wait()
            if failure[0] and node.log.exists():
                print(f"node {node.number} said: {node.log.read_text()}")
        for name in self.made:
            run("ip", "netns", "del", name, check=False)
        shutil.rmtree(self.folder, ignore_errors=True)


# ---------------------------------------------------------------------- programs

def listen(address, kind=socket.SOCK_STREAM, port=5000):
    made = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET, kind)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    made.settimeout(PATIENCE)
    made.bind((address, port))
    if kind == socket.SOCK_STREAM:
        made.listen()
    return made


def connect(address, port=5000):
    return socket.create_connection((address, port), PATIENCE)


def checksum(data):
    total = sum(int.from_bytes(data[i:i + 2], "big") for i in range(0, len(data), 2))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def ping(address, size=56):
    """ICMP's echo of so many bytes; how long it took."""
    is_v6 = ":" in address
    family, protocol, request, reply = ((socket.AF_INET6, socket.IPPROTO_ICMPV6, 128, 129) if is_v6
                                        else (socket.AF_INET, socket.IPPROTO_ICMP, 8, 0))
    body = os.urandom(size // 2 * 2)
    with socket.socket(family, socket.SOCK_RAW, protocol) as made:
        made.settimeout(PATIENCE)
        message = bytes([request, 0, 0, 0, 1, 2, 3, 4]) + body
        if not is_v6:
            message = message[:2] + checksum(message).to_bytes(2, "big") + message[4:]
        begin = time.monotonic()
        made.sendto(message, (address, 0))
        while True:
            got = made.recv(70_000)
            got = got if is_v6 else got[(got[0] & 15) * 4:]
            if got[0] == reply and got[8:] == body:
                return time.monotonic() - begin
