import json
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import package
from suite import benchmark, processes, programs, servers, steps, tools

NAMES = Path(__file__).parent / "recorded" / "names.txt"
WINDOWS = benchmark.Windows(2, 1.0, 0.1)


def titles(found):
    return [f"{each.title}: {', '.join(each.subjects)}" for each in found]


class Rounds(unittest.TestCase):
    def setUp(self):
        self.order = []

        def measure(_session, subject, seconds, warmup):
            self.order.append((subject, seconds, warmup))
            return {"items": len(self.order), "seconds": seconds, "cpu_seconds": 2.0, "times_ns": {"p50": 5, "largest": 9}, "errors": 1}

        self.made = benchmark.Benchmark("program", "family", "family/1", "about", "item", ("cpu",), ("slow", "quick", "quicker"), measure)

    def test_subjects_take_turns(self):
        result = benchmark.read(benchmark.measure(self.made, None, WINDOWS))
        self.assertEqual([name for name, *_ in self.order], ["slow", "quick", "quicker"] * 2)
        self.assertEqual([each.per_second for each in result.subject("quick").rounds], [2, 5])
        self.assertEqual([each.cpu_ns for each in result.subject("quick").rounds], [2e9 / 2, 2e9 / 5])

    def test_chosen_subjects_come_in_the_order_that_is_asked_for(self):
        result = benchmark.read(benchmark.measure(self.made, None, WINDOWS, ["quick", "other", "slow"]))
        self.assertEqual([each.name for each in result.subjects], ["quick", "slow"])

    def test_what_is_read_is_what_was_measured(self):
        document = json.loads(json.dumps(benchmark.measure(self.made, None, WINDOWS)))
        result = benchmark.read(document)
        self.assertEqual((result.program, result.name, result.measures), ("program", "family/1", ("cpu",)))
        self.assertEqual(result.subject("slow").rounds[0].percentiles_ns, {"p50": 5})
        self.assertEqual(result.subject("slow").errors, 2)

    def test_a_round_of_no_items_counts_for_nothing(self):
        document = benchmark.measure(self.made, None, WINDOWS)
        document["subjects"][0]["rounds"][0]["items"] = 0
        self.assertEqual(len(benchmark.read(document).subjects[0].rounds), 1)


class Session(unittest.TestCase):
    def test_what_is_made_once_goes_at_the_end(self):
        seen = []

        class Made:
            def __init__(self, session):
                seen.append("made")

            def __enter__(self):
                return "it"

            def __exit__(self, *_):
                seen.append("gone")

        with benchmark.Session("/bin") as session:
            self.assertEqual([session.once(Made), session.once(Made)], ["it", "it"])
            directory = session.directory
            self.assertEqual(seen, ["made"])
        self.assertEqual(seen, ["made", "gone"])
        self.assertFalse(directory.exists())


class Names(unittest.TestCase):
    """What is measured and beside whom is as it was: recorded/names.txt, from a whole build."""

    def setUp(self):
        self.recorded = NAMES.read_text(encoding="utf-8").splitlines()

    def of(self, *names):
        return [each for each in self.recorded if each.startswith(names)]

    def test_servers(self):
        with mock.patch.object(Path, "exists", return_value=True):
            self.assertEqual(titles(servers.benchmarks(Path("/build/bin"))), self.of("eddy-bench:"))

    def test_what_other_programs_measure(self):
        with mock.patch.object(Path, "exists", return_value=True), mock.patch("shutil.which", return_value="/bin/any"):
            self.assertEqual(sorted(titles(tools.benchmarks(Path("/build/bin")))), sorted(self.of("eddy-bench-tools:", "eddy-bench-pipeline:")))

    def test_what_is_built(self):
        folder = package.BENCH.parent / "build" / "bench" / "bin"
        found = [each for each in folder.glob("eddy-bench-*") if programs._PROGRAM.fullmatch(each.name)]
        if not found:
            self.skipTest("[bench] the benchmarks are not built")
        for path in found:
            with mock.patch.object(Path, "exists", return_value=True):
                self.assertEqual(titles(programs.in_process(path)), self.of(f"{path.name}:"))

    def test_no_name_is_there_twice(self):
        self.assertEqual(len({each.partition(": ")[2].partition(": ")[0] + each.partition(":")[0] for each in self.recorded}),
                         len(self.recorded))


