# SPDX-License-Identifier: Apache-2.0
"""networks_test.py PROGRAM TEST: programs with sockets over vbn-ip. Exits with 77 where this machine cannot run it."""

import hashlib
import os
import pathlib
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

import networks
from networks import PATIENCE, Network, connect, listen, ping, run

MIB = 1 << 20


# ---------------------------------------------------------------------- what programs do

def receive_all(listening):
    """The digest of what one connection brings."""
    with listening, listening.accept()[0] as made:
        made.settimeout(PATIENCE)
        digest, count = hashlib.sha256(), 0
        while part := made.recv(MIB):
            digest.update(part)
            count += len(part)
        return digest.hexdigest(), count


def send(address, mebibytes):
    block = os.urandom(MIB)
    digest = hashlib.sha256()
    with connect(address) as made:
        for number in range(mebibytes):
            part = number.to_bytes(8, "big") + block[8:]
            digest.update(part)
            made.sendall(part)
    return digest.hexdigest(), mebibytes * MIB


def transfer(one, two, mebibytes, v6=False):
    address = two.v6 if v6 else two.v4
    listening = two.run(listen, address).result()
    came = two.run(receive_all, listening)
    sent = one.run(send, address, mebibytes).result()
    assert came.result() == sent


def datagrams(one, two, size, count=20):
    """Each of them comes back as it was."""
    listening = two.run(listen, two.v4, socket.SOCK_DGRAM).result()

    def ask():
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as made:
            made.settimeout(PATIENCE)
            for _ in range(count):
                data = os.urandom(size)
                made.sendto(data, (two.v4, 5000))
                request, asker = listening.recvfrom(size + 1)
                assert request == data and asker[0] == one.v4
                listening.sendto(request, asker)
                assert made.recv(size + 1) == data

    with listening:
        one.run(ask).result()


class Stream:
    """A connection that sends all the time, until it is stopped; it says how far it is."""

    def __init__(self, one, two):
        self.over = threading.Event()
        self.received = 0
        listening = two.run(listen, two.v4, socket.SOCK_STREAM, 6000).result()
        self.reading = two.run(self.read, listening)
        self.writing = one.run(self.write, two.v4)

    def read(self, listening):
        with listening, listening.accept()[0] as made:
            made.settimeout(PATIENCE)
            while part := made.recv(MIB):
                self.received += len(part)

    def write(self, address):
        with connect(address, 6000) as made:
            while not self.over.is_set():
                made.sendall(bytes(MIB))

    def await_more(self, more=64 * MIB):
        goal, deadline = self.received + more, time.monotonic() + PATIENCE
        while self.received < goal:
            assert time.monotonic() < deadline, "the stream stands still"
            time.sleep(0.005)

    def end(self):
        self.over.set()
        self.writing.result()
        self.reading.result()


def drops(node, peer, reason):
    return node.peer(peer)["out"]["drops"].get(reason, 0)


# ---------------------------------------------------------------------- tests

def programs(program, loopback, *options, alone=False):
    with Network(program, 2, loopback) as network:
        one, two = network.start(*options, alone=alone, key=None if loopback else network.key("both"))
        for address in (two.v4, two.v6):
            one.run(ping, address).result()
            one.run(ping, address, 60_000).result()
        transfer(one, two, 64)
        transfer(two, one, 64, v6=True)
        for size in (1, 1_400, 60_000):
            datagrams(one, two, size)
        way = one.peer(2)["way"]
        assert way.startswith("softnic0 by TCP") if alone else way == "mapped memory", way
        assert one.status()["refused"].keys() <= {"other-node"}, one.status()


def by_memory(program):
    programs(program, True)


def between_hosts(program):
    programs(program, False, alone=True)


def with_small_packets(program):
    programs(program, True, "--mtu", "1500", "--super-frames", "off", "--checksums", "full")


def with_queues(program):
    for policy in ("flow", "cpu", "round-robin"):
        with Network(program, 2) as network:
            one, two = network.start("--queues", "3", "--policy", policy)
            for _ in range(6):
                transfer(one, two, 8)
            used = [each["out"]["frames"] > 0 for each in one.status()["queues"]]
            assert policy != "round-robin" or all(used), one.status()


