#!/usr/bin/env python3
"""Goal:   tools/sweep, tools/test and .ci/run call what they say, in order, and tell what failed.
Method: a copy of the scripts in an empty tree, with every program they call replaced by one that
        only writes down how it was called and does what the environment tells it.
"""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

TOOLS = pathlib.Path(__file__).resolve().parent
STUBS = {
    "dpkg-query": 'case " $MISSING " in *" ${!#} "*) exit 1;; esac; echo "install ok installed"',
    "apt-get": 'note "$@"; if [[ $1 == install && ! -e updated ]]; then exit "${APT:-0}"; fi\n'
    "if [[ $1 == update ]]; then touch updated; fi",
    "sudo": 'exec "$@"',
    "setarch": 'note "$@"; exec "${@:2}"',
    "cmake": 'note "$@"; if [[ $1 == --preset ]]; then\n'
    '  mkdir -p build/$2/suites; touch build/$2/build.ninja\n'
    'else cp bin/kiban "$2"; cp bin/kill_stress "$2/suites"; fi\n'
    'exit "${CMAKE:-0}"',
    "ctest": 'if [[ $* == *--show-only* ]]; then\n'
    '  if [[ $* == *build/release* ]]; then echo "Total Tests: ${IN_RELEASE:-0}"\n'
    '  else echo "Total Tests: 5"; fi\n'
    'else note "$@"; echo "90% tests passed, ${FAILED:-0} tests failed out of 5"\n'
    '  exit "$(( ${FAILED:-0} > 0 ? 8 : 0 ))"; fi',
    "atomic_cost.py": 'note "$@"',
    "report_test.py": 'note "$@"',
    "kill_stress": 'note "$@"',
    "kiban": 'note "$@"; while (( $# > 1 )); do\n'
    '  if [[ $1 == --json ]]; then echo "$RESULT" > "$2"; fi; shift; done\nexit "${KIBAN:-0}"',
}
SUITES = json.dumps({"suites": [{"suite": name, "verdicts": {"held": 9, "violated": bad},
                                 "harness_error": error, "floors_missed": floors}
                                for name, bad, error, floors in (
                                    ("crash", 0, "", []), ("concurrent", 1, "", []),
                                    ("model", 0, "workers keep dying", []),
                                    ("media", 0, "", ["flush.F2"]))]})


