#!/usr/bin/env python3
"""House rules that clang-tidy cannot say: reads the tree, prints `file:line: rule: what to do`.
Usage: tidy.py [ROOT]. Exceptions stand in tools/tidy_exceptions.txt, each with a date."""
import datetime
import pathlib
import posixpath
import re
import sys
from collections import namedtuple

File = namedtuple("File", "path raw code")  # Lists of lines; code has no comments and strings.
Found = namedtuple("Found", "path line rule advice")

# Who may include whom, beside its own folder: the longest row that a path begins with decides.
# "<linux>" is any <name.h> of the system; headers of the standard library, <name>, are free.
ENGINE = "engine/env.h engine/base/ absl/ "
BELOW_TABLE = ENGINE + "engine/wal/ engine/cache/ engine/pointindex/ "
SUITES = "engine/env.h engine/base/ sim/ models/ suites/ absl/ rapidcheck "
FORMATS = "engine/ sim/ models/ suites/ absl/ rapidcheck"
TOOLS = "engine/ sim/ models/ suites/ tools/ absl/ CLI/ <linux> "
INCLUDES = {
    "engine/": ENGINE,
    "engine/env.h": "engine/base/ticks.h absl/",
    "engine/base/hash": "xxhash.h",
    "engine/posix/": ENGINE + "<linux>",
    "engine/table/": BELOW_TABLE,
    "engine/lsm/": BELOW_TABLE + "engine/table/",
    "engine/bitcask/": BELOW_TABLE + "engine/table/",
    "engine/typed/": "engine/ absl/",
    "sim/": "engine/env.h engine/base/ sim/ absl/ xxhash.h",
    "sim/fiber": "engine/env.h engine/base/ sim/ absl/ boost/context/ sanitizer/ <linux>",
    "models/": "models/ engine/base/check.h engine/base/bytes.h engine/base/hash.h",
    "suites/": SUITES,
    "suites/support/": SUITES + "<linux> nlohmann/ sanitizer/",
    "suites/support/lsm_": "engine/env.h engine/base/ engine/lsm/ suites/support/ absl/",
    "suites/support/matchers.h": "engine/base/ suites/support/ absl/ gtest/ gmock/",
    "suites/formats/": FORMATS,
    "suites/properties/": FORMATS + " gtest/",
    "suites/realfs/": SUITES + "engine/posix/ fuse3/ <linux>",
    "tools/": TOOLS,
    "tools/bench/": TOOLS + "lmdb.h rocksdb/ leveldb/ sqlite3.h benchmark/",
}
TEST_INCLUDES = ("engine/memory/ engine/posix/ engine/env_contract.h gtest/ gmock/ rapidcheck"
                 " benchmark/")

# Who may reach the machine: its own folder, workers, and tools; but not what a life is made of.
SYSTEM = ("engine/posix/", "suites/realfs/", "suites/support/", "suites/mutants/", "tools/")
PURE = tuple("suites/support/" + part for part in (
    "case_file", "engine", "life", "lsm_", "operation", "plan", "suite.", "verdict", "workload"))
FILE_CALLS = ("open(?:at)?|f(?:re)?open|creat|pread|pwrite|fsync|fdatasync|f?truncate|rename"
              "|unlink|rmdir|mkdir|mkstemp|mkdtemp|opendir|l?stat|fstat|link|symlink|flock"
              "|(?:posix_)?fallocate")
# rule, what it is, what to do instead, who may.
BANNED = [
    ("clock", r"std::chrono|\b(?:clock_gettime|gettimeofday|timespec_get)\b"
     r"|(?<![\w.>])(?:std::|::)?(?:time|clock)\((?:NULL|nullptr|0|&\w+)?\)",
     "ask engine::Clock for the time", SYSTEM),
    ("chance", r"\b(?:random_device|mt19937\w*|default_random_engine|getrandom|getentropy)\b"
     r"|std::\w+_distribution|std::shuffle|(?<![\w.>])(?:std::|::)?s?rand(?:om)?\(",
     "draw from sim::Rng, in an engine from engine::Random", ("engine/posix/", "tools/")),
    ("thread", r"std::(?:thread|jthread|async|future|promise|this_thread|mutex|shared_mutex"
     r"|recursive_mutex|condition_variable\w*)\b|\bpthread_\w+|(?<![\w.>])(?:::)?v?fork\(",
     "use engine::Tasks, or the locks of engine/base/sync.h", SYSTEM),
    ("environment", r"\b(?:secure_)?getenv\b|\benviron\b", "take it as an option", SYSTEM),
    ("file_call", r"std::(?:[io]?fstream|filesystem)\b|(?<![\w.>])(?:std::|::)?(?:" + FILE_CALLS +
     r")\s*\((?!\))", "go through engine::FileSystem", SYSTEM),
    ("unordered", r"std::unordered_\w+",
     "use std::map, or absl::flat_hash_map if it is never walked", ()),
    ("pointer_value", r"<<\s*static_cast<(?:const )?void\s*\*>|std::hash<[^<>]*\*>|u?intptr_t",
     "name the thing by what it is; addresses differ from run to run", ("sim/fiber",)),
]
FLOAT_FREE = ("sim/", "models/", "suites/support/workload", "suites/support/plan")
GENERATORS = re.compile(r"suites/(?!support/|realfs/|mutants/)")
LIMITS = [  # The first that fits a path: which files, how many lines, rule.
    (r"/env\.h$", 300, "long_header"), (r"\.h$", 200, "long_header"),
    (r"_(test|fuzz|bench)\.cc$", 600, "long_test"), (r"\.cc$", 500, "long_source"),
    (r"\.py$", 250, "long_script")]
