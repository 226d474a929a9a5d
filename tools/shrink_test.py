#!/usr/bin/env python3
"""Goal:   a red run comes with a small case that is the same failure and says that it is minimal.
Method: plants a bug, sweeps, shrinks and replays with the real `kiban` in a folder of its own.

Called with the path of the program."""

import os
import re

import program_test


class Shrink(program_test.ProgramTest):

    def red_case(self):
        run = self.kiban("sweep", "--suite", "crash", "--seeds", "20", "--plant", "no-wal-sync",
                         "--fail-fast", "--no-shrink")
        self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
        (name,) = os.listdir(self.path("kiban-failures"))
        return "kiban-failures/" + name

    def test_a_red_sweep_shrinks_the_first_case_of_a_signature(self):
        words = ("sweep", "--suite", "crash", "--seeds", "20", "--plant", "no-wal-sync",
                 "--fail-fast")
        run = self.kiban(*words)
        self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
        whole, small = sorted(os.listdir(self.path("kiban-failures")))
        self.assertEqual(small, whole.replace(".case", ".min.case"))
        self.assertRegex(run.stdout, f"case:   kiban-failures/{whole}      "
                         rf"\(shrunk: kiban-failures/{small}, \d+ operations?\)")
        self.assertIn(f"replay: {program_test.PROGRAM} replay kiban-failures/{small} --timeline",
                      run.stdout)
        replay = self.kiban("replay", f"kiban-failures/{small}", "--twice")
        self.assertEqual(replay.returncode, 0, replay.stdout + replay.stderr)
        self.assertIn("(as recorded)", replay.stdout)
        self.kiban(*words, "--no-shrink", "--artifacts", "others")
        self.assertEqual(os.listdir(self.path("others")), [whole])

    def test_shrink_certifies_its_case_and_leaves_it_alone_the_second_time(self):
        case = self.red_case()
        first = self.kiban("shrink", case, "-o", "small.case")
        self.assertEqual(first.returncode, 0, first.stderr)
        self.assertTrue(first.stdout.startswith("shrunk: "), first.stdout)
        with open(self.path("small.case")) as file:
            text = file.read()
        self.assertRegex(text, r"(?m)^minimal operations( \d+)+$")
        self.assertRegex(text, r"(?m)^minimal lost( \d+\.\d+)+$")
        signature = re.compile('signature ".*"')
        with open(self.path(case)) as file:
            self.assertEqual(signature.search(file.read())[0], signature.search(text)[0])
        again = self.kiban("shrink", "small.case")
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertTrue(again.stdout.startswith("as small as it was: "), again.stdout)
        with open(self.path("small.min.case")) as file:
            self.assertEqual(file.read(), text)

    def test_a_case_becomes_a_test_though_it_holds_by_now(self):
        self.write("held.case", "case 1\nsuite crash engine lsm profile strict seed 1\n"
                   "op 1 put \"k\" 9\nexpect held found violated\nend\n")
        run = self.kiban("shrink", "held.case", "--as-test", "lost_put_test.cc")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertTrue(run.stdout.endswith("  test:   lost_put_test.cc\n"), run.stdout)
        self.assertIn("TEST(CrashCase, LostPutHolds) {\n", self.read("lost_put_test.cc"))
        self.assertFalse(os.path.exists(self.path("held.min.case")))
        run = self.kiban("shrink", self.red_case(), "--as-test", "planted.cc", "-o", "small.case")
        self.assertEqual(run.returncode, 0, run.stderr)
        source = self.read("planted.cc")
        self.assertIn("TEST(CrashCase, PlantedIsViolated) {\n", source)
        operations = [line for line in self.read("small.case").splitlines() if line[:3] == "op "]
        self.assertTrue(operations)
        for line in operations:
            self.assertIn(line + "\n", source)

    def test_what_cannot_be_a_test_is_2_before_it_is_shrunk(self):
        case = "case 1\nsuite crash engine toy profile strict seed 1\nbug toy-wild-pointer\n" \
               "op 1 put \"k\" 9\nexpect crashed found crashed\nend\n"
        self.write("crashed.case", case)
        for words in (["--as-test", "x.cc"], ["--as-test", "absent/x.cc"]):
            run = self.kiban("shrink", "crashed.case", *words)
            self.assertEqual((run.returncode, run.stdout), (2, ""))
            self.assertEqual(run.stderr.count("\n"), 1, run.stderr)
        self.assertIn("crashed", run.stderr)
        self.assertFalse(os.path.exists(self.path("x.cc")))

    def test_what_cannot_be_shrunk_is_1_2_or_125(self):
        self.write("held.case", "case 1\nsuite crash engine lsm profile strict seed 1\n"
                   "op 1 put \"k\" 9\nexpect held found violated\nend\n")
        for words, status in ((["held.case"], 1), (["absent.case"], 2),
                              (["held.case", "-o", "absent/x.case"], 2),
                              (["held.case", "--time-budget", "soon"], 2), ([], 2)):
            run = self.kiban("shrink", *words)
            self.assertEqual((run.returncode, run.stdout), (status, ""), words)
            self.assertEqual(run.stderr.count("\n"), 1, run.stderr)
        self.write("newer.case", "case 99\n")
        self.assertEqual(self.kiban("shrink", "newer.case").returncode, 125)
        self.assertFalse(os.path.exists(self.path("held.min.case")))


if __name__ == "__main__":
    program_test.main()
