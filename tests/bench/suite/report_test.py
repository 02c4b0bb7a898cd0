import contextlib
import io
import shutil
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import package  # noqa: F401
from suite import benchmark, document, judged, plots, summary
from suite.report import write_report
from suite.store import Store

RECORDED = Path(__file__).parent / "recorded"


def results():
    return document.results_of(Store(RECORDED).records())


class Measured(unittest.TestCase):
    def setUp(self):
        self.found = {each.name: each for each in results()}

    def test_servers_and_what_is_measured_within_a_program_and_steps_have_one_form(self):
        self.assertEqual(set(self.found), {"echo, 128 B, 50 connections", "http_post, 64 KiB, 32 connections",
                                           "concurrent/100", "yield"})

    def test_servers_are_compared_by_throughput_and_by_processor_time(self):
        echo = self.found["echo, 128 B, 50 connections"]
        self.assertEqual(echo.measures, ("throughput", "cpu"))
        self.assertEqual(echo.dimensions["connections"], 50)
        self.assertEqual(len(echo.subject("eddy").rounds), 5)
        self.assertEqual(set(echo.subject("eddy").rounds[0].percentiles_ns), set(benchmark.PERCENTILES))

    def test_lateness_of_timers_is_kept_round_by_round(self):
        timers = self.found["concurrent/100"]
        self.assertTrue(timers.times_are_late)
        self.assertTrue(all(len(each.percentiles_ns) == 4 for each in timers.subject("eddy_timer").rounds))

    def test_a_step_is_beside_the_least_that_it_can_be(self):
        self.assertEqual([each.name for each in self.found["yield"].subjects], ["eddy", "bare"])

    def test_a_ratio_of_processor_time_is_above_one_when_eddy_needs_less(self):
        echo = self.found["echo, 128 B, 50 connections"]
        ours = next(each for each in judged.judge(echo) if each.line.eddy == "eddy")
        needs = {name: sum(each.cpu_ns for each in echo.subject(name).rounds) for name in ("eddy", "asio_coroutines")}
        self.assertEqual(ours.of("asio_coroutines", "cpu").ratio.value > 1, needs["eddy"] < needs["asio_coroutines"])


class Report(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.out = Path(folder.name, "benchmarks.md")

    def write(self, recorded=RECORDED, pictures=False):
        with mock.patch.object(plots, "is_possible", return_value=pictures), \
                contextlib.redirect_stdout(io.StringIO()) as said:
            write_report(recorded, self.out)
        return self.out.read_text(encoding="utf-8"), said.getvalue()

    def test_it_needs_no_matplotlib(self):
        page, said = self.write()
        self.assertIn("no pictures", said)
        self.assertNotIn("![", page)

    def test_every_verdict_of_slower_is_in_the_list_at_the_top(self):
        page, _ = self.write()
        top = page[:page.index("### Where eddy is further")]
        compared = [each for result in results() for each in judged.judge(result)]
        slower = summary.counts(compared)
        self.assertGreater(slower["cpu"]["slower"], 0)
        self.assertEqual(top.count("**slower**"), slower["cpu"]["slower"] + slower["throughput"]["slower"])
        self.assertIn("| servers | http_post, 64 KiB, 32 connections | `eddy` | CPU | `hyper` |", top)

    def test_what_failed_is_named_with_its_reason_and_what_is_missing_is_counted(self):
        page, _ = self.write()
        self.assertIn("- eddy-bench-broken: one: the last line of its errors", page)
        self.assertIn("1 of 8 units have not been measured", page)

    def test_results_of_another_commit_count_as_missing(self):
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder, "recorded")
            shutil.copytree(RECORDED, copy)
            run = copy / "run.json"
            run.write_text(run.read_text().replace("abcdef123456", "123456abcdef"))
            page, _ = self.write(copy)
        self.assertIn("8 of 8 units have not been measured", page)

    def test_it_tells_all_that_a_reader_needs(self):
        page, _ = self.write()
        for words in ("Some processor, 2 cores", "Some compiler 1.2", "5 rounds", "compiling a hello server",
                      "system calls", "p99.9", "late, p99", "## Method"):
            self.assertIn(words, page)

    def write_summary(self):
        kept = Path(self.out.parent, "docs", "summary.md")
        with mock.patch.object(plots, "is_possible", return_value=False), contextlib.redirect_stdout(io.StringIO()):
            write_report(RECORDED, self.out, kept)
        return kept.read_text(encoding="utf-8")

    def test_the_summary_has_the_verdicts_and_no_single_configuration(self):
        page = self.write_summary()
        for words in ("## At a glance", "### Where eddy is slower", "**slower**", "## By scenario", "compiling a hello server",
                      "Some processor, 2 cores", "1 of 8 units have not been measured", "benchmarks.md` after a run"):
            self.assertIn(words, page)
        self.assertNotIn("<details>", page)
        self.assertNotIn("![", page)
        self.assertLess(page.count("\n"), self.out.read_text(encoding="utf-8").count("\n"))

    def test_the_summary_stays_short_by_leaving_out_the_end_of_its_longest_list(self):
        whole = self.write_summary()
        lines_max = whole.count("\n") - 1
        with mock.patch.object(document, "_SUMMARY_LINES_MAX", lines_max):
            cut = self.write_summary()
        self.assertLessEqual(cut.count("\n"), lines_max)
        self.assertRegex(cut, r"And \d+ more\.")

    def test_the_same_results_give_the_same_page(self):
        self.assertEqual(self.write()[0], self.write()[0])

    @unittest.skipUnless(plots.is_possible(), "[matplotlib] matplotlib is not installed")
    def test_the_same_results_give_the_same_pictures(self):
        page, _ = self.write(pictures=True)
        first = self.pictures()
        self.assertEqual(set(first), {name for name in first if f"(benchmarks/{name})" in page})
        self.assertIn("servers_echo_cpu.svg", first)
        self.write(pictures=True)
        self.assertEqual(self.pictures(), first)

    @unittest.skipUnless(plots.is_possible(), "[matplotlib] matplotlib is not installed")
    def test_pictures_of_what_is_no_more_are_removed(self):
        folder = self.out.with_suffix("")
        folder.mkdir()
        (folder / "old.svg").write_text("<svg/>")
        self.write(pictures=True)
        self.assertNotIn("old.svg", self.pictures())

    def pictures(self):
        return {path.name: path.read_bytes() for path in self.out.with_suffix("").glob("*.svg")}


if __name__ == "__main__":
    unittest.main()
