"""Writes FOLDER/held_test.cc, out of a case that holds, and FOLDER/planted_test.cc, out of one that
is violated by a planted bug, as a person would.

Usage: export_cases.py PROGRAM HELD_CASE FOLDER"""

import os
import pathlib
import shutil
import subprocess
import sys

from program_test import SHARDS


def main():
    program, held, folder = sys.argv[1:4]
    environment = {name: value for name, value in os.environ.items() if name not in SHARDS}

    def kiban(*words, status=0):
        done = subprocess.run([program, *words], cwd=folder, env=environment, text=True,
                              capture_output=True)
        if done.returncode != status:
            sys.exit(f"kiban {' '.join(words)}: {done.returncode}\n{done.stdout}{done.stderr}")

    pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
    shutil.rmtree(os.path.join(folder, "red"), ignore_errors=True)
    kiban("shrink", held, "--as-test", "held_test.cc")
    kiban("sweep", "--suite", "crash", "--seeds", "20", "--plant", "no-wal-sync", "--fail-fast",
          "--no-shrink", "--artifacts", "red", status=1)
    (red,) = os.listdir(os.path.join(folder, "red"))
    kiban("shrink", "red/" + red, "--as-test", "planted_test.cc")


if __name__ == "__main__":
    main()
