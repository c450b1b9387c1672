# SPDX-License-Identifier: Apache-2.0
"""Includes point downwards only, as docs/architecture.md draws the folders. Its argument is the folder native/."""

import pathlib
import re
import sys
import unittest

NATIVE = pathlib.Path(sys.argv.pop(1))

# What a folder of src may include besides itself.
BELOW = {
    "base": set(),
    "host": {"base"},
    "verbs": {"base"},
    "softnic": {"base", "verbs", "host"},
    "devices": {"base", "verbs", "softnic"},
    "connect": {"base"},
    "fabric": {"base", "host", "verbs", "connect"},
    "node": {"base", "verbs", "devices", "connect", "fabric"},
    "streams": {"base", "verbs", "connect", "fabric"},
    "fifo": {"base", "host", "connect", "fabric", "node"},
    "lanes": {"base", "connect", "fabric", "node", "streams", "verbs"},
    "job": {"base", "host"},
    "ranks": {"base", "connect", "node", "job"},
    "abi": {"base", "verbs", "devices", "fabric", "fifo", "node", "lanes", "job", "ranks", "verbena"},  # the last is of include
}
# What the launcher (launch/src), which is a program of its own, may include of src.
OF_THE_LAUNCHER = {"base", "host", "job"}
# The same for the headers of softnic's own folders. Its sources know the device, where all comes together.
SOFTNIC = {
    "memory": set(),
    "wire": {"memory"},
    "objects": {"memory", "wire"},
    "transport": {"memory", "wire", "objects"},
    "control": {"objects"},
    "device": {"memory", "wire", "objects", "transport", "control"},
}
# Of folders of which only these are another one's business.
FACES = {
    ("streams", "connect"): {"link.h"},
    ("devices", "softnic"): {"softnic.h"},
    ("lanes", "connect"): {"manager.h"},
}


def includes():
    """A file, the folder of src that it is in, the folder of src that it includes from, and what of that."""
    for path in sorted((NATIVE / "src").rglob("*.*")):
        if path.suffix in (".h", ".cpp"):
            for folder, name in re.findall(r'#include "([a-z_]+)/([a-z_0-9/]+\.h)"', path.read_text()):
                yield path, path.relative_to(NATIVE / "src").parts[0], folder, name


class Layers(unittest.TestCase):
    def test_every_folder_has_its_place(self):
        self.assertEqual({path.name for path in (NATIVE / "src").iterdir()}, set(BELOW))
        folders = {path.name for path in (NATIVE / "src/softnic").iterdir() if path.is_dir()}
        self.assertEqual(folders, set(SOFTNIC))

    def test_includes_point_downwards(self):
        wrong = [f"{path}: {folder}/{name}" for path, own, folder, name in includes()
                 if folder != own and folder not in BELOW[own]]
        self.assertEqual(wrong, [])

    def test_the_launcher_includes_the_lowest_folders_alone(self):
        wrong = [f"{path}: {folder}" for path in sorted((NATIVE.parent / "launch/src").glob("*.*"))
                 for folder in re.findall(r'#include "([a-z_]+)/', path.read_text()) if folder not in OF_THE_LAUNCHER]
        self.assertEqual(wrong, [])

    def test_headers_of_softnic_point_downwards(self):
        wrong = [f"{path}: {name}" for path, own, folder, name in includes()
                 if own == folder == "softnic" and path.suffix == ".h" and "/" in name
                 if name.split("/")[0] not in SOFTNIC[path.parent.name] | {path.parent.name}]
        self.assertEqual(wrong, [])

    def test_of_some_folders_only_the_face_is_seen(self):
        wrong = [f"{path}: {folder}/{name}" for path, own, folder, name in includes()
                 if name not in FACES.get((own, folder), {name})]
        self.assertEqual(wrong, [])

    def test_sees_includes(self):
        self.assertGreater(len(list(includes())), 200)


if __name__ == "__main__":
    unittest.main()
