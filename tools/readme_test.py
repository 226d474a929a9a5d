#!/usr/bin/env python3
"""Runs the command blocks of README.md: every line of a ```sh block, from the root of the tree,
must succeed. The two scripts at its top are run by .ci/run. Usage: readme_test.py ROOT PROGRAM"""
import os
import pathlib
import subprocess
import sys
import tempfile

from program_test import SHARDS


def commands(text):
    """The lines of all ```sh blocks."""
    inside = False
    for line in text.splitlines():
        if line.startswith("```"):
            inside = line == "```sh"
        elif inside and line.strip():
            yield line.strip()


def main():
    root, program = (pathlib.Path(arg).resolve() for arg in sys.argv[1:3])
    lines = list(commands((root / "README.md").read_text()))
    if not lines:
        sys.exit("README.md has no command blocks: nothing was tested")
    failed = 0
    environment = {name: value for name, value in os.environ.items() if name not in SHARDS}
    with tempfile.TemporaryDirectory() as scratch:
        # A tree that looks like the real one, but whose droppings go elsewhere.
        here = pathlib.Path(scratch)
        (here / "build/release").mkdir(parents=True)
        (here / "build/release/kiban").symlink_to(program)
        for name in ("corpora", "suites", "engine", "sim", "models", "tools"):
            (here / name).symlink_to(root / name)
        for line in lines:
            done = subprocess.run(["sh", "-c", line], cwd=here, env=environment, text=True,
                                  capture_output=True)
            print(f"{'ok' if done.returncode == 0 else 'FAILED'}: {line}", flush=True)
            if done.returncode != 0:
                failed += 1
                print(done.stdout[-4000:], done.stderr[-4000:])
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
