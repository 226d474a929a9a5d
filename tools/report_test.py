#!/usr/bin/env python3
"""Goal:   the page of a sweep says all that its JSON says, and can be read by anybody.
Method: sweeps the real `kiban`, green and red, and reads the pages: with an HTML parser, and with
        --browser in a headless Chromium, at the widths of a phone and of a desk, light and dark.

Usage: report_test.py PROGRAM [--browser [--keep DIR]]"""

import base64
import os
import re
import sys
import unittest

import browser
import program_test
from sweep_page import CONTRASTS, Page, numbers_of, strings_of

SCREENS = [(width, scheme) for width in (360, 1280) for scheme in ("light", "dark")]
KEEP = None  # Where screenshots are left for people.

class SweepTest(program_test.ProgramTest):

    def sweep(self, *words, status):
        run = self.kiban("sweep", *words, "--html", "page.html", "--json", "results.json")
        self.assertEqual(run.returncode, status, run.stdout + run.stderr)
        return self.read("page.html"), self.results("results.json")

    def green(self):
        return self.sweep("--suite", "all", "--seeds", "20", status=0)

    def red(self):
        # A name that must be escaped wherever it comes up.
        return self.sweep("--suite", "crash", "--seeds", "8", "--plant", "no-directory-sync",
                          "--artifacts", "<b>&'\"", status=1)


class Structure(SweepTest):

    def check(self, text, results):
        page = Page(text)
        self.assertEqual(len(page.ids), len(set(page.ids)))
        self.assertTrue(page.targets)
        for target in page.targets:  # Into the page itself, and to what is there.
            self.assertIn(target, ["#" + name for name in page.ids])
        self.assertEqual(page.headings.count(1), 1)
        for above, heading in zip(page.headings, page.headings[1:]):
            self.assertLessEqual(heading, above + 1, "a heading is left out")
        self.assertEqual(page.unnamed, [])
        self.assertFalse(page.tags & {"script", "link", "img", "iframe", "b"}, page.tags)
        self.assertNotIn("http", text.replace("http-equiv", ""))
        self.assertNotRegex(text, r"url\(|@import")
        self.check_numbers(page, results)
        return page

    def check_numbers(self, page, results):
        suites = {suite["suite"]: numbers_of(suite) for suite in results["suites"]}
        expected = {"": {"schema": results["schema"]}, **suites}
        self.assertEqual({name: set(found) for name, found in page.numbers.items()},
                         {name: set(found) for name, found in expected.items()})
        for name, places in page.numbers.items():
            for place, (value, shown) in places.items():
                self.assertEqual(float(value), expected[name][place], f"{name} {place}")
                number = re.match(r"[\d,.]+", shown).group().replace(",", "")
                scale = 2 ** 20 if shown.endswith("MiB") else 1
                digits = len(number.partition(".")[2])
                self.assertAlmostEqual(float(number), float(value) / scale,
                                       delta=0.51 * 10 ** -digits, msg=f"{name} {place}: {shown}")

    def test_a_green_page_is_whole(self):
        page = self.check(*self.green())
        self.assertIn("Green: all of 60 lives held", page.text)
        self.assertIn("floors were not judged", page.text)

    def test_a_red_page_shows_each_failure_with_its_shrunk_case(self):
        text, results = self.red()
        page = self.check(text, results)
        self.assertRegex(page.text, r"Red: \d+ of \d+ lives did not hold")
        groups = [group for suite in results["suites"] for group in suite["failures"]]
        self.assertGreater(len(groups), 3)
        self.assertNotIn("<b>", text)
        for group in groups:
            for said in strings_of(group):
                self.assertIn(said, page.text)
            self.assertRegex(group["command"], r"\.min\.case")
            shrunk = re.sub(r"\.case$", ".min.case", group["case"])
            self.assertIn(self.read(shrunk), page.text)
        self.assertIn("durable write lost", page.text)

    def test_a_shard_and_an_engine_of_one_format_fit_too(self):
        self.check(*self.sweep("--suite", "crash", "--engine", "toy", "--seeds", "30", "--shard",
                               "2/3", "--recheck", "0", status=0))

    def test_a_page_that_cannot_be_written_is_said_before_the_first_life(self):
        run = self.kiban("sweep", "--seeds", "1", "--html", "absent/page.html")
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertIn("absent/page.html", run.stderr)


class InBrowser(SweepTest):

    def setUp(self):
        super().setUp()
        program = browser.find()
        if program is None:
            self.skipTest("no Chromium is installed")
        try:
            self.browser = browser.Browser(program)
        except EOFError:
            self.skipTest(f"{program} does not start")
        self.addCleanup(self.browser.close)
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.browser.ask(domain + ".enable")

    def check(self, name):
        url = "file://" + self.path("page.html")
        for width, scheme in SCREENS:
            with self.subTest(page=name, width=width, scheme=scheme):
                self.browser.show(url, width, scheme)
                self.assertEqual(self.browser.evaluate("innerWidth"), width)
                self.assertLessEqual(self.browser.evaluate("document.documentElement.scrollWidth"),
                                     width)
                self.assertEqual(self.browser.requests(), [url])
                self.assertEqual(self.browser.complaints(), [])
                contrasts = self.browser.evaluate(CONTRASTS)
                self.assertGreater(len(contrasts), 100)
                self.assertEqual([found for found in contrasts if found[1] < 4.5], [])
                self.keep(f"{name}-{width}-{scheme}.png")

    def keep(self, name):
        if KEEP is None:
            return
        with open(os.path.join(KEEP, name), "wb") as file:
            file.write(base64.b64decode(self.browser.screenshot()))

    def test_pages_fit_every_screen_and_need_nothing_else(self):
        self.green()
        self.check("green")
        self.red()
        self.check("red")

    def test_these_checks_bite(self):
        harm = "<p style='width:50rem;color:#888'>x<img src='file:///absent.png'></p>"
        text, _ = self.green()
        policy = re.search(r"<meta http-equiv.*?>", text).group()
        for name, page in (("harmed.html", text.replace(policy, "")), ("kept.html", text)):
            self.write(name, page.replace("</main>", harm + "</main>"))
            url = "file://" + self.path(name)
            self.browser.show(url, 360, "light")
            self.assertGreater(
                self.browser.evaluate("document.documentElement.scrollWidth"), 360)
            self.assertTrue(self.browser.complaints())
            self.assertTrue([found for found in self.browser.evaluate(CONTRASTS)
                             if found[1] < 4.5])
            self.assertEqual(self.browser.requests(), [url, "file:///absent.png"])
            reasons = [failed.get("blockedReason") for failed in
                       self.browser.of("Network.loadingFailed")]
            self.assertEqual(reasons, ["csp"] if name == "kept.html" else [None])


def main():
    global KEEP
    cases = [Structure]
    if "--keep" in sys.argv:
        at = sys.argv.index("--keep")
        KEEP = sys.argv[at + 1]
        del sys.argv[at:at + 2]
    if "--browser" in sys.argv:
        sys.argv.remove("--browser")
        cases = [InBrowser]
    program_test.PROGRAM = os.path.abspath(sys.argv[1])
    for name in program_test.SHARDS:
        os.environ.pop(name, None)
    tests = unittest.TestSuite(map(unittest.defaultTestLoader.loadTestsFromTestCase, cases))
    result = unittest.TextTestRunner().run(tests)
    for _, why in result.skipped[:1]:
        print(f"skipped: {why}")
    sys.exit(0 if result.wasSuccessful() else 1)


if __name__ == "__main__":
    main()