def with_other_numbers_of_queues(program):
    """A queue of one is read by another one, which goes on when its first ends."""
    with Network(program, 2) as network:
        one, two = network.nodes
        one.start("--queues", "1")
        two.start("--queues", "3", "--policy", "round-robin")
        for how in (signal.SIGKILL, signal.SIGTERM, None):
            one.await_peer(2)
            two.await_peer(1)
            for _ in range(3):
                transfer(two, one, 4)
                transfer(one, two, 4)
            if how:
                two.kill(how)
                one.await_peer(2, lambda peer: not peer["up"])
                two.start("--queues", "3", "--policy", "round-robin")


def that_stays_on_the_host(program):
    with Network(program, 2, loopback=False) as network:
        one, two = network.nodes
        one.start("--encryption", "required", alone=True)
        two.start("--encryption", "required")
        one.await_peer(2, lambda peer: not peer["up"] and "not tried" not in peer["way"])
        one.kill(signal.SIGTERM)
        one.start("--encryption", "required")
        one.await_peer(2)
        transfer(one, two, 4)


def with_many_nodes(program):
    """As many as a network may have, of which two are there."""
    with Network(program, 2) as network:
        one, two = network.nodes
        with open(network.peers, "a") as peers:
            peers.writelines(f"{number} 127.0.1.{number % 250}:{4700 + number}\n" for number in range(3, 258))
        for node in (one, two):
            node.start()
        one.await_peer(2)
        transfer(one, two, 16)
        assert len(one.status()["peers"]) == 256
        assert sum(each["up"] for each in one.status()["peers"]) == 1


def with_different_mtus(program):
    with Network(program, 2) as network:
        one, two = network.nodes
        one.start("--mtu", "9000")
        two.start("--mtu", "1500")
        one.await_peer(2, lambda peer: peer["mtu"] == 1500)
        transfer(one, two, 16)
        transfer(two, one, 16)


def when_one_is_killed(program, loopback=True):
    """A connection between others goes on meanwhile, and one with it goes on when it is there again: its interface stays."""
    with Network(program, 3, loopback) as network:
        how_started = {} if loopback else {"alone": True, "key": network.key("all")}
        one, two, three = network.start(**how_started)
        others, its = Stream(one, two), Stream(three, one)
        its.await_more()
        run("ip", "-n", three.netns, "route", "add", "10.79.0.0/24", "via", one.v4)
        run("ip", "-n", three.netns, "address", "add", "fd79::3/64", "dev", "vbn0")
        ways = ways_of(three)
        for how in (signal.SIGKILL, signal.SIGTERM):
            three.kill(how)
            others.await_more()
            one.await_peer(3, lambda peer: not peer["up"])
            three.start(**how_started)
            one.await_peer(3)
            its.await_more()
            assert ways == ways_of(three)
        its.end()
        others.end()


def ways_of(node):
    said = [run("ip", "-n", node.netns, *words) for words in (("route",), ("-6", "route"), ("-br", "address", "show", "dev", "vbn0"))]
    return [line.split()[2:] for line in said[2].splitlines()] + said[:2]


def when_one_stands_still(program, loopback=True):
    """It is waited for shortly; then what is for it is dropped and counted, and others go on."""
    with Network(program, 3, loopback) as network:
        how_started = {} if loopback else {"alone": True, "key": network.key("all")}
        one, two, three = network.start("--ring", "256", **how_started)
        others = Stream(one, two)
        one.run(ping, three.v4).result()  # its address is known
        three.kill(signal.SIGSTOP)

        def flood():
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as made:
                deadline = time.monotonic() + PATIENCE
                while drops(one, 3, "peer-is-slow") == 0:
                    assert time.monotonic() < deadline, one.status()
                    for _ in range(50):
                        made.sendto(bytes(1_400), (three.v4, 9))

        one.run(flood).result()
        others.await_more()
        assert one.peer(3)["stops"] > 0
        three.kill(signal.SIGCONT)
        one.await_peer(3)
        one.run(ping, three.v4).result()
        others.end()


def when_a_far_one_is_killed(program):
    when_one_is_killed(program, loopback=False)


def when_a_far_one_stands_still(program):
    when_one_stands_still(program, loopback=False)


def with_another_key(program):
    with Network(program, 2) as network:
        one, two = network.nodes
        one.start(key=network.key("one"))
        two.start(key=network.key("another"))
        one.await_peer(2, lambda peer: "key" in peer["way"])
        two.kill(signal.SIGTERM)
        two.start(key=network.key("one"))
        one.await_peer(2)
        transfer(one, two, 4)