class Scripts(unittest.TestCase):
    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.root)
        for folder in ("tools", ".ci", "bin", "engine"):
            (self.root / folder).mkdir()
        for name in ("sweep", "test", "setup.sh", "gates.py"):
            shutil.copy(TOOLS / name, self.root / "tools")
        shutil.copy(TOOLS.parent / ".ci/run", self.root / ".ci")
        (self.root / "CMakePresets.json").write_text("{}")
        (self.root / "engine/env.h").write_text("the seam\n")
        for name, body in STUBS.items():
            stub = self.root / ("tools" if name.endswith(".py") else "bin") / name
            stub.write_text('#!/bin/bash\nnote() { echo "${0##*/} $*" >> calls; }\n' + body + "\n")
            stub.chmod(0o755)

    def run_script(self, *command, **environment):
        """(exit status, output, calls) of a script called from another folder."""
        path = f"{self.root}/bin:{os.environ['PATH']}"
        done = subprocess.run([str(self.root / command[0]), *command[1:]], cwd="/", text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT,
                              env={"PATH": path, "RESULT": SUITES, "CI": "true", **environment})
        calls = self.root / "calls"
        made = calls.read_text().splitlines() if calls.exists() else []
        calls.unlink(missing_ok=True)
        return done.returncode, done.stdout, made

    def test_missing_packages_are_printed_and_installed(self):
        status, output, calls = self.run_script("tools/sweep", MISSING="cmake git")
        self.assertEqual(status, 0, output)
        self.assertIn("missing packages: cmake git\n", output)
        self.assertEqual(calls[0], "apt-get install -y --no-install-recommends cmake git")
        self.assertNotIn("apt-get", calls[1])

    def test_package_lists_are_updated_when_installing_fails(self):
        status, output, calls = self.run_script("tools/sweep", MISSING="cmake", APT="100")
        self.assertEqual(status, 0, output)
        install = "apt-get install -y --no-install-recommends cmake"
        self.assertEqual(calls[:3], [install, "apt-get update", install])

    def test_nothing_is_installed_when_that_is_forbidden(self):
        for script in ("tools/sweep", "tools/test", ".ci/run"):
            status, output, calls = self.run_script(script, MISSING="cmake", KIBAN_INSTALL="0")
            self.assertEqual((status, calls), (2, []), output)
            self.assertIn("apt-get install -y --no-install-recommends cmake\n", output)

    def test_sweep_builds_and_sweeps_with_later_flags_last(self):
        sweep = "kiban sweep --suite long --seeds 20000"
        status, _, calls = self.run_script("tools/sweep", "--seeds", "50", "--from", "a b")
        self.assertEqual((status, calls), (0, [
            "cmake --preset release", "cmake --build build/release --target kiban",
            sweep + " --seeds 50 --from a b"]))
        _, _, calls = self.run_script("tools/sweep")
        self.assertEqual(calls, ["cmake --build build/release --target kiban", sweep])
        for flags in (("--preset", "dev"), ("--preset=dev",)):
            _, _, calls = self.run_script("tools/sweep", "--jobs", "1", *flags, "--fail-fast")
            self.assertEqual(calls[-2:], ["cmake --build build/dev --target kiban",
                                          sweep + " --jobs 1 --fail-fast"])
        self.assertEqual(self.run_script("tools/sweep", KIBAN="1")[0], 1)
        self.assertEqual(self.run_script("tools/sweep", "--preset")[0], 2)

    def test_a_sweep_that_cannot_be_built_is_2_and_no_older_program_is_swept(self):
        status, output, calls = self.run_script("tools/sweep", CMAKE="1")
        self.assertEqual((status, calls), (2, ["cmake --preset release"]))
        self.assertIn("cannot build the preset release", output)

    def test_test_builds_three_presets_and_runs_one(self):
        status, _, calls = self.run_script("tools/test", "-L", "unit")
        self.assertEqual(status, 0)
        self.assertEqual([call for call in calls if "--preset" not in call], [
            "cmake --build build/dev", "cmake --build build/release",
            "cmake --build build/clang --target libraries",
            "ctest --test-dir build/dev --output-on-failure --parallel 2 --no-tests=error -L unit"])
        _, _, calls = self.run_script("tools/test", IN_RELEASE="2")
        self.assertIn("ctest --test-dir build/release", calls[-1])
        self.assertIn("-L ^release$", calls[-1])

    def test_test_all_goes_on_after_a_failure_and_tells_it(self):
        _, _, calls = self.run_script("tools/test", "-L", "unit", "--all")
        report = "report_test.py build/release/kiban --browser"
        self.assertEqual(calls[-4:], ["atomic_cost.py ", "kill_stress --rounds 200",
                                      "kiban mutants --sample 4", report])
        status, output, calls = self.run_script("tools/test", "--all", FAILED="1", KIBAN="1")
        self.assertEqual(status, 1)
        self.assertIn("cmake --build build/clang", calls)
        self.assertEqual(calls[-2:], ["kiban mutants --sample 4", report])
        self.assertIn("setarch -R ctest --test-dir build/tsan --output-on-failure --parallel 2"
                      " --no-tests=error", calls)
        self.assertIn("cmake --build build/fuzz --target fuzzers", calls)
        for part in ("run_tests dev", "run_tests clang", "run_tests tsan", "run_tests fuzz",
                     "kiban mutants"):
            self.assertRegex(output, f"failed: .*{part}")

    def test_test_shows_what_was_counted(self):
        log = self.root / "build/dev/Testing/Temporary/LastTest.log"
        log.parent.mkdir(parents=True)
        log.write_text("3/8 Testing: block_fuzz\nINFO: Seed: 1\ncounted  sst3  flips 8\n"
                       "stat::number_of_executed_units: 470370\n"
                       "4/8 Testing: golden_test\n9 golden files: of a copy\n"
                       "5/8 Testing: corpus\n108 entries held of 108\n9 golden files: 8 tables\n"
                       "6/8 Testing: properties_test\ncounted  Cursors.Move: 1000 cases\n")
        status, output, _ = self.run_script("tools/test", FAILED="1")
        self.assertEqual(status, 1)
        self.assertIn("\nsst3  flips 8\nblock_fuzz: inputs tried: 470370\n", output)
        self.assertIn("\ncorpus: 108 entries held of 108\ncorpus: 9 golden files: 8 tables\n"
                      "Cursors.Move: 1000 cases\n", output)
        self.assertNotIn("Seed", output)
        self.assertNotIn("of a copy", output)

    def test_what_programs_print_is_what_test_looks_for(self):
        for path, words in (("tools/cmd_corpus.cc", '"%zu entries '),
                            ("tools/golden.cc", '" golden files: '),
                            ("suites/properties/property.cc", '"counted  %s: %d cases'),
                            ("suites/formats/damage.cc", '"counted  ')):
            self.assertIn(words, (TOOLS.parent / path).read_text(), path)

    def test_a_browser_that_cannot_be_installed_stops_nothing(self):
        report = "report_test.py build/release/kiban --browser"
        status, output, calls = self.run_script("tools/test", "--all", MISSING="chromium", APT="1")
        self.assertEqual((status, calls[-1]), (0, report), output)
        self.assertIn("apt-get install -y --no-install-recommends chromium", calls)
        status, output, calls = self.run_script("tools/test", "--all", MISSING="chromium",
                                                KIBAN_INSTALL="0")
        self.assertEqual((status, calls[-1]), (0, report), output)
        self.assertFalse([call for call in calls if "apt-get" in call])

    def test_gates_are_counted_and_written_whole(self):
        status, output, calls = self.run_script(".ci/run")
        self.assertEqual(calls[-1], "kiban sweep --suite long --seeds 20000 --shard 1/1"
                                    " --json build/gates/sweep.json")
        self.assertEqual(output.splitlines()[-1], "21 passed, 3 failed")  # 4 x 5 tests, 4 suites.
        self.assertEqual(status, 1)
        result = json.loads((self.root / "gates.json").read_text())
        self.assertEqual([gate["name"] for gate in result["gates"]], ["test", "sweep"])
        self.assertEqual(list(result["sources"]), ["engine/env.h"])
        for gate in result["gates"]:
            self.assertTrue((self.root / gate["log"]).exists())

    def test_gates_never_replace_older_ones(self):
        (self.root / "gates.json").write_text("old")
        status, _, calls = self.run_script(".ci/run")
        self.assertEqual((status, calls), (2, []))
        self.assertEqual((self.root / "gates.json").read_text(), "old")
        held = SUITES.replace('["flush.F2"]', "[]").replace("workers keep dying", "")
        held = held.replace(": 1}", ": 0}")
        status, output, _ = self.run_script(".ci/run", KIBAN_GATES="new.json", RESULT=held)
        self.assertEqual((status, output.splitlines()[-1]), (0, "24 passed, 0 failed"))
        self.assertTrue((self.root / "new.json").exists())

    def test_a_gate_that_says_nothing_counts_as_one(self):
        status, output, _ = self.run_script(".ci/run", RESULT="not json", KIBAN="1")
        self.assertEqual((status, output.splitlines()[-1]), (1, "20 passed, 2 failed"))


if __name__ == "__main__":
    unittest.main()
