#!/usr/bin/env python3
"""No object file of the engine, the simulator and the models has a way out of the simulation.

Usage: link_guard.py LIBRARY.a...   Reads the undefined symbols of every object (nm -u) and reports
each that leads to a clock, entropy, a thread, the environment or a file. What tidy.py sees in the
source, this sees in what the compiler made of it, templates and inline functions included.

And no library but a world's own has a symbol that names a world (nm): the engine's object code is
the same one in production and in a simulation, with nothing in it instantiated for either.
"""
import pathlib
import re
import subprocess
import sys

# What it leads to, and the symbols that do, C names first, then those of C++ libraries as mangled.
WAYS_OUT = [
    ("a clock", r"(clock_gettime|gettimeofday|time|clock|times|ftime|timespec_get|nanosleep"
     r"|clock_nanosleep|usleep|sleep)|_ZNSt6chrono3_V2.*|_ZN4absl.*(3NowEv|GetCurrentTimeNanosEv)"),
    ("entropy", r"(getrandom|getentropy|s?rand|rand_r|s?random|[dlm]rand48|arc4random\w*)"
     r"|_ZNSt13random_device.*|_ZN4absl.*15random_internal.*"),
    ("a thread", r"(pthread_\w+|thrd_create|v?fork|clone3?)|_ZNSt6thread.*"
     r"|_ZNSt18condition_variable.*|_ZN4absl.*5Mutex.*"),
    ("the environment", r"((secure_)?getenv|_*environ|setenv)"),
    ("a file", r"(open(at)?(64)?|creat(64)?|f(re|d)?open(64)?|opendir|p?(read|write)v?(64)?"
     r"|f(data)?sync|f?truncate(64)?|rename(at)?|unlink(at)?|mkdir(at)?|rmdir|link|symlink"
     r"|[lf]?stat(64)?|syscall|flock|(posix_)?fallocate(64)?|mk[sd]temp)"
     r"|_ZNK?St10filesystem.*|_ZNK?St\d+basic_(file|[io]?fstream).*"),
]
# (object, symbol): why it is no way out.
ALLOWED = {}


def undefined(library):
    """Pairs (object, symbol without its version)."""
    text = subprocess.run(["nm", "-u", "-A", library], check=True, capture_output=True, text=True)
    for line in text.stdout.splitlines():
        where, _, symbol = line.rpartition(" ")
        yield where.split(":")[1], symbol.split("@")[0]


def ways_out(library):
    for name, symbol in undefined(library):
        for what, pattern in WAYS_OUT:
            if re.fullmatch(pattern, symbol) and (name, symbol) not in ALLOWED:
                yield name, symbol, what


def worlds(library):
    """Symbols, used or defined, that name a world other than the library's own."""
    text = subprocess.run(["nm", "-A", "-C", library], check=True, capture_output=True, text=True)
    for line in text.stdout.splitlines():
        name, symbol = re.fullmatch(r"[^:]+:([^:]+):[0-9a-f ]+\w (.*)", line).groups()
        for world in re.findall(r"\bkiban::(memory|posix|sim)::", symbol):
            if world not in pathlib.Path(library).name:
                yield name, symbol, f"the world kiban::{world}"


def breaches(library):
    yield from ways_out(library)
    yield from worlds(library)


def main(libraries):
    found = [(library, *breach) for library in libraries for breach in breaches(library)]
    for library, name, symbol, what in found:
        print(f"{library}({name}): {symbol} leads to {what}; go through engine/env.h")
    object_count = len({(lib, each[0]) for lib in libraries for each in undefined(lib)})
    print(f"link_guard: {object_count} objects, {len(libraries)} libraries, {len(found)} ways out")
    return 1 if found or object_count == 0 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
