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
