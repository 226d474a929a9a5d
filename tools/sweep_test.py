#!/usr/bin/env python3
"""Goal:   a sweep can be cut into shards, ended early and hurt, and still tells the truth.
Method: calls the real `kiban`; shards are compared with the whole, planted bugs kill workers.

Called with the path of the program."""

import os
import re
import signal
import subprocess
import time

import program_test


class Shards(program_test.ProgramTest):

    SWEEP = ("sweep", "--suite", "crash", "--seeds", "20")

    def shards(self, count, *flags):
        for index in range(1, count + 1):
            run = self.kiban(*self.SWEEP, *flags, "--shard", f"{index}/{count}",
                             "--json", f"shard-{index}.json")
            self.assertIn(f"shard {index}/{count} (from --shard)\n", run.stdout)
        return [f"shard-{index}.json" for index in range(1, count + 1)]

    def test_merged_shards_are_the_whole(self):
        for flags in (("--seeds", "400"),
                      ("--seeds", "50", "--plant", "no-directory-sync", "--keep-going",
                       "--no-shrink")):
            whole_run = self.kiban(*self.SWEEP, *flags, "--json", "whole.json")
            merge = self.kiban("merge", *self.shards(4, *flags), "-o", "merged.json")
            self.assertEqual(merge.returncode, whole_run.returncode, merge.stderr)
            (whole,) = self.results("whole.json")["suites"]
            (merged,) = self.results("merged.json")["suites"]
            self.assertIs(self.results("merged.json")["complete"], True)
            self.assertNotIn("distinct_schedules", merged)
            for name in ("shard", "distinct_schedules", "seconds", "cpu_seconds",
                         "seeds_per_second", "worker_rss_bytes", "slowest"):
                whole.pop(name), merged.pop(name, None)
            self.assertEqual(merged, whole)
            self.assertIn(whole["digest"], merge.stdout)

    def test_what_does_not_fit_together_is_2_with_one_line(self):
        files = self.shards(3)
        self.kiban(*self.SWEEP, "--engine", "toy", "--shard", "3/3", "--json", "toy.json")
        self.write("nonsense.json", "{")
        self.write("empty.json", self.read("shard-1.json").replace('"suites"', '"suites": [], "x"'))
        for words, complaint in (
                (files[:2], "shard 3/3 is missing among 2 files"),
                (files + files[:1], "shard-1.json and shard-1.json are both shard 1/3"),
                (files[:2] + ["toy.json"], "toy.json does not fit to shard-1.json: engine toy "),
                (["empty.json"], "empty.json: not the results of a sweep: no suite in it"),
                (["nonsense.json"], "nonsense.json: not the results of a sweep: "),
                (["absent.json"], "absent.json")):
            run = self.kiban("merge", *words, "-o", "merged.json")
            self.assertEqual((run.returncode, run.stdout), (2, ""))
            self.assertEqual(run.stderr.count("\n"), 1, run.stderr)
            self.assertIn(complaint, run.stderr)
        self.assertFalse(os.path.exists(self.path("merged.json")))

    def test_a_shard_that_could_not_go_on_breaks_the_whole(self):
        files = self.shards(2)
        text = self.read("shard-2.json")
        self.write("shard-2.json", text.replace('"harness_error": ""', '"harness_error": "broke"'))
        run = self.kiban("merge", *files, "-o", "merged.json")
        self.assertEqual(run.returncode, 2)
        self.assertIn("BROKEN  shard-2.json: broke\n", run.stdout)
        (suite,) = self.results("merged.json")["suites"]
        self.assertEqual(suite["harness_error"], "shard-2.json: broke")

    def test_with_a_shard_that_ended_early_the_whole_is_not_complete(self):
        files = self.shards(2, "--seeds", "1000000", "--time-budget", "1s")
        run = self.kiban("merge", *files, "-o", "merged.json")
        self.assertIs(self.results("merged.json")["complete"], False)
        for index in (1, 2):
            self.assertIn(f"shard-{index}.json: shard {index}/2 of crash ended early", run.stdout)

    def test_a_ci_server_says_which_shard(self):
        run = self.kiban("sweep", "--suite", "crash", "--seeds", "10", "--json", "r.json",
                         CI_NODE_INDEX="3", CI_NODE_TOTAL="8")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("shard 3/8 (from CI_NODE_INDEX)\n", run.stdout)
        (suite,) = self.results("r.json")["suites"]
        self.assertEqual(suite["shard"], {"index": 3, "count": 8, "source": "CI_NODE_INDEX"})
        self.assertEqual((suite["seeds"], suite["seeds_asked"]), (1, 10))
        for index in ("0", "9", "x"):
            run = self.kiban("sweep", "--seeds", "10", CI_NODE_INDEX=index, CI_NODE_TOTAL="8")
            self.assertEqual((run.returncode, run.stdout), (2, ""))
        run = self.kiban("sweep", "--suite", "crash", "--seed", "5", CI_NODE_INDEX="3",
                         CI_NODE_TOTAL="8")
        self.assertRegex(run.stdout, r"crash +lsm +1 ")
        run = self.kiban("sweep", "--suite", "crash", "--seed", "5", "--shard", "1/1")
        self.assertRegex(run.stdout, r"crash +lsm +1 ")

    def test_a_bad_shard_is_2(self):
        for words in (("--shard", "0/3"), ("--shard", "4/3"), ("--shard", "3"),
                      ("--shard", "1/3", "--from", "random"), ("--time-budget", "10"),
                      ("--seed", "3", "--shard", "2/2"), ("--seed", "3", "--shard", "1/2")):
            run = self.kiban("sweep", "--seeds", "10", *words)
            self.assertEqual((run.returncode, run.stdout), (2, ""))
            self.assertEqual(run.stderr.count("\n"), 1, run.stderr)


