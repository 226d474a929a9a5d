#!/usr/bin/env python3
"""Goal:   whoever replays a shrunk case sees what broke: on one screen, in a viewer of traces, in a
        debugger.
Method: the real `kiban` shrinks a case of every bug planted at the seam and in the toy engine.

Called with the path of the program."""

import collections
import json
import os
import re
import shutil
import subprocess
import unittest

import program_test

SCREEN = 60  # Lines.


class WithCases(program_test.ProgramTest):

    # Shrinking all of them takes a while: they are made once, for the first test that asks.
    cases = {}

    def setUp(self):
        super().setUp()
        if not self.cases:
            run = self.kiban("mutants", "--seam", "--toy", "--jobs", "2")
            self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
            for path in sorted(re.findall(r"replay (\S+\.min\.case)", run.stdout)):
                self.cases[path.split("/")[-2]] = self.read(path)
        for name, text in self.cases.items():
            self.write(name + ".case", text)

    def picture(self, name, *flags):
        run = self.kiban("replay", name + ".case", *flags)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        return run.stdout


class Pictures(WithCases):

    def test_every_planted_bug_fits_one_screen(self):
        self.assertGreaterEqual(len(self.cases), 12)
        for name in self.cases:
            lines = self.picture(name, "--timeline").splitlines()
            self.assertLessEqual(len(lines), SCREEN, name)
            self.assertTrue(any(line.startswith("boot 1") for line in lines), name)
            self.assertTrue(any("=== " in line for line in lines), name)

    def test_it_says_what_was_safe_owed_lost_by_which_rule_found_and_wanted(self):
        text = self.picture("no-wal-sync", "--timeline")
        for part in (r"op \d+ put .*sync", r"sync db/00000\d\.wal: NOT SAFE: page 0",
                     r": safe now: page 0, size \d+ of db/MANIFEST\.tmp", r"=== cut power",
                     r"owed and lost \(D\d+: ", r"boot 2", r"finds, at sequence \d+, ",
                     r"the model wants, at sequence 1"):
            self.assertRegex(text, part)
        self.assertIn("OLD ON DISK", self.picture("sync-error-ignored", "--timeline"))

    def test_a_full_one_has_every_event(self):
        full = self.picture("no-table-sync", "--timeline", "--full")
        numbers = [int(line.split()[0]) for line in full.splitlines() if re.match(" *[0-9]", line)]
        self.assertEqual(numbers[0], 0)
        self.assertEqual(numbers, sorted(numbers))
        self.assertIn(" read ", full)

    def test_a_case_that_kills_its_process_is_shown_up_to_its_death(self):
        text = self.picture("toy-wild-pointer", "--timeline")
        self.assertIn("toy.read_log", text.split("boot 2")[1])

    def test_the_same_digest_whoever_watches(self):
        for name in ("no-old-log-sync", "toy-no-sync"):
            digests = {re.search("digest: +(.*)", self.picture(name, *flags))[1]
                       for flags in ((), ("--timeline",), ("--perfetto", "trace.json"))}
            self.assertEqual(len(digests), 1, name)


