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
    "streams": {"base", "verbs", "connect"},
    "lanes": {"base", "verbs", "devices", "connect", "streams"},
    "abi": {"base", "verbs", "devices", "lanes"},
}
# Of folders of which only these are another one's business.
FACES = {
    ("streams", "connect"): {"queue_pairs.h"},
    ("devices", "softnic"): {"softnic.h"},
    ("lanes", "connect"): {"manager.h"},
}


def includes():
    for path in sorted((NATIVE / "src").glob("*/*.*")):
        if path.suffix in (".h", ".cpp"):
            for folder, name in re.findall(r'#include "([a-z_]+)/([a-z_0-9]+\.h)"', path.read_text()):
                yield path, folder, name


class Layers(unittest.TestCase):
    def test_every_folder_has_its_place(self):
        self.assertEqual({path.name for path in (NATIVE / "src").iterdir()}, set(BELOW))

    def test_includes_point_downwards(self):
        wrong = [f"{path}: {folder}/{name}" for path, folder, name in includes()
                 if folder != path.parent.name and folder not in BELOW[path.parent.name]]
        self.assertEqual(wrong, [])

    def test_of_some_folders_only_the_face_is_seen(self):
        wrong = [f"{path}: {folder}/{name}" for path, folder, name in includes()
                 if name not in FACES.get((path.parent.name, folder), {name})]
        self.assertEqual(wrong, [])

    def test_sees_includes(self):
        self.assertGreater(len(list(includes())), 200)


if __name__ == "__main__":
    unittest.main()
