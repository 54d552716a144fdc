# SPDX-License-Identifier: Apache-2.0
"""Commands in shards: lapidary.farm, with clients of several kinds."""

import concurrent.futures
import os
import tempfile
import unittest

import package
import lapidary
from lapidary import farm

MODELS = ["sample:mlp", "sample:lenet"]


class Ray:
    """What farm.map() uses of the module ray, in this process."""

    __name__ = "ray"

    class Remote:
        def __init__(self, function):
            self.function = function

        def remote(self, *arguments):
            return self.function, arguments

    def remote(self, function):
        return Ray.Remote(function)

    def get(self, reference):
        function, arguments = reference
        return function(*arguments)


class Farm(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.plan = os.path.join(self.folder.name, "job.json")

    def rows(self):
        merged = farm.merge(self.plan)
        self.assertTrue(merged.complete)
        return sorted((row.model, row.result.nodes) for row in merged.results)

    def test_every_client_gives_what_one_process_does(self):
        made = farm.plan(self.plan, ["info"], models=MODELS, shards=2)
        self.assertEqual(made.tasks, 2)
        known = sorted((model, lapidary.info(model).nodes) for model in MODELS)
        with concurrent.futures.ThreadPoolExecutor(2) as threads:
            for client in (None, Ray(), threads):
                shards = farm.map(self.plan, client, again=True)
                self.assertEqual([shard.ran for shard in shards], [1, 1])
                self.assertEqual(self.rows(), known)

    def test_lost_shards_are_run_again(self):
        farm.plan(self.plan, ["info"], models=MODELS, shards=2)
        farm.map(self.plan, shards=[0])
        lacking = farm.merge(self.plan)
        self.assertFalse(lacking.complete)
        self.assertEqual(lacking.exit_code, 1)
        self.assertIn("not complete: lost shards: 1, failed tasks: 0", repr(lacking))
        again = {task.shard for task in [*lacking.lost, *lacking.failed]}
        self.assertEqual(again, {1})
        farm.map(self.plan, shards=sorted(again))
        self.assertEqual(len(self.rows()), 2)
        self.assertIn("complete: all 2 tasks of 2 shards", repr(farm.merge(self.plan)))

    def test_tables_of_all_models_become_one(self):
        farm.plan(self.plan, ["profile", "--runs", "1"], models=MODELS, shards=2)
        self.assertEqual(farm.rows(farm.merge(self.plan)), [])
        farm.map(self.plan)
        rows = farm.rows(farm.merge(self.plan), "operators")
        self.assertEqual({row["model"] for row in rows}, set(MODELS))
        for row in rows:
            self.assertEqual(list(row)[:2], ["model", "host"])
            self.assertTrue(row["operator"])
            self.assertTrue(row["host"])

    def test_mistakes_are_usage_errors(self):
        with self.assertRaisesRegex(lapidary.UsageError, "--shards"):
            farm.plan(self.plan, ["info"], models=MODELS)
        with self.assertRaisesRegex(TypeError, "list of words"):
            farm.plan(self.plan, "info", models=MODELS, shards=2)
        farm.plan(self.plan, ["info"], models=MODELS, shards=2)
        with self.assertRaisesRegex(lapidary.UsageError, "client is None"):
            farm.map(self.plan, "scheduler:8786")


if __name__ == "__main__":
    package.main()