IS_TEST = re.compile(r"_(test|fuzz|bench)\.cc$|_for_test\.|(^|[_/])test(ing|_\w+)\.h$")
READ = re.compile(r"\.(h|cc|py|cmake|sh|md)$|(^|/)CMakeLists\.txt$|^tools/(sweep|test)$|^\.ci/run$")
COMMENT_OR_STRING = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<!\w)\'(?:\\.|[^\'\\\n])+\'', re.S)
CODE_IN_COMMENT = re.compile(
    r"^\s*//+\s*(?:#include\b.*|return\b.*;|.*\w\([^)]*\)+;|\w[\w.\->\[\]]* [-+|]?= .*;"
    r"|(?:const |static )?[\w:<>*&]+ \w+(?: = .*)?;|(?:if|for|while|switch) \(.*\) ?(?:\{|.*;)"
    r"|\}.*\b(?:else|while)\b.*)\s*$")
SCOPE = re.compile(r"\b(?:namespace|class|struct|union|enum)\b|extern \x22")


def blank(match):
    return re.sub(r"[^\n]", " ", match.group())


def load(root):
    files = []
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        if name.startswith(("build/", ".git/")) or not READ.search(name) or not path.is_file():
            continue
        text = path.read_text(errors="replace")
        code = COMMENT_OR_STRING.sub(blank, text) if path.suffix in {".h", ".cc"} else text
        files.append(File(name, text.split("\n"), code.split("\n")))
    return files


def is_cpp(file):
    return file.path.endswith((".h", ".cc"))


def includes(file, _):
    row = max((r for r in INCLUDES if file.path.startswith(r)), key=len, default=None)
    allowed = (INCLUDES[row] if row else "").split()
    allowed += TEST_INCLUDES.split() if IS_TEST.search(file.path) else []
    allowed += [posixpath.dirname(file.path) + "/"] if file.path.count("/") == 2 else []
    for number, line in enumerate(file.raw, 1):
        found = re.match(r"\s*#\s*include\s*([<\"])([^>\"]+)", line)
        if not found or (found[1] == "<" and re.fullmatch(r"\w+", found[2])):
            continue
        linux = found[1] == "<" and "<linux>" in allowed and re.match(r"[\w/]+\.h$", found[2])
        if not linux and not found[2].startswith(tuple(allowed)):
            yield number, "include", f"{found[2]} is out of bounds here; see INCLUDES in tidy.py"


def banned(file, _):
    for number, line in enumerate(file.code, 1):
        for rule, pattern, advice, allowed in BANNED:
            if re.search(pattern, line) and (
                    not file.path.startswith(allowed) or file.path.startswith(PURE)):
                yield number, rule, advice
        if re.search(r"\b(?:float|double)\b", line) and (
                file.path.startswith(FLOAT_FREE) or GENERATORS.match(file.path)):
            yield number, "float", "use integers and ratios; floats differ between builds"
        if re.search(r'"[^"]*%p', file.raw[number - 1]):
            yield number, "pointer_value", "name the thing by what it is, not by its address"


def functions(file, _):
    """Outermost braces that follow a parameter list are a function's."""
    depth_of_function, depth, head, start = None, 0, "", 0
    for number, line in enumerate(file.code, 1):
        if line.lstrip().startswith("#"):
            continue
        for char in line:
            if char == "{":
                depth += 1
                is_scope = ")" not in head or SCOPE.search(head.split("(")[0])
                if depth_of_function is None and not is_scope:
                    depth_of_function = depth
            elif char == "}":
                if depth == depth_of_function:
                    depth_of_function = None
                    if number - start >= 60:
                        yield start, "long_function", "split it; 60 lines is the limit"
                depth -= 1
            if char in "{};":
                head = ""
            elif depth_of_function is None:
                start = number if not head.strip() else start
                head += char


