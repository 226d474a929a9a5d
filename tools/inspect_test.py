#!/usr/bin/env python3
"""Goal:   `kiban inspect` keeps its exit statuses and names the structure that is damaged.
Method: calls the real `kiban` on golden files, and on copies with one bit flipped in each structure
        that it had shown.

Called with the path of the program."""

import os
import pathlib
import re
import shutil

import program_test

GOLDEN = pathlib.Path(__file__).resolve().parent.parent / "corpora/golden"
STRUCTURE = re.compile(r"^  (\S.*?) +at +(\d+), +(\d+) bytes: ", re.M)

VERDICTS = {"log-lost": "DAMAGED", "log-headless": "DAMAGED", "log-torn": "TORN",
            "log-hole": "TORN"}


class Inspect(program_test.ProgramTest):

    def setUp(self):
        super().setUp()
        shutil.copytree(GOLDEN / "database-mixed/db", self.path("db"))

    def expect_damage(self, file, name):
        for words in (["db"], ["--verify", "db"], [file]):
            run = self.kiban("inspect", *words)
            self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
            self.assertRegex(run.stderr, rf"\Adamaged: {file}: {name}, offset \d+: .*\n\Z")
            self.assertIn(f"  DAMAGED: {name}, offset ", run.stdout)

    def test_golden_files_are_whole_but_for_those_that_are_to_be_damaged(self):
        for path in sorted(GOLDEN.rglob("*")):
            if path.suffix not in (".sst", ".wal") and path.name != "MANIFEST":
                continue
            if path.parts[-3] == "database-crashed":
                continue  # Its leftovers are to be damaged; below it is inspected whole.
            run = self.kiban("inspect", str(path))
            verdict = VERDICTS.get(path.parent.name, "whole")
            self.assertEqual(run.returncode, int(verdict == "DAMAGED"), run.stdout + run.stderr)
            self.assertEqual(re.findall(r": (whole|TORN|DAMAGED): ", run.stdout)[:1], [verdict])

    def test_golden_databases_are_whole(self):
        databases = sorted(GOLDEN.glob("database-*/db"))
        self.assertGreaterEqual(len(databases), 7)
        for path in databases:
            run = self.kiban("inspect", "--verify", str(path))
            self.assertEqual((run.returncode, run.stderr), (0, ""), run.stdout)

    def test_a_whole_database_is_0(self):
        run = self.kiban("inspect", "--verify", "db")
        self.assertEqual((run.returncode, run.stderr), (0, ""), run.stdout)
        self.assertIn("db: whole: 10 files\n", run.stdout)

    def test_the_last_record_of_a_log_is_torn_and_those_before_it_are_damaged(self):
        path = pathlib.Path(self.path("000007.wal"))
        whole = (GOLDEN / "log-whole/000007.wal").read_bytes()
        path.write_bytes(whole)
        records = STRUCTURE.findall(self.kiban("inspect", "000007.wal").stdout)
        for name, offset, length in records:
            changed = bytearray(whole)
            changed[int(offset) + int(length) // 2] ^= 1
            path.write_bytes(changed)
            run = self.kiban("inspect", "--verify", "000007.wal")
            self.assertNotIn(": whole: ", run.stdout)
            if "TORN" in run.stdout:
                self.assertEqual((run.returncode, run.stderr), (0, ""))
                self.assertIn(f"  TORN: tail, offset {offset}: ", run.stdout)
            else:
                self.assertEqual(run.returncode, 1)
        self.assertIn("TORN", run.stdout)  # The last.

    def test_what_is_no_file_in_a_database_is_not_waited_for(self):
        for name in ("000077.wal", "000077.sst", "MANIFEST.tmp"):
            os.mkfifo(self.path("db/" + name))
            run = self.kiban("inspect", "--verify", "db")
            self.assertEqual((run.returncode, run.stdout), (2, ""))
            self.assertEqual(run.stderr, f"kiban: db/{name}: not a file\n")
            os.remove(self.path("db/" + name))
        os.mkfifo(self.path("db/notes"))  # Not ours, not opened.
        self.assertEqual(self.kiban("inspect", "--verify", "db").returncode, 0)

    def test_a_flipped_bit_is_1_and_laid_to_its_structure(self):
        for file in ("db/000004.sst", "db/000007.sst", "db/000019.sst"):  # Format 3, PH2, PH3.
            path = pathlib.Path(self.path(file))
            whole = path.read_bytes()
            structures = STRUCTURE.findall(self.kiban("inspect", file).stdout)
            self.assertGreaterEqual(len(structures), 6)
            for name, offset, length in structures:
                changed = bytearray(whole)
                changed[int(offset) + int(length) // 2] ^= 1
                path.write_bytes(changed)
                self.expect_damage(file, name)
            path.write_bytes(whole)
        self.assertEqual(self.kiban("inspect", "db").returncode, 0)

    def test_what_is_none_of_ours_is_2_with_one_line(self):
        for words in (["absent"], [str(GOLDEN)], [str(GOLDEN / "README.md")], ["db/000099.sst"]):
            run = self.kiban("inspect", *words)
            self.assertEqual((run.returncode, run.stderr.count("\n")), (2, 1), run.stderr)


if __name__ == "__main__":
    program_test.main()
