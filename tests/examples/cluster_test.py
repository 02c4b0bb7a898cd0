"""examples/cluster survives the end of its leader and of a node of etcd."""

import os
import sys
import unittest

import ports

sys.path.insert(0, os.environ["CLUSTER"])
import cluster  # noqa: E402


class Cluster(unittest.TestCase):
    def test_the_work_goes_on_when_the_leader_and_a_node_of_etcd_are_killed(self):
        with cluster.Cluster(os.environ["CLUSTER_NODE"], 3, ports.free_port) as started:
            cluster.survive(started, is_short=True)


if __name__ == "__main__":
    unittest.main()
