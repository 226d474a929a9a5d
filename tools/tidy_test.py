#!/usr/bin/env python3
"""Goal:   each rule of tidy.py reports what breaks it, and nothing else does.
Method: a small clean tree must pass; then one deliberately untidy file per row is laid into it, and
        exactly that row's rule must be reported, at that row's line.
"""
import pathlib
import tempfile
import unittest

import tidy

CLEAN = {
    "CMakeLists.txt": "add_subdirectory(engine)\n",
    "engine/CMakeLists.txt": "project_library(kiban_base\n  SRCS base/a.cc base/odd.cc wal/odd.cc"
    " lsm/odd.cc\n  posix/odd.cc base/odd_test.cc table/odd.cc"
    "\n  ${CMAKE_SOURCE_DIR}/models/odd.cc)\n",
    "sim/CMakeLists.txt": "project_library(kiban_sim SRCS odd.cc disk/odd.cc)\n",
    "suites/CMakeLists.txt": "project_library(kiban_suites SRCS crash/odd.cc support/odd.cc"
    " support/life.cc)\n",
    "engine/base/a.h": "#pragma once\n// Returns (in ticks); see Open().\nint Twice(int value);\n",
    "engine/base/a.cc": '#include "engine/base/a.h"\n\n#include <string>\n\n'
    'int Twice(int value) {\n  const std::string text = "open(2) rand() // return 1;";\n'
    "  return value * 1'000'000 + static_cast<int>(text.size());\n}\n",
    "engine/posix/odd.cc": "#include <fcntl.h>\n\nint Open() { return ::open(\"f\", 0); }\n",
    "sim/faults/faults.h": "enum class FaultKind { kKill, kPowerCut };\n",
    "sim/disk/README.md": "* `kKill`: a process. * `kPowerCut`: a machine.\n",
    "corpora/crash/old/deep.md": "Deep on purpose.\n",
}


def function_of(line_count):
    return "int F() {\n" + "  Call();\n" * (line_count - 2) + "}\n"


UNTIDY = [  # rule, file, its text, line of the report
    ("include", "engine/wal/odd.cc", '\n#include "engine/table/reader.h"\n', 2),
    ("include", "engine/base/odd.cc", "#include <fcntl.h>\n", 1),
    ("include", "engine/table/odd.cc", '#include "engine/lsm/db.h"\n', 1),
    ("include", "engine/lsm/odd.cc", '#include "engine/posix/posix_env.h"\n', 1),
    ("include", "engine/env.h", '#include "engine/base/check.h"\n', 1),
    ("include", "sim/odd.cc", '#include "engine/lsm/db.h"\n', 1),
    ("include", "sim/disk/odd.cc", "#include <boost/context/fiber.hpp>\n", 1),
    ("include", "models/odd.cc", '#include "sim/rng.h"\n', 1),
    ("include", "models/odd.cc", '#include "absl/status/status.h"\n', 1),
    ("include", "suites/crash/odd.cc", '#include "engine/lsm/db.h"\n', 1),
    ("include", "engine/base/odd.cc", "#include <gtest/gtest.h>\n", 1),
    ("clock", "engine/lsm/odd.cc", "auto t = std::chrono::steady_clock::now();\n", 1),
    ("clock", "suites/support/life.cc", "auto t = time(nullptr);\n", 1),
    ("chance", "suites/support/odd.cc", "\nint x = rand();\n", 2),
    ("chance", "sim/odd.cc", "std::uniform_int_distribution<int> d(0, 1);\n", 1),
    ("thread", "engine/lsm/odd.cc", "std::mutex mutex;\n", 1),
    ("environment", "sim/odd.cc", 'const char* home = std::getenv("HOME");\n', 1),
    ("file_call", "engine/wal/odd.cc", 'int fd = ::open("f", 0);\n', 1),
    ("file_call", "engine/base/odd_test.cc", 'std::ifstream in("f");\n', 1),
    ("unordered", "engine/posix/odd.cc", "std::unordered_map<int, int> map;\n", 1),
    ("float", "sim/disk/odd.cc", "const double ratio = 1;\n", 1),
    ("float", "suites/crash/odd.cc", "const float ratio = 1;\n", 1),
    ("pointer_value", "sim/odd.cc", 'Print("at %p", where);\n', 1),
    ("pointer_value", "sim/odd.cc", "out << static_cast<const void*>(where);\n", 1),
    ("long_function", "engine/base/odd.cc", "\n" + function_of(61), 2),
    ("long_function", "engine/base/odd.cc", "namespace n {\nclass C {\n" + function_of(61), 3),
    ("long_header", "engine/base/odd.h", "\n" * 201, 201),
    ("long_header", "engine/env.h", "\n" * 301, 301),
    ("long_source", "engine/base/odd.cc", "\n" * 501, 501),
    ("long_test", "engine/base/odd_test.cc", "\n" * 601, 601),
    ("long_script", "tools/odd.py", "\n" * 251, 251),
    ("long_line", "engine/base/odd.h", "// " + "x" * 98 + "\n", 1),
    ("deep_folder", "engine/lsm/deep/odd.h", "\n", 1),
    ("dead_code", "engine/base/odd.cc", "// return Twice(1);\n", 1),
    ("dead_code", "engine/base/odd.cc", "\n  // if (value > 1) {\n", 2),
    ("dead_code", "engine/base/odd.cc", "// value = other.value;\n", 1),
    ("dead_code", "engine/base/odd.cc", "// file->Sync(kind);\n", 1),
    ("todo", "engine/base/odd.cc", "// TODO: later\n", 1),
    ("disabled_test", "engine/base/odd_test.cc", "TEST(A, DISABLED_B) {}\n", 1),
    ("disabled_test", "engine/base/odd_test.cc", "// #7 until 2001-01-01\nT(A, DISABLED_B)\n", 2),
    ("unlisted", "engine/base/forgotten_test.cc", "\n", 1),
    ("unlisted", "engine/base/forgotten.cc", "\n", 1),
    ("fault_kind", "sim/faults/faults.h", "enum class FaultKind {\n  kKill,\n  kLie,\n};\n", 3),
    ("exception", "tools/tidy_exceptions.txt", "# why\nengine/base/a.cc todo 2999-01-01 none\n", 2),
]

