# SPDX-License-Identifier: Apache-2.0
"""How objects look in notebooks: well-formed HTML with what belongs in it."""

import re
import unittest
import xml.etree.ElementTree

import package
import lapidary
from lapidary import notebook


def parsed(html):
    return xml.etree.ElementTree.fromstring(f"<div>{html}</div>")


class Notebook(unittest.TestCase):
    def test_model(self):
        html = lapidary.Model.sample("lenet")._repr_html_()
        parsed(html)
        self.assertIn("f32[batch,10]", html)
        self.assertIn("<svg", html)

    def test_report_with_near_misses(self):
        html = lapidary.Model.sample("bert-tiny").optimize(level="basic").report._repr_html_()
        parsed(html)
        self.assertIn("nodes became", html)

    def test_profile_and_memory(self):
        for result in (
            lapidary.profile("sample:lenet", runs=1),
            lapidary.memory("sample:lenet"),
            lapidary.info("sample:mlp"),
        ):
            parsed(result._repr_html_())
        self.assertIn("polygon", lapidary.memory("sample:lenet")._repr_html_())

    def test_memory_of_steps_differs(self):
        plan = lapidary.memory("sample:lenet")
        html = plan._repr_html_()
        self.assertIn(f"at step {plan.peak_step} of {len(plan.steps)}", html)
        self.assertIn(notebook.bytes_text(plan.needed_bytes), html)
        points = re.search('points="([^"]*)"', html)[1].split()
        self.assertGreater(len({point.split(",")[1] for point in points}), 3)

    def test_figures_are_shown(self):
        speed = {"median_ms": 1.25, "ci_ms": [1.2, 1.5], "per_second": 800.0, "note": "busy"}
        row = {"model": "net", "level": "all", "threads": 2, "sizes": {"batch": 3}, "ours": speed,
               "ratio": {"median": 1.75, "ci": [1.7, 1.8]}}  # fmt: skip
        bench = {"options": {"against": "onnxruntime"}, "configurations": [row, {"model": "b"}]}
        html = lapidary.Result(bench, "bench")._repr_html_()
        parsed(html)
        for shown in ("1.25 ms [1.2, 1.5]", "800", "1.75 [1.7, 1.8]", "batch 3", "onnxruntime"):
            self.assertIn(shown, html)
        side = {"name": "net", "nodes": 3, "median_ms": 1.25, "ci_ms": [1.2, 1.5]}
        difference = {"ratio": 0.5, "ci": [0.4, 0.6], "sentence": "B is twice as fast"}
        compared = {"a": side, "b": side, "difference": difference, "outputs": [], "operators": []}
        html = lapidary.Result(compared, "compare")._repr_html_()
        parsed(html)
        for shown in ("B is twice as fast", "1.25 ms [1.2, 1.5]", "0.5 [0.4, 0.6]"):
            self.assertIn(shown, html)
        lapidary.Result({**compared, "difference": None}, "compare")._repr_html_()

    def test_quantization_warns(self):
        report = {
            "verdict": {"sentence": "good: 30 dB"}, "warnings": ["slower than the original"],
            "constant_bytes": {"before": 4000, "after": 1000},
            "times": {"original_ms": 1.5, "quantized_ms": 2.5}, "outputs": [{"name": "y"}],
            "nodes": [{"node": "n", "quantized": False, "reason": "no product"}],
        }  # fmt: skip
        html = lapidary.Result(report, "quantize")._repr_html_()
        parsed(html)
        for shown in ("good: 30 dB", "slower than the original", "4 kB", "1 kB", "no product"):
            self.assertIn(shown, html)

    def test_names_are_escaped(self):
        hostile = lapidary.Result({"<script>": "</td><script>alert(1)</script>"})
        html = hostile._repr_html_()
        parsed(html)
        self.assertNotIn("<script>", html)


if __name__ == "__main__":
    package.main()
