"""What tests of the real `kiban` share: each calls it in a folder of its own.

Such a script is called with the path of the program."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

PROGRAM = ""

# The shards of the CI server that runs the tests are none of theirs.
SHARDS = ("JOB_COMPLETION_INDEX", "KIBAN_SHARDS", "CI_NODE_INDEX", "CI_NODE_TOTAL",
          "SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", "SLURM_ARRAY_TASK_MIN",
          "GTEST_SHARD_INDEX", "GTEST_TOTAL_SHARDS")


class ProgramTest(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def kiban(self, *words, **environment):
        return subprocess.run([PROGRAM, *words], cwd=self.folder, capture_output=True, text=True,
                              env=os.environ | environment)

    def path(self, name):
        return os.path.join(self.folder, name)

    def read(self, name):
        with open(self.path(name)) as file:
            return file.read()

    def write(self, name, text):
        with open(self.path(name), "w") as file:
            file.write(text)

    def red_case(self):
        run = self.kiban("sweep", "--suite", "crash", "--seeds", "20", "--plant", "no-wal-sync",
                         "--fail-fast", "--no-shrink", "--jobs", "1")
        self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
        (name,) = os.listdir(self.path("kiban-failures"))
        return run, "kiban-failures/" + name

    def results(self, name):
        return json.loads(self.read(name))


def main():
    global PROGRAM
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    for name in SHARDS:
        os.environ.pop(name, None)
    unittest.main(module="__main__")
