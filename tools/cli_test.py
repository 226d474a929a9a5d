#!/usr/bin/env python3
"""Goal:   the program keeps its contract with scripts: exit statuses, results, cases that replay.
Method: calls the real `kiban` in a folder of its own; planted bugs make red runs.

Called with the path of the program."""

import json
import os
import re
import shutil
import subprocess
import xml.etree.ElementTree

import program_test


class Cli(program_test.ProgramTest):

    def test_a_bad_call_is_2_with_one_line(self):
        for words in (["sweep", "--suite", "nix", "--seeds", "3"],
                      ["sweep", "--seeds", "9..3"],
                      ["sweep", "--seeds", "none"],
                      ["sweep", "--engine", "nix", "--seeds", "3"],
                      ["sweep", "--profile", "nix", "--seeds", "3"],
                      ["sweep", "--plant", "nix", "--seeds", "3"],
                      ["sweep", "--jobs", "0", "--seeds", "3"],
                      ["sweep", "--recheck", "2", "--seeds", "3"],
                      ["sweep", "--fail-fast", "--keep-going", "--seeds", "3"],
                      ["replay", "absent.case"],
                      ["corpus", "check", "absent"],
                      ["mutants", "--only", "nix", "--seam"],
                      ["nix"], []):
            run = self.kiban(*words)
            self.assertEqual(run.returncode, 2, words)
            self.assertEqual(run.stderr.count("\n"), 1, run.stderr)
            self.assertEqual(run.stdout, "")

    def test_where_nothing_can_be_written_is_2_before_anything_is_lived(self):
        self.write("file", "")
        for words in (["sweep", "--seeds", "3", "--json", "absent/r.json"],
                      ["sweep", "--seeds", "3", "--junit", "."],
                      ["sweep", "--seeds", "3", "--artifacts", "file/below"],
                      ["mutants", "--seam", "--json", "absent/m.json"],
                      ["bench", "sim", "--json", "absent/b.json"],
                      ["bench", "write", "--json", "absent/b.json"]):
            run = self.kiban(*words)
            self.assertEqual(run.returncode, 2, words)
            self.assertRegex(run.stderr, re.escape(words[-1]) + ": [A-Z].*\n$")
            self.assertEqual(run.stdout, "")
        self.assertEqual(os.listdir(self.folder), ["file"])

    def test_a_bench_overwrites_nothing(self):
        self.write("b.json", "old")
        for bench in ("sim", "write"):
            run = self.kiban("bench", bench, "--json", "b.json")
            self.assertEqual((run.returncode, run.stdout), (2, ""))
            self.assertIn("--force overwrites it", run.stderr)
        with open(self.path("b.json")) as file:
            self.assertEqual(file.read(), "old")

    def test_results_replace_a_file_behind_a_link_but_no_device(self):
        self.write("real.json", "old")
        os.symlink("real.json", self.path("link.json"))
        self.kiban("sweep", "--suite", "crash", "--seeds", "2", "--json", "link.json")
        self.assertTrue(os.path.islink(self.path("link.json")))
        with open(self.path("real.json")) as file:
            self.assertEqual(json.load(file)["schema"], 1)
        run = self.kiban("sweep", "--suite", "crash", "--seeds", "2", "--json", "/dev/stdout")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn('"schema": 1', run.stdout)
        with open(self.path("out"), "w+") as out:
            subprocess.run([program_test.PROGRAM, "sweep", "--suite", "crash", "--seeds", "2",
                            "--json", "/dev/stdout"], cwd=self.folder, stdout=out, check=True)
            out.seek(0)
            self.assertEqual(out.read().split("seconds")[0], run.stdout.split("seconds")[0])
        self.assertEqual(self.kiban("sweep", "--suite", "crash", "--seeds", "2",
                                    "--json", "/dev/null").returncode, 0)
        self.assertFalse(os.path.isfile("/dev/null"))

    def test_a_full_standard_output_is_2_but_results_are_written(self):
        with open("/dev/full", "w") as full:
            run = subprocess.run([program_test.PROGRAM, "sweep", "--suite", "crash", "--seeds", "2",
                                  "--json", "r.json"], cwd=self.folder, stdout=full,
                                 stderr=subprocess.PIPE, text=True)
        self.assertEqual(run.returncode, 2)
        self.assertEqual(run.stderr.count("standard output"), 1)
        self.assertTrue(os.path.exists(self.path("r.json")))

    def test_help_is_0_with_examples_first(self):
        for words in ([], ["sweep"], ["replay"], ["corpus"], ["corpus", "add"], ["mutants"],
                      ["shrink"], ["suites"]):
            run = self.kiban(*words, "--help")
            self.assertEqual(run.returncode, 0, words)
            self.assertTrue(run.stdout.startswith("Examples:\n"), run.stdout)

    def test_a_sweep_that_holds_is_0_and_tells_all(self):
        run = self.kiban("sweep", "--suite", "crash", "--seeds", "1000", "--seeds", "10..19",
                         "--json", "r.json", "--junit", "r.xml")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        with open(self.path("r.json")) as file:
            results = json.load(file)
        self.assertEqual(results["schema"], 1)
        self.assertIs(results["complete"], True)
        (suite,) = results["suites"]
        self.assertEqual((suite["first_seed"], suite["seeds"]), (10, 10))
        self.assertEqual(suite["verdicts"]["held"], 10)
        self.assertEqual(suite["crashes"], 40)
        self.assertEqual(suite["crashes"], suite["power_cuts"] + suite["kills"])
        self.assertRegex(suite["digest"], "^[0-9a-f]{32}$")
        self.assertIn(suite["digest"], run.stdout)
        xml.etree.ElementTree.parse(self.path("r.xml"))

    def test_the_number_of_jobs_does_not_show(self):
        digests = set()
        for jobs in ("1", "2", "3"):
            self.kiban("sweep", "--suite", "crash", "--seeds", "24", "--jobs", jobs,
                       "--json", "r.json")
            with open(self.path("r.json")) as file:
                digests.add(json.load(file)["suites"][0]["digest"])
        self.assertEqual(len(digests), 1)

    def test_a_red_sweep_is_1_and_its_case_replays(self):
        run, case = self.red_case()
        self.assertIn(f"replay: {program_test.PROGRAM} replay {case} --timeline", run.stdout)
        replay = self.kiban("replay", case, "--twice")
        self.assertEqual(replay.returncode, 0, replay.stdout + replay.stderr)
        self.assertIn("(as recorded)", replay.stdout)

    def test_a_printed_command_can_be_typed_though_its_path_has_a_blank(self):
        run = self.kiban("sweep", "--suite", "crash", "--seeds", "20", "--plant", "no-wal-sync",
                         "--fail-fast", "--artifacts", "my cases")
        command = re.search("replay: (.*)", run.stdout)[1].replace("--timeline", "")
        typed = subprocess.run(command, shell=True, cwd=self.folder, capture_output=True)
        self.assertEqual(typed.returncode, 0, typed.stderr)

    def test_a_pipe_or_a_device_is_read_by_nobody(self):
        os.mkdir(self.path("cases"))
        for name in ("pipe", "cases/pipe.case"):
            os.mkfifo(self.path(name))
        os.symlink("/dev/zero", self.path("cases/zero.case"))
        for words in (["replay"], ["inspect"], ["merge"], ["corpus", "add", "--why", "x"]):
            for path in ("pipe", "/dev/zero"):
                run = self.kiban(*words, path)
                self.assertEqual((run.returncode, run.stdout), (2, ""), run.stderr)
        for command in ("check", "list"):
            self.assertEqual(self.kiban("corpus", command, "cases").returncode, 2)

    def test_too_few_files_for_the_workers_is_2_with_one_line(self):
        script = 'ulimit -n 40; exec "$0" sweep --jobs 64'
        run = subprocess.run(["bash", "-c", script, program_test.PROGRAM], cwd=self.folder,
                             capture_output=True, text=True)
        self.assertEqual(run.returncode, 2)
        self.assertRegex(run.stderr, "^kiban: cannot .* fewer --jobs .*: Too many open files\n$")

    def test_a_case_that_expects_otherwise_is_1(self):
        _, case = self.red_case()
        with open(self.path(case)) as file:
            text = file.read()
        self.write("edited.case", re.sub(r"^expect \w+", "expect held", text, flags=re.M))
        self.assertEqual(self.kiban("replay", "edited.case").returncode, 1)

    def test_an_unreadable_case_is_2_and_one_of_another_revision_125(self):
        self.write("bad.case", "case 1\nsuite crash engine lsm\nop nonsense\n")
        self.assertEqual(self.kiban("replay", "bad.case").returncode, 2)
        self.write("newer.case", "case 99\n")
        self.assertEqual(self.kiban("replay", "newer.case").returncode, 125)
        head = "case 1\nsuite crash engine lsm profile strict seed 1\n"
        for unknown in (head.replace("lsm", "nix"), head + "options nix=1\n",
                        head + "plant seam nix\n", head + "op 1 nix\n", head + "nix\n",
                        head + "op 1 reopen nix=1\n"):
            self.write("elsewhere.case", unknown + "end\n")
            self.assertEqual(self.kiban("replay", "elsewhere.case").returncode, 125, unknown)
            self.write("cut.case", unknown)
            self.assertEqual(self.kiban("replay", "cut.case").returncode, 2, unknown)

    def test_a_mutant_is_caught_and_one_without_time_is_not(self):
        caught = self.kiban("mutants", "--seam", "--only", "no-wal-sync", "--json", "m.json")
        self.assertEqual(caught.returncode, 0, caught.stdout + caught.stderr)
        with open(self.path("m.json")) as file:
            results = json.load(file)
        (mutant,) = results["mutants"]
        self.assertEqual(sorted(results), ["build", "mutants", "revision", "schema"])
        self.assertEqual((mutant["kind"], mutant["caught"]), ("seam", True))
        self.assertLessEqual(mutant["operations_shrunk"], 10)
        self.assertLess(mutant["operations_shrunk"], mutant["operations"])
        self.assertGreater(mutant["shrink_seconds"], 0)
        self.assertIn("sync *.wal (write.sync)", mutant["barrier_named"])
        self.assertIn("sync *.wal (*write.sync)", mutant["barrier_expected"])
        self.assertIn("missing barriers named: 1 of 1", caught.stdout)
        shutil.copy(program_test.PROGRAM, self.path("kiban"))  # Away from its source.
        self.assertEqual(subprocess.run(["./kiban", "mutants", "--only", "no-wal-sync"],
                                        cwd=self.folder, capture_output=True).returncode, 0)
        missed = self.kiban("mutants", "--seam", "--only", "manifest-sync-late", "--seeds", "1")
        self.assertEqual(missed.returncode, 1)
        self.assertIn(" NO ", missed.stdout)


if __name__ == "__main__":
    program_test.main()