class Traces(WithCases):

    def events(self, name):
        self.picture(name, "--perfetto", "trace.json")
        return self.results("trace.json")["traceEvents"]

    def check(self, events):
        """Every time is behind the one before, every slice ends, every track has a name."""
        last, open_slices, named, used = 0, collections.Counter(), set(), set()
        for event in events:
            self.assertGreaterEqual(event["ts"], last)
            last = event["ts"]
            track = event["pid"], event["tid"]
            if event["ph"] == "M":
                self.assertIn(event["name"], ("process_name", "thread_name"))
                self.assertTrue(event["args"]["name"])
                named.add(track)
            elif event["ph"] in "BE":
                used.add(track)
                open_slices[track] += 1 if event["ph"] == "B" else -1
                self.assertGreaterEqual(open_slices[track], 0)
                self.assertLess(open_slices[track], 8)  # Or they do not end where spans do.
            elif event["ph"] == "i":
                used.add(track)
                self.assertTrue(event["name"])
                self.assertIn(event["s"], "tg")
            else:
                self.assertEqual(event["ph"], "C")
                self.assertGreaterEqual(event["args"]["bytes"], 0)
        self.assertEqual(set(open_slices.values()) - {0}, set())
        self.assertLessEqual(used, named)

    def test_each_has_the_structure_that_viewers_want(self):
        for name in self.cases:
            self.check(self.events(name))

    def test_a_broken_structure_is_seen(self):
        events = self.events("no-wal-sync")
        for broken in (events[1:], [e for e in events if e["ph"] != "E"], events[::-1]):
            with self.assertRaises(AssertionError):
                self.check(broken)

    def test_syncs_faults_and_cuts_are_instants_and_bytes_owed_a_counter(self):
        events = self.events("sync-error-ignored")
        instants = " ".join(event["name"] for event in events if event["ph"] == "i")
        for name in ("sync db/000003.sst", "sync-error at call", "cut kill", "what the cut left"):
            self.assertIn(name, instants)
        failed = [event["args"] for event in events if "damaged" in event.get("args", {})]
        self.assertEqual([args["path"] for args in failed], ["db/000003.sst"])
        self.assertRegex(failed[0]["damaged"], r"^page sst@\S+ \d+ v\d+")
        owed = [event["args"]["bytes"] for event in events if event["ph"] == "C"]
        self.assertEqual(owed[0], 0)
        self.assertGreater(max(owed), 4096)

    def test_of_a_process_that_died_too(self):
        self.assertIn("toy.read_log", {event.get("name")
                                       for event in self.events("toy-wild-pointer")})


class Debugger(WithCases):

    def event_of(self, name, step):
        return re.search(rf"^ *(\d+) .*{step}", self.picture(name, "--timeline"), re.M)[1]

    def test_without_one_it_says_so_and_what_to_type(self):
        run = self.kiban("replay", "no-table-sync.case", "--break-at", "3")
        self.assertEqual(run.returncode, 2)
        self.assertIn("no debugger is attached", run.stderr)
        self.assertIn("gdb --args", run.stderr)

    def debug(self, event):
        if shutil.which("gdb") is None:
            self.skipTest("gdb is not installed")
        gdb = subprocess.run(
            ["gdb", "-nx", "-batch", "-ex", "run", "-ex", "bt", "-ex", "continue", "--args",
             program_test.PROGRAM, "replay", "no-table-sync.case", "--break-at", event],
            cwd=self.folder, capture_output=True, text=True,
            env=os.environ | {"ASAN_OPTIONS": "detect_leaks=0"})
        if "ptrace" in gdb.stderr:
            self.skipTest("this machine lets nobody be traced")
        return gdb

    def test_it_says_that_the_event_never_came(self):
        gdb = self.debug("1000000")
        self.assertNotIn("SIGTRAP", gdb.stdout)
        self.assertIn("--break-at 1000000: the life ended before that event", gdb.stderr)
        self.assertIn("exited with code 02", gdb.stdout)

    def test_it_stops_before_the_event_on_the_stack_of_its_task(self):
        gdb = self.debug(self.event_of("no-table-sync", r"flush\.F2"))
        self.assertIn("SIGTRAP", gdb.stdout, gdb.stderr)
        stack = gdb.stdout[gdb.stdout.index("SIGTRAP"):]
        # By files: not every compiler gives a function's class.
        places = [stack.find(f"{name}.cc:")
                  for name in ("sim/sim_file", "engine/lsm/flush", "suites/support/client")]
        self.assertNotIn(-1, places, stack)
        self.assertEqual(places, sorted(places), stack)
        self.assertIn("unavailable: open refused", stack)  # It goes on, and ends as it does alone.


if __name__ == "__main__":
    program_test.main()