class OtherLanguages(unittest.TestCase):
    def test_what_they_print_is_a_sample(self):
        self.assertEqual(programs.sample_in("1000 2.5 3.5 4096\n"),
                         {"items": 1000, "seconds": 2.5, "cpu_seconds": 3.5, "peak_memory_bytes": 4096})

    def test_fewer_numbers_or_none_are_no_sample(self):
        for line in ("1000 2.5 3.5", "0 2.5 3.5 4096", "nonsense"):
            with self.assertRaises(processes.Failed):
                programs.sample_in(line)

    def test_those_that_were_built_take_part(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("eddy-bench-channel-tokio", "eddy-bench-channel-go", "eddy-bench-fib-go"):
                Path(folder, name).touch()
            found = {name: sorted(programs._in_other_languages(Path(folder), name))
                     for name in ("channel_4x1/2", "channel_4x4/2", "fib/1", "skynet/1", "await_ready")}
        self.assertEqual(found, {"channel_4x1/2": ["go", "tokio"], "channel_4x4/2": ["go"], "fib/1": ["go"], "skynet/1": [],
                                 "await_ready": []})


HEY = """
Summary:
  Total:\t10.5 secs
  Requests/sec:\t1904.7

Status code distribution:
  [200]\t20000 responses
"""
AB = """
Time taken for tests:   2.500 seconds
Complete requests:      5000
Failed requests:        0
"""
H2LOAD = """
finished in 2.50s, 2000.00 req/s, 2.01MB/s
requests: 5000 total, 5010 started, 5000 done, 5000 succeeded, 0 failed, 0 errored, 0 timeout
"""


class Tools(unittest.TestCase):
    def test_what_they_say_is_read(self):
        self.assertEqual(tools.answered_by_hey(HEY), (20000, 10.5))
        self.assertEqual(tools.answered_by_ab(AB), (5000, 2.5))
        self.assertEqual(tools.answered_by_h2load(H2LOAD), (5000, 2.5))
        self.assertEqual(tools.answered_by_h2load(H2LOAD.replace("2.50s", "500.00ms")), (5000, 0.5))

    def test_answers_that_are_not_right_fail_the_measurement(self):
        for text in (HEY.replace("[200]", "[404]"), HEY + "  [503]\t1 responses\n", HEY + "Error distribution:\n  [1]\tno\n"):
            with self.assertRaises(processes.Failed):
                tools.answered_by_hey(text)
        for text in (AB.replace("requests:        0", "requests:        7"), AB + "Non-2xx responses:      3\n"):
            with self.assertRaises(processes.Failed):
                tools.answered_by_ab(text)
        for text in (H2LOAD.replace("0 failed", "1 failed"), H2LOAD.replace("5000 succeeded", "4999 succeeded"), "stopped"):
            with self.assertRaises(processes.Failed):
                tools.answered_by_h2load(text)

    def test_the_commands_are_those_of_the_sources(self):
        self.assertEqual(tools.hey(0, 1_000_000), ["hey", "-c", "5000", "-n", "1000000"])
        self.assertEqual(tools.ab(0, 500_000), ["ab", "-q", "-c", "25", "-k", "-n", "500000"])

    def test_what_the_pipelines_demonstration_finds_is_a_sample(self):
        found = {"requests": 200, "errors": 0, "seconds": 2.0, "p50_us": 10.0, "p90_us": 20.0, "p99_us": 30.0, "p999_us": 40.0,
                 "server_cpu_us_per_request": 5.0}
        sample = tools.sample_of("none", found)
        self.assertAlmostEqual(sample["cpu_seconds"], 200 * 5e-6)
        self.assertEqual(sample["times_ns"]["p99"], 30_000)
        for wrong in ({"errors": 1}, {"requests": 0}):
            with self.assertRaises(processes.Failed):
                tools.sample_of("none", {**found, **wrong})

    def test_what_google_benchmark_says_of_a_step_is_a_sample(self):
        said = json.dumps({"benchmarks": [{"iterations": 1000, "real_time": 4.0, "cpu_time": 2.0, "time_unit": "us"}]})
        self.assertEqual(steps.sample_in(said), {"items": 1000, "seconds": 4.0e-3, "cpu_seconds": 2.0e-3})

    def test_steps_of_another_build_are_beside_those_of_this_one(self):
        with tempfile.TemporaryDirectory() as root, mock.patch.object(processes, "run", return_value="yield\nyield_bare\n"):
            for build in ("bench", "bench-lto"):
                Path(root, build, "bin").mkdir(parents=True)
                Path(root, build, "bin", "eddy-micro").touch()
            found = steps.benchmarks(Path(root, "bench", "bin"))
        self.assertEqual(titles(found)[0], "eddy-micro: yield: eddy, bare")
        self.assertEqual({each.subjects for each in found[1:]}, {("eddy_lto", "without_lto")})


if __name__ == "__main__":
    unittest.main()
