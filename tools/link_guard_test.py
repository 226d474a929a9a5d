#!/usr/bin/env python3
"""Goal:   link_guard.py sees every kind of way out in a real object file, a named world too, and
        none in a clean one.
Method: compile one small source per kind, put it in an archive, and ask.
Usage:  link_guard_test.py COMPILER
"""
import pathlib
import subprocess
import sys
import tempfile

import link_guard

PLANTS = [  # what it leads to, source
    ("a clock", "#include <time.h>\nint f(timespec* now) { return clock_gettime(0, now); }"),
    ("a clock", "#include <time.h>\nlong f() { return time(nullptr); }"),
    ("a clock", "#include <chrono>\nauto f() { return std::chrono::steady_clock::now(); }"),
    ("entropy", "#include <cstdlib>\nint f() { return std::rand(); }"),
    ("entropy", "#include <random>\nunsigned f() { return std::random_device()(); }"),
    ("entropy", "#include <sys/random.h>\nlong f(void* to) { return getrandom(to, 8, 0); }"),
    ("a thread", "#include <thread>\nvoid f() { std::thread([] {}).join(); }"),
    ("a thread", "#include <mutex>\nstd::mutex m;\nvoid f() { m.lock(); }"),
    ("the environment", "#include <cstdlib>\nchar* f() { return std::getenv(\"HOME\"); }"),
    ("a file", "#include <fcntl.h>\nint f() { return open(\"f\", 0); }"),
    ("a file", "#include <fstream>\nbool f() { return std::ifstream(\"f\").good(); }"),
    ("a file", "#include <cstdio>\nbool f() { return std::fopen(\"f\", \"r\") != nullptr; }"),
    ("the world kiban::sim", "namespace kiban { namespace sim { class World; }\n"
     "namespace lsm { void Open(sim::World&) {} } }"),
    ("a file", "#include <unistd.h>\nlong f() { return pwrite(1, \"\", 1, 0); }"),
]
CLEAN = """#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
void Rename() { std::fprintf(stderr, "time"); std::abort(); }
std::shared_ptr<std::map<std::string, int>> Open() {
  Rename();
  return std::make_shared<std::map<std::string, int>>();
}
"""


def archive(compiler, folder, source):
    (folder / "plant.cc").write_text(source)
    subprocess.run([compiler, "-std=c++20", "-O1", "-c", "plant.cc"], cwd=folder, check=True)
    (folder / "plant.a").unlink(missing_ok=True)
    subprocess.run(["ar", "rc", "plant.a", "plant.o"], cwd=folder, check=True)
    return str(folder / "plant.a")


def main(compiler):
    wrong = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for what, source in [*PLANTS, (None, CLEAN)]:
            library = archive(compiler, folder, source)
            caught = {found for _, _, found in link_guard.breaches(library)}
            passed = link_guard.main([library]) == 0
            if caught != ({what} if what else set()) or passed != (what is None):
                print(f"expected {what}, found {caught or None}, in:\n{source}")
                wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
