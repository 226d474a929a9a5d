#!/usr/bin/env python3
"""Runs the gates one after the other and writes what came of them: gates.py FILE, from the root.

  {schema: 1, revision, changed[], compilers{}, passed, failed,
   gates: [{name, command, exit_status, seconds, log, passed, failed}],
   sources: {"engine/env.h": sha256, ...}}

`passed` and `failed` count the tests of CTest and the suites of a sweep; a gate that says neither,
or that failed beside them, counts as one. `changed` lists files that differ from the revision.
"""
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import time

LOGS = pathlib.Path("build/gates")
SWEEP_RESULT = LOGS / "sweep.json"
GATES = [
    ("test", ["tools/test", "--all"]),
    ("sweep", ["tools/sweep", "--shard", "1/1", "--json", str(SWEEP_RESULT)]),
]
CTEST_SUMMARY = re.compile(r"^\d+% tests passed, (\d+) tests? failed out of (\d+)", re.M)


def output_of(*command):
    try:
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def run(command, log):
    """Runs it with its output on the terminal and in the log; the exit status."""
    with open(log, "wb") as copy:
        try:
            child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                     stderr=subprocess.STDOUT)
        except OSError as error:
            copy.write(f"{command[0]}: {error}\n".encode())
            return 127
        for line in child.stdout:
            copy.write(line)
            sys.stdout.buffer.write(line)
            sys.stdout.buffer.flush()
        return child.wait()


def count_tests(log):
    summaries = CTEST_SUMMARY.findall(log.read_text(errors="replace"))
    failed = sum(int(failures) for failures, _ in summaries)
    return sum(int(total) for _, total in summaries) - failed, failed


def has_passed(suite):
    """It could go on, every verdict was `held` and no floor was missed."""
    others = [count for verdict, count in suite["verdicts"].items() if verdict != "held"]
    return not suite["harness_error"] and not suite["floors_missed"] and not any(others)


def count_suites(result):
    try:
        passed = [has_passed(suite) for suite in json.loads(result.read_text())["suites"]]
    except (OSError, ValueError, KeyError):
        return 0, 0
    return passed.count(True), passed.count(False)


def run_gate(name, command):
    log = LOGS / f"{name}.log"
    print(f"== {name}: {' '.join(command)}", flush=True)
    start = time.monotonic()
    status = run(command, log)
    seconds = round(time.monotonic() - start, 1)
    passed, failed = count_tests(log)
    if str(SWEEP_RESULT) in command:
        passed, failed = count_suites(SWEEP_RESULT)
    if status != 0 and failed == 0:
        failed = 1
    if passed + failed == 0:
        passed = 1
    return {"name": name, "command": " ".join(command), "exit_status": status, "seconds": seconds,
            "log": str(log), "passed": passed, "failed": failed}


def write_whole(path, text):
    part = path.with_name(path.name + ".part")
    part.write_text(text)
    os.replace(part, path)


def main(path):
    if path.exists():
        sys.exit(f"gates.py: {path} is there already")
    LOGS.mkdir(parents=True, exist_ok=True)
    SWEEP_RESULT.unlink(missing_ok=True)
    sources = sorted(p for p in pathlib.Path("engine").rglob("*") if p.suffix in {".h", ".cc"})
    result = {
        "schema": 1,
        "revision": output_of("git", "rev-parse", "HEAD"),
        "changed": output_of("git", "status", "--porcelain").splitlines(),
        "compilers": {c: output_of(c, "--version").split("\n")[0] for c in ("g++", "clang++")},
        "gates": [run_gate(name, command) for name, command in GATES],
        "sources": {str(p): hashlib.sha256(p.read_bytes()).hexdigest() for p in sources},
    }
    for count in ("passed", "failed"):
        result[count] = sum(gate[count] for gate in result["gates"])
    write_whole(path, json.dumps(result, indent=2) + "\n")
    print(f"{result['passed']} passed, {result['failed']} failed")
    return 1 if result["failed"] else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