def through_a_gateway(program):
    """Node 2 forwards to a network whose MTU is 1500. A packet that leaves it there has been cut, and has whole checksums, if its adapter does
    neither; a program at the far end sees each packet."""
    with Network(program, 2) as network:
        one, two = network.start()
        lan = network.namespace()
        run("ip", "-n", two.netns, "link", "add", "lan0", "type", "veth", "peer", "name", "eth0", "netns", lan)
        for netns, device, address in ((two.netns, "lan0", "10.78.0.1/24"), (lan, "eth0", "10.78.0.2/24")):
            run("ip", "-n", netns, "address", "add", address, "dev", device)
            run("ip", "-n", netns, "link", "set", device, "up", "mtu", "1500")
        networks.inside(two.netns, turn_off_offloads, "lan0").result()
        run("ip", "netns", "exec", two.netns, "sh", "-c", "echo 1 >/proc/sys/net/ipv4/ip_forward")
        run("ip", "-n", lan, "route", "add", "10.77.0.0/24", "via", "10.78.0.1")
        run("ip", "-n", one.netns, "route", "add", "10.78.0.0/24", "via", two.v4)
        lengths = []
        over = threading.Event()
        seen = networks.inside(lan, watch, "eth0", lengths, over)
        listening = networks.inside(lan, listen, "10.78.0.2").result()
        came = networks.inside(lan, receive_all, listening)
        sent = one.run(send, "10.78.0.2", 16).result()
        assert came.result() == sent
        over.set()
        wrong = seen.result()
        assert len(lengths) > 10_000 and max(lengths) <= 1_514, (len(lengths), max(lengths))
        assert wrong == 0, f"{wrong} packets have a wrong checksum"
        assert one.peer(2)["out"]["bytes"] > 1_600 * one.peer(2)["out"]["frames"], "super-frames reach the gateway whole"
        back = one.run(listen, one.v4).result()
        came = one.run(receive_all, back)
        sent = networks.inside(lan, send, one.v4, 16).result()
        assert came.result() == sent


def turn_off_offloads(device):
    """As 'ethtool -K DEVICE tx off tso off gso off' does."""
    import array
    import fcntl
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as made:
        for command in (0x17, 0x1F, 0x24):  # ETHTOOL_STXCSUM, ETHTOOL_STSO, ETHTOOL_SGSO
            value = array.array("B", struct.pack("II", command, 0))
            request = struct.pack("16sP", device.encode(), value.buffer_info()[0])
            fcntl.ioctl(made, 0x8946, request)  # SIOCETHTOOL


