#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whether what generate.py makes is what the table says; its layout is the formatter's."""

import pathlib
import subprocess
import sys
import tempfile

SHMEM = pathlib.Path(__file__).resolve().parent.parent
with tempfile.TemporaryDirectory() as folder:
    subprocess.run([sys.executable, SHMEM / "interface/generate.py", folder], check=True)
    for made, kept in (("shmem_typed.h", "include/shmem_typed.h"), ("pshmem.h", "include/pshmem.h"), ("typed.cpp", "src/typed.cpp")):
        texts = ["".join(path.read_text().replace("\\\n", "").split()) for path in (pathlib.Path(folder) / made, SHMEM / kept)]
        if texts[0] != texts[1]:
            sys.exit(f"{kept} is not what interface/shmem.table says: run interface/generate.py, and scripts/cpp-format --apply")
