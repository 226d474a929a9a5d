#!/usr/bin/env python3
"""Goal:   a corpus grows, rots and lacks something in sight of whoever checks it, and is made again
        by one command.
Method: calls the real `kiban` in a folder of its own; our own corpus, with cases taken out of it.

Called with the path of the program."""

import os
import re
import shutil

import program_test

CORPORA = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "corpora")


class Corpora(program_test.ProgramTest):

    def test_a_corpus_grows_but_is_not_overwritten_and_its_rot_is_seen(self):
        _, case = self.red_case()
        self.assertEqual(self.kiban("corpus", "add", case).returncode, 2)
        added = self.kiban("corpus", "add", case, "--why", "The log was never synced")
        self.assertEqual(added.returncode, 0, added.stderr)
        again = self.kiban("corpus", "add", case, "--why", "The log was never synced")
        self.assertEqual(again.returncode, 2)
        self.assertEqual(self.kiban("corpus", "check", "--part").returncode, 0)
        self.assertIn("The log was never synced", self.kiban("corpus", "list").stdout)
        entry = added.stdout.strip()
        with open(self.path(entry)) as file:
            text = file.read()
        for kind in ("mark", "span", "format", "pair"):
            self.write(entry, text.replace(f"\n{kind}s ", f"\n{kind}s nowhere.near ", 1))
            rotted = self.kiban("corpus", "check", "--part")
            self.assertEqual(rotted.returncode, 1)
            self.assertIn(f"no longer reaches {kind} nowhere.near\n", rotted.stdout)
        self.write(entry, text[:-4])
        self.assertEqual(self.kiban("corpus", "check", "--part").returncode, 2)
        self.write("stray.case", text.replace("suite crash", "suite ../..", 1))
        self.assertEqual(self.kiban("corpus", "add", "stray.case", "--why", "x").returncode, 2)

    def test_a_corpus_that_does_not_reach_all_is_1(self):
        _, case = self.red_case()
        self.kiban("corpus", "add", case, "--why", "The log was never synced")
        run = self.kiban("corpus", "check")
        self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
        self.assertRegex(run.stdout, "MISSING     crash: no entry reaches .*recovery open.O1")
        self.assertRegex(run.stdout, "MISSING     concurrent: no entry reaches .*span group.sync")
        part = self.kiban("corpus", "check", "corpora/crash")
        self.assertEqual(part.returncode, 1)
        self.assertNotIn("MISSING     concurrent", part.stdout)

    def test_golden_files_that_are_not_there_are_missed(self):
        shutil.copytree(os.path.join(CORPORA, "golden"), self.path("corpora/golden"))
        for name in ("golden", "golden/"):
            run = self.kiban("corpus", "check", "corpora/" + name)
            self.assertEqual((run.returncode, run.stderr), (0, ""), run.stdout)
            self.assertRegex(run.stdout, r"\A\d+ golden files: .*: all as they should be\n\Z")
        shutil.copytree(os.path.join(CORPORA, "concurrent"), self.path("corpora/concurrent"))
        self.assertNotIn("GOLDEN", self.kiban("corpus", "check").stdout)
        shutil.rmtree(self.path("corpora/golden"))
        run = self.kiban("corpus", "check")
        self.assertEqual(run.returncode, 1)
        self.assertIn("GOLDEN      corpora/golden: it has no whole database-ph3\n", run.stdout)
        self.assertEqual(self.kiban("corpus", "check", "corpora").returncode, 0)

    def test_a_pair_of_formats_that_no_case_of_our_corpora_reaches_is_named(self):
        shutil.copytree(os.path.join(CORPORA, "crash"), self.path("corpora/crash"))
        whole = self.kiban("corpus", "check", "corpora/crash")
        self.assertEqual(whole.returncode, 0, whole.stdout)
        for name in os.listdir(self.path("corpora/crash")):
            entry = self.path("corpora/crash/" + name)
            with open(entry) as file:
                if re.search("^pairs .*sst3->ph2", file.read(), flags=re.M):
                    os.remove(entry)
        run = self.kiban("corpus", "check", "corpora/crash")
        self.assertEqual(run.returncode, 1)
        self.assertRegex(run.stdout, "MISSING     crash: no entry reaches .*pair sst3->ph2")
        self.assertIn("8/9", run.stdout)

    def test_what_is_pinned_takes_the_place_of_what_was(self):
        few = self.kiban("corpus", "pin", "--suite", "crash", "--seeds", "3")
        self.assertEqual(few.returncode, 1, few.stdout + few.stderr)
        self.assertRegex(few.stdout, "lives of 3 seeds do not reach .*; more with")
        self.assertFalse(os.path.exists(self.path("corpora")))
        os.makedirs(self.path("corpora/crash"))
        for name in ("pinned-old.case", "by-hand.case"):
            self.write("corpora/crash/" + name, "case 1\n")
        run = self.kiban("corpus", "pin", "--suite", "crash", "--count", "50",
                         "--seeds", "500")
        self.assertEqual((run.returncode, run.stdout), (0, "50 cases in corpora/crash\n"))
        names = os.listdir(self.path("corpora/crash"))
        self.assertEqual(len(names), 51)
        self.assertIn("by-hand.case", names)
        os.remove(self.path("corpora/crash/by-hand.case"))
        check = self.kiban("corpus", "check", "corpora/crash")
        self.assertEqual(check.returncode, 0, check.stdout + check.stderr)
        for words in (["--suite", "model"], ["--suite", "crash", "--count", "0"], []):
            self.assertEqual(self.kiban("corpus", "pin", *words).returncode, 2)

    def test_a_corpus_without_cases_is_2(self):
        os.mkdir(self.path("corpora"))
        run = self.kiban("corpus", "check")
        self.assertEqual((run.returncode, run.stderr), (2, "kiban: no cases under corpora\n"))


if __name__ == "__main__":
    program_test.main()