def watch(device, lengths, over):
    """Counts TCP packets that come from outside with a wrong checksum, until it is told."""
    wrong = 0
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(0x0800)) as made:
        made.setsockopt(socket.SOL_SOCKET, 33, 256 * MIB)  # SO_RCVBUFFORCE
        made.bind((device, 0x0800))
        made.settimeout(0.2)
        while True:
            try:
                frame, source = made.recvfrom(70_000)
            except TimeoutError:
                if over.is_set():
                    return wrong
                continue
            if source[2] == socket.PACKET_OUTGOING or frame[23] != socket.IPPROTO_TCP:
                continue
            lengths.append(len(frame))
            packet = frame[14:]
            header = (packet[0] & 15) * 4
            length = int.from_bytes(packet[2:4], "big") - header
            segment = packet[header:header + length]
            pseudo = packet[12:20] + bytes([0, 6]) + length.to_bytes(2, "big")
            if len(lengths) % 16 == 0:  # all of them take too long
                wrong += networks.checksum((pseudo + segment + b"\0")[:(12 + length + 1) // 2 * 2]) != 0


def that_cannot_be(program):
    """Refused by name, and nothing is left."""
    def refusal(*words, netns=None):
        command = ["ip", "netns", "exec", netns] if netns else []
        done = subprocess.run([*command, program, *words], capture_output=True, text=True, timeout=PATIENCE)
        assert done.returncode != 0, words
        return done.stderr

    with Network(program, 2) as network:
        one, two = network.nodes
        up = ("up", "--node", "1", "--peers", network.peers)
        assert "find node 9" in refusal("up", "--node", "9", "--peers", network.peers, "--netns", one.netns)
        far = network.folder / "far"
        far.write_text("1 10.98.0.1:4801\n")
        run("ip", "-n", two.netns, "address", "add", "10.98.0.1/32", "dev", "lo")
        assert "give all nodes --key" in refusal("up", "--node", "1", "--peers", far, "--device", "softnic", netns=two.netns)
        assert "ip netns list" in refusal(*up, "--netns", "vbnip-nowhere")
        run("ip", "-n", one.netns, "link", "add", "vbn0", "type", "veth", "peer", "name", "other")
        assert "multi_queue vnet_hdr" in refusal(*up, "--netns", one.netns)
        run("ip", "-n", one.netns, "link", "del", "vbn0")
        run("ip", "-n", one.netns, "tuntap", "add", "vbn0", "mode", "tap", "multi_queue", "vnet_hdr")  # somebody else's
        one.start()
        assert "another vbn-ip has it" in refusal(*up, "--netns", one.netns)
        # A peer whose way leads through the interface itself.
        loop = network.folder / "loop"
        loop.write_text("1 127.0.0.1:4801\n2 10.77.0.2:4802\n")
        said = refusal("up", "--node", "1", "--peers", loop, "--address", "10.77.0.1/24", netns=two.netns)
        assert "leads through vbn0 itself" in said, said
        run(program, "down", "--netns", two.netns)  # which that has made
        assert "another vbn-ip has it" in refusal(*up, netns=one.netns), "by another name of the namespace"
        run("ip", "-n", one.netns, "link", "del", "vbn0")
        assert one.process.wait(PATIENCE) == 1 and "somebody has removed the interface" in one.log.read_text()
        one.start()
        one.kill(signal.SIGTERM)
        run(program, "down", "--netns", one.netns)
        assert "vbn0" not in run("ip", "-n", one.netns, "link")
        assert "there is no such interface" in refusal("down", "--netns", one.netns)
        assert "no vbn-ip of this user" in refusal("status", "--netns", one.netns)


def as_printed(program):
    """The commands of docs/ip.md but the first, which builds; in namespaces that nobody else sees."""
    if not shutil.which("ping"):
        raise networks.Lacking("'ping' is missing: apt-get install iputils-ping")
    page = pathlib.Path(__file__).resolve().parents[3] / "docs" / "ip.md"
    commands = re.search(r"^```sh\n.*?\n(.*?)^```$", page.read_text(), re.M | re.S).group(1)
    wait = "for _ in $(seq 300); do vbn-ip status --netns one 2>/dev/null | grep -q mapped && break; sleep 0.1; done\n"
    lines = commands.splitlines(keepends=True)
    text = "set -e\nip link set lo up\n" + "".join(lines[:2]) + wait + "".join(lines[2:])
    with tempfile.TemporaryDirectory() as folder:
        command = ["unshare", "-n", "-m", "-p", "-f", "--kill-child", "sh", "-c", 'mount -t tmpfs none /run && mkdir /run/netns && exec bash -c "$0"', text]
        said = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=PATIENCE,
                              env=os.environ | {"PATH": f"{pathlib.Path(program).resolve().parent}:{os.environ['PATH']}:/usr/sbin"})
    assert "5 packets transmitted, 5 received" in said.stdout, (said.stdout, said.stderr)
    assert "node 2 at 127.0.0.1:4802: by mapped memory" in said.stdout, said.stdout


TESTS = [by_memory, between_hosts, with_small_packets, with_queues, with_other_numbers_of_queues, that_stays_on_the_host, with_many_nodes, with_different_mtus, when_one_is_killed, when_one_stands_still, when_a_far_one_is_killed,
         when_a_far_one_stands_still,
         with_another_key, through_a_gateway, that_cannot_be, as_printed]

if __name__ == "__main__":
    if len(sys.argv) == 1:
        print("\n".join(each.__name__ for each in TESTS))
        sys.exit()
    try:
        networks.check_machine()
        for test in TESTS:
            if test.__name__ in sys.argv[2:] or len(sys.argv) == 2:
                began = time.monotonic()
                test(sys.argv[1])
                print(f"{test.__name__}: passed in {time.monotonic() - began:.1f} s", flush=True)
    except networks.Lacking as lacking:
        print(lacking)
        sys.exit(77)