TIDY = [  # What looks like a breach and is none.
    ("engine/base/odd.cc", function_of(60)),
    ("engine/base/odd.cc", "// TODO(#12): later\nbool IsOpen() { return file.open(); }\n"),
    ("engine/base/odd.cc", "// A size survives without bytes (they are zeros);\n// as it was;\n"),
    ("engine/base/odd_test.cc", "#include <gtest/gtest.h>\n"),
    ("engine/base/odd_test.cc", "// #7 until 2999-01-01\nTEST(A, DISABLED_B) {}\n"),
    ("engine/base/odd_test.cc", '#include "engine/memory/memory_env.h"\n'),
    ("engine/base/odd_test.cc", '#include "engine/posix/posix_env.h"\n'),
    ("engine/base/odd_test_util.h", '#include "engine/memory/memory_env.h"\n'),
    ("suites/support/odd.cc", '#include <unistd.h>\nauto t = ::clock_gettime(0, &now);\n'),
]


class Tidy(unittest.TestCase):
    def check(self, extra):
        with tempfile.TemporaryDirectory() as root:
            for name, text in {**CLEAN, **extra}.items():
                path = pathlib.Path(root, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            return [(found.rule, found.path, found.line) for found in tidy.check(root)]

    def test_a_clean_tree_passes(self):
        self.assertEqual(self.check({}), [])

    def test_every_breach_is_reported_and_nothing_else(self):
        for rule, name, text, line in UNTIDY:
            with self.subTest(rule=rule, text=text[:60]):
                self.assertEqual(self.check({name: text}), [(rule, name, line)])

    def test_what_only_looks_like_a_breach_is_none(self):
        for name, text in TIDY:
            with self.subTest(text=text[:60]):
                self.assertEqual(self.check({name: text}), [])

    def test_every_rule_has_an_untidy_file(self):
        source = pathlib.Path(tidy.__file__).read_text()
        for rule in {row[0] for row in UNTIDY}:
            self.assertIn(f'"{rule}"', source)
        rules = {row[0] for row in tidy.BANNED} | {row[2] for row in tidy.LIMITS}
        self.assertLessEqual(rules, {row[0] for row in UNTIDY})

    def test_an_exception_excuses_until_its_date(self):
        odd = {"engine/base/odd.cc": "// TODO: later\n"}
        book = "tools/tidy_exceptions.txt"
        row = "engine/base/odd.cc todo {} waits for a decision\n"
        self.assertEqual(self.check({**odd, book: row.format("2999-01-01")}), [])
        expired = self.check({**odd, book: row.format("2001-01-01")})
        self.assertEqual(expired, [("exception", book, 1)])


if __name__ == "__main__":
    unittest.main()