class EarlyEnds(program_test.ProgramTest):

    ENDLESS = ("sweep", "--suite", "all", "--seeds", "100000000", "--json", "r.json")

    def seeds_lived(self):
        results = self.results("r.json")
        self.assertIs(results["complete"], False)
        return [suite["seeds"] for suite in results["suites"]]

    def test_a_time_budget_is_shared_by_all_suites_and_judged_by_what_was_lived(self):
        began = time.monotonic()
        run = self.kiban(*self.ENDLESS, "--time-budget", "2s")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertLess(time.monotonic() - began, 30)
        seeds = self.seeds_lived()
        self.assertGreater(len(seeds), 1)
        self.assertGreater(min(seeds), 0, seeds)
        self.assertEqual(run.stdout.count(" ended early: "), len(seeds))
        red = self.kiban(*self.ENDLESS, "--time-budget", "1s", "--plant", "no-wal-sync",
                         "--keep-going")
        self.assertEqual(red.returncode, 1)

    def test_a_signal_ends_it_with_results(self):
        for number, status in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            process = subprocess.Popen([program_test.PROGRAM, *self.ENDLESS], cwd=self.folder,
                                       stdout=subprocess.PIPE, text=True, start_new_session=True)
            time.sleep(1)
            os.killpg(process.pid, number)  # As a terminal does: the workers too.
            output, _ = process.communicate(timeout=60)
            self.assertEqual(process.returncode, status)
            self.assertRegex(output, r"crash +lsm +\d+ +\d+ +none")
            first, *others = self.seeds_lived()
            self.assertGreater(first, 0)
            self.assertEqual(others[-1], 0)

    def test_a_drawn_start_can_be_had_again(self):
        run = self.kiban("sweep", "--suite", "crash", "--seeds", "4", "--from", "random",
                         "--json", "r.json")
        (first,) = self.results("r.json")["suites"]
        self.assertIn(f"first seed {first['first_seed']} (drawn; ", run.stdout)
        self.kiban(*self.results("r.json")["args"], "--json", "again.json")
        (again,) = self.results("again.json")["suites"]
        self.assertEqual((again["first_seed"], again["digest"]),
                         (first["first_seed"], first["digest"]))


