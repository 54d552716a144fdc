# SPDX-License-Identifier: Apache-2.0
"""Results: members as attributes, tables, equality."""

import importlib.util
import json
import unittest

import package
import lapidary


class Results(unittest.TestCase):
    def setUp(self):
        self.members = {"file": "x", "pass": 1, "rows_": [], "nodes": [{"ms": 1.5}, {"ms": 2}]}
        self.result = lapidary.Result(self.members)

    def test_members_are_attributes_and_items(self):
        self.assertEqual(self.result.file, "x")
        self.assertEqual(self.result["pass"], 1)
        self.assertEqual(self.result.pass_, 1)
        self.assertEqual(self.result.nodes[0].ms, 1.5)
        self.assertIn("file", self.result)
        self.assertEqual(list(self.result), list(self.members))
        self.assertIsNone(self.result.get("none"))
        with self.assertRaisesRegex(AttributeError, "there are file, pass"):
            self.result.fil
        with self.assertRaises(AttributeError):
            self.result.file = "y"

    def test_plain_forms(self):
        self.assertEqual(self.result.to_dict(), self.members)
        self.assertEqual(json.loads(self.result.to_json()), self.members)
        self.assertEqual(self.result, lapidary.Result(dict(self.members)))
        self.assertIn("nodes=<2 items>", repr(self.result))

    def test_tables(self):
        self.assertEqual(self.result.tables(), ["nodes"])
        self.assertEqual(self.result.rows(), [{"ms": 1.5}, {"ms": 2}])
        with self.assertRaises(KeyError):
            self.result.rows("file")
        self.assertEqual(self.result.rows("rows_"), [])  # an empty list is a table without rows
        counts = lapidary.Result({"operators": {"Conv": 2, "Relu": 1}})
        self.assertEqual(
            counts.rows("operators"), [{"name": "Conv", "count": 2}, {"name": "Relu", "count": 1}]
        )

    def test_what_is_printed_begins_with_the_verdict(self):
        for members, said in (
            ({"file": "x", "verdict": "Conv is slow"}, "Conv is slow"),
            ({"file": "x", "verdict": {"sentence": "good: 30 dB"}}, "good: 30 dB"),
            ({"file": "x", "difference": {"sentence": "twice as fast"}, "verdict": "passes"},
             "twice as fast"),
            ({"configurations": [{"model": "net", "level": "all",
                                  "ours": {"median_ms": 1.5, "ci_ms": [1.4, 1.75]}}]},
             "median 1.5 ms [1.4, 1.75] (net, all)"),
        ):  # fmt: skip
            self.assertTrue(repr(lapidary.Result(members)).startswith(f"Result({said!r}, "))
            self.assertIn(said, lapidary.Result(members)._repr_html_())

    @unittest.skipUnless(importlib.util.find_spec("pandas"), "pandas is not installed")
    def test_pandas(self):
        self.assertEqual(list(self.result.to_pandas().columns), ["ms"])
        nested = lapidary.Result({"rows": [{"a": 1, "ours": {"ms": 2, "of": {"b": [3, 4]}}}]})
        self.assertEqual(list(nested.to_pandas().columns), ["a", "ours.ms", "ours.of.b"])

    @unittest.skipUnless(importlib.util.find_spec("polars"), "Polars is not installed")
    def test_polars(self):
        self.assertEqual(self.result.to_polars().shape, (2, 1))


if __name__ == "__main__":
    package.main()
