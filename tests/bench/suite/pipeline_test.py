import sys
import types
import unittest

import package
from suite import measured

sys.path.insert(0, str(package.BENCH / "pipeline"))
import run as pipeline  # noqa: E402


def result(per_second, cpu_us):
    return {"requests": per_second * 2, "errors": 0, "seconds": 2.0, "per_second": float(per_second), "p50_us": 10.0,
            "p90_us": 20.0, "p99_us": 30.0, "p999_us": 40.0, "server_cpu_us_per_request": cpu_us}


OPTIONS = types.SimpleNamespace(repeat=3, seconds=2.0, warmup=0.5, connections=1, depth=1, io_workers=1, pool=2,
                                latency_us=1000, work_us=5)


class Pipeline(unittest.TestCase):
    def test_each_mode_is_a_contender_with_its_rounds(self):
        made = pipeline.document({"none": [result(100, 5.0), result(300, 4.0), result(200, 6.0)]}, OPTIONS)
        one = made["contests"][0]["contenders"][0]
        self.assertEqual(one["summary"]["items_per_second"], 200)
        self.assertEqual(one["summary"]["cpu_ns_per_item"], 5000)
        self.assertEqual([each["items"] for each in one["rounds"]], [200, 600, 400])
        self.assertAlmostEqual(one["rounds"][0]["cpu_seconds"], 200 * 5e-6)

    def test_the_report_can_read_it(self):
        made = pipeline.document({mode: [result(100, 5.0)] for mode in ("none", "coroutine")}, OPTIONS)
        read = list(measured.configurations(made))
        self.assertEqual([each.name for each in read[0].contenders], ["none", "coroutine"])
        self.assertEqual(read[0].contenders[0].rounds[0].percentiles_ns["p99"], 30_000)

    def test_names_are_chosen_by_parts_or_whole(self):
        self.assertTrue(pipeline.wanted("blocking", ["block"], False))
        self.assertFalse(pipeline.wanted("blocking", ["block"], True))
        self.assertTrue(pipeline.wanted("none", [], True))


if __name__ == "__main__":
    unittest.main()