class Failures(program_test.ProgramTest):

    TOY = ("sweep", "--suite", "crash", "--engine", "toy", "--seeds", "40", "--json", "r.json",
           "--no-shrink")

    def assert_replays(self, seed, verdict):
        case = f"kiban-failures/crash-{seed}.case"
        replay = self.kiban("replay", case)
        self.assertEqual(replay.returncode, 0, replay.stdout + replay.stderr)
        self.assertIn(f"{case}: {verdict}", replay.stdout)
        return self.read(case)

    def test_a_segmentation_fault_costs_its_seed_and_leaves_its_stack(self):
        run = self.kiban(*self.TOY, "--plant", "toy-wild-pointer@17")
        self.assertEqual(run.returncode, 1, run.stderr)
        results = self.results("r.json")
        self.assertIs(results["complete"], True)
        self.assertEqual(results["suites"][0]["verdicts"]["held"], 39)
        self.assertEqual(results["suites"][0]["verdicts"]["crashed"], 1)
        self.assertEqual(os.listdir(self.path("kiban-failures")), ["crash-17.case"])
        case = self.assert_replays(17, "crashed")
        self.assertIn("WildPointer", case[case.index("\nend\n"):])

    def test_a_plant_in_a_seed_that_nobody_lives_is_2(self):
        plant = "toy-wild-pointer"
        for words in (["--plant", plant + "@40"], ["--plant", plant + "@"],
                      ["--plant", plant + "@x"], ["--plant", "nix@3"],
                      ["--seed", "3", "--plant", plant + "@4"],
                      ["--from", "100", "--plant", plant + "@99"]):
            run = self.kiban(*self.TOY, *words)
            self.assertEqual((run.returncode, run.stdout), (2, ""), words)
            self.assertIn(f"--plant {words[-1]}: ", run.stderr)
            self.assertEqual(run.stderr.count("\n"), 1, run.stderr)
        for index, status in ((1, 0), (2, 1)):  # It is in a seed of the second shard.
            run = self.kiban(*self.TOY, "--plant", plant + "@17", "--shard", f"{index}/2")
            self.assertEqual(run.returncode, status, run.stderr)

    def test_a_dead_process_that_does_not_run_out_is_stuck(self):
        run = self.kiban(*self.TOY, "--plant", "toy-tries-for-ever", "--fail-fast")
        self.assertEqual(run.returncode, 1, run.stderr)
        seed = re.search(r"STUCK  crash  seed (\d+)", run.stdout)[1]
        self.assert_replays(seed, "stuck")

    def test_failures_are_grouped_and_three_of_each_are_written(self):
        run = self.kiban(*self.TOY, "--plant", "toy-no-sync", "--keep-going")
        self.assertEqual(run.returncode, 1, run.stderr)
        (suite,) = self.results("r.json")["suites"]
        groups = suite["failures"]
        self.assertEqual(len({group["signature"] for group in groups}), len(groups))
        self.assertEqual(sum(group["count"] for group in groups), 40 - suite["verdicts"]["held"])
        self.assertEqual(len(os.listdir(self.path("kiban-failures"))),
                         sum(min(3, group["count"]) for group in groups))

    def test_ten_signatures_end_a_sweep_unless_it_keeps_going(self):
        flags = ("--engine", "lsm", "--plant", "no-directory-sync", "--seeds", "200")
        self.kiban(*self.TOY, *flags)
        results = self.results("r.json")
        self.assertGreaterEqual(len(results["suites"][0]["failures"]), 10)
        self.assertIs(results["complete"], False)
        self.kiban(*self.TOY, *flags, "--keep-going")
        self.assertIs(self.results("r.json")["complete"], True)

    def test_an_image_has_the_disk_before_and_after_each_cut(self):
        self.kiban(*self.TOY, "--plant", "toy-no-sync", "--fail-fast")
        (name,) = os.listdir(self.path("kiban-failures"))
        case = "kiban-failures/" + name
        run = self.kiban("replay", case, "--image", "disk")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        cuts = len(re.findall("^cut ", self.read(case), re.M))
        self.assertEqual(sorted(os.listdir(self.path("disk"))),
                         [f"cut-{number}" for number in range(1, cuts + 1)])
        for moment in ("before", "after"):
            self.assertIn("LOG", os.listdir(self.path(f"disk/cut-{cuts}/{moment}/db")))
        again = self.kiban("replay", case, "--image", "disk")
        self.assertEqual((again.returncode, again.stdout), (2, ""))
        self.assertEqual(self.kiban("replay", case, case, "--image", "new").returncode, 2)


if __name__ == "__main__":
    program_test.main()