def shape(file, _):
    fitting = [(limit, rule) for pattern, limit, rule in LIMITS if re.search(pattern, file.path)]
    for limit, rule in fitting[:1]:
        if len(file.raw) - 1 > limit:
            yield limit + 1, rule, f"split it by ideas; {limit} lines is the limit"
    for number, line in enumerate(file.raw, 1):
        if len(line) > 100 and not file.path.endswith(".md"):
            yield number, "long_line", "break it; 100 columns is the limit"
    if file.path.count("/") > 2 and not file.path.startswith("corpora/"):
        yield 1, "deep_folder", "move it up; folders are two deep"


def leftovers(file, today):
    if file.path.startswith("tools/tidy"):
        return
    for number, line in enumerate(file.raw, 1):
        if is_cpp(file) and CODE_IN_COMMENT.match(line):
            yield number, "dead_code", "delete it; version control remembers"
        if re.search(r"\b(TODO|FIXME)\b(?!\(#\d+\))", line):
            yield number, "todo", "do it, or write TODO(#issue)"
        if re.search(r"\bDISABLED_\w|\bDISABLED (TRUE|ON|1)\b", line):
            around = "\n".join(file.raw[max(number - 2, 0):number])
            until = re.search(r"#\d+ until (\d{4}-\d\d-\d\d)", around)
            if not until or until[1] < today:
                yield number, "disabled_test", "enable it or say above: #issue until YYYY-MM-DD"


def unlisted(files):
    named = set()
    for file in files:
        folder = posixpath.dirname(file.path)
        words = " ".join(file.raw).replace("(", " ").replace(")", " ").split()
        for word in words if file.path.endswith("CMakeLists.txt") else []:
            is_rooted = word.startswith("${CMAKE_SOURCE_DIR}/")
            named.add(word[20:] if is_rooted else posixpath.normpath(posixpath.join(folder, word)))
    for file in files:
        if file.path.endswith(".cc") and file.path not in named:
            yield Found(file.path, 1, "unlisted", "name it in a CMakeLists.txt, or delete it")


def faults(files):
    book = "\n".join("\n".join(f.raw) for f in files if f.path == "sim/disk/README.md")
    for file in (f for f in files if re.match(r"sim/faults/.*\.h$", f.path)):
        inside = False
        for number, line in enumerate(file.code, 1):
            inside = inside or "enum class FaultKind" in line
            for kind in re.findall(r"\bk[A-Z]\w*", line) if inside else []:
                if not re.search(rf"\b{kind}\b", book):
                    yield Found(file.path, number, "fault_kind",
                                f"give {kind} its line in sim/disk/README.md: hardware and test")
            inside = inside and "}" not in line


def without_exceptions(root, found, today):
    """Takes out what is excused; a line that is expired or excuses nothing is itself reported."""
    name = "tools/tidy_exceptions.txt"
    book = root / name
    for number, line in enumerate(book.read_text().split("\n") if book.exists() else [], 1):
        if not line.strip() or line.startswith("#"):
            continue
        path, rule, until, _ = (line.split(None, 3) + ["", "", "", ""])[:4]
        hit = [each for each in found if (each.path, each.rule) == (path, rule)]
        found = [each for each in found if each not in hit]
        if len(line.split()) < 4 or not re.fullmatch(r"\d{4}-\d\d-\d\d", until):
            found.append(Found(name, number, "exception", "write: path rule YYYY-MM-DD reason"))
        elif until < today:
            found.append(Found(name, number, "exception", f"it expired on {until}; mend {path}"))
        elif not hit:
            found.append(Found(name, number, "exception", "it excuses nothing any more; delete it"))
    return found


def check(root, today=None):
    root = pathlib.Path(root)
    today = today or datetime.date.today().isoformat()
    files = load(root)
    found = list(unlisted(files)) + list(faults(files))
    for file in files:
        rules = (includes, banned, functions) if is_cpp(file) else ()
        for rule in rules + (shape, leftovers):
            found += [Found(file.path, *each) for each in rule(file, today)]
    return sorted(without_exceptions(root, found, today))


if __name__ == "__main__":
    problems = check(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent)
    for problem in problems:
        print(f"{problem.path}:{problem.line}: {problem.rule}: {problem.advice}")
    print(f"tidy: {len(problems)} to mend" if problems else "tidy: nothing to mend")
    sys.exit(1 if problems else 0)
