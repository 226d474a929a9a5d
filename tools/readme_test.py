#!/usr/bin/env python3
"""Runs the command blocks of README.md: every line of a ```sh block, from the root of the tree,
must succeed. A block that begins with a verdict, or as a timeline does, shows what the command
before it prints, but for the digest, which every change of the engine changes. The two scripts at
its top are run by .ci/run.
Usage: readme_test.py ROOT PROGRAM"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from program_test import SHARDS


BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)
SAMPLE = re.compile(r"(VIOLATED|UNAVAILABLE|CRASHED|STUCK)  | event +tick ")


def commands_and_samples(text):
    """Each line of a ```sh block, with what it must print among other things, or nothing."""
    found = []
    for language, body in BLOCK.findall(text):
        if language == "sh":
            found += [[line.strip(), ""] for line in body.splitlines() if line.strip()]
        elif found and SAMPLE.match(body):
            found[-1][1] = body
    return found


def without_digests(text):
    return re.sub(r"digest [0-9a-f]{8}", "digest ...", text)


def main():
    root, program = (pathlib.Path(arg).resolve() for arg in sys.argv[1:3])
    lines = commands_and_samples((root / "README.md").read_text())
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
        for line, sample in lines:
            done = subprocess.run(["sh", "-c", line], cwd=here, env=environment, text=True,
                                  capture_output=True)
            is_shown = without_digests(sample) in without_digests(done.stdout)
            holds = done.returncode == 0 and is_shown
            print(f"{'ok' if holds else 'FAILED'}: {line}", flush=True)
            if not holds:
                failed += 1
                print(done.stdout[-4000:], done.stderr[-4000:])
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
