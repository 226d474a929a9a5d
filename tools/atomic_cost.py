#!/usr/bin/env python3
"""What base::Atomic costs a point read: atomic_cost.py, from anywhere, exit status 1 above 2 %.

Builds tools/bench/point_reads.cc twice, optimised: from the tree as it is, and from a copy of it
(build/atomic_cost) in which base::Atomic has lost the place where a simulated scheduler may let
other tasks run, so that a thin wrapper of std::atomic is left. Both run under callgrind with N and
10 N reads; the difference is the reads alone. Instructions are counted, not seconds: the answer is
the same on a busy machine. Needs valgrind.
"""
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
COPY = ROOT / "build/atomic_cost"
ATOMIC = "engine/base/atomic.h"
HOOK = """  static void LetOthersRun() {
    if (Hooks* const hooks = g_hooks) [[unlikely]]
      hooks->OnAtomic();
  }
"""
PLACES = ("memtable", "tables", "nowhere")
READS = 2_000
RATIO_MAX = 1.02


def run(*command, cwd=ROOT):
    done = subprocess.run(command, cwd=cwd, text=True, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        sys.exit(f"{done.stdout}atomic_cost: {' '.join(map(str, command))} failed")
    return done.stdout


def copy_without_hook():
    """The tree as it is, changes that are not committed included; what is the same stays."""
    names = run("git", "ls-files", "--cached", "--others", "--exclude-standard").splitlines()
    for name in names:
        source, target = ROOT / name, COPY / name
        if not source.is_file():
            continue
        content = source.read_bytes()
        if name == ATOMIC:
            text = content.decode()
            if text.count(HOOK) != 1:
                sys.exit(f"atomic_cost: {ATOMIC} is not as expected; mend HOOK in {__file__}")
            content = text.replace(HOOK, "  static void LetOthersRun() {}\n").encode()
        if not target.is_file() or target.read_bytes() != content:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)


def build(tree):
    run("cmake", "--preset", "release", cwd=tree)
    run("cmake", "--build", "build/release", "--target", "point_reads", cwd=tree)
    return tree / "build/release/tools/point_reads"


def instructions(program, place, reads):
    output = run("valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", str(program),
                 place, str(reads))
    return int(re.search(r"Collected : (\d+)", output)[1])


def a_read(program, place):
    """Instructions of one read, without those of the program around it."""
    few, many = (instructions(program, place, reads) for reads in (READS, 10 * READS))
    return (many - few) / (9 * READS)


def main():
    if shutil.which("valgrind") is None:
        print("atomic_cost: valgrind is missing; apt-get install valgrind", file=sys.stderr)
        return 2
    copy_without_hook()
    hooked, plain = build(ROOT), build(COPY)
    worst = 0.0
    print("instructions of a point read   base::Atomic  std::atomic   ratio")
    for place in PLACES:
        ours, theirs = a_read(hooked, place), a_read(plain, place)
        worst = max(worst, ours / theirs)
        print(f"{'key: ' + place:<29} {ours:>13.1f} {theirs:>12.1f} {ours / theirs:>7.4f}")
    print(f"atomic_cost: {worst:.4f} at worst, {RATIO_MAX} allowed")
    return 1 if worst > RATIO_MAX else 0


if __name__ == "__main__":
    sys.exit(main())
