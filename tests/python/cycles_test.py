# SPDX-License-Identifier: Apache-2.0
"""Models opened, run and closed many times leave no memory behind. LAPIDARY_CYCLES says how many times (10000)."""

import gc
import os
import unittest

import package
import lapidary

CYCLES = int(os.environ.get("LAPIDARY_CYCLES", "400"))


def resident_bytes():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@unittest.skipUnless(os.path.exists("/proc/self/statm"), "this system does not tell memory by /proc")
class Cycles(unittest.TestCase):
    def grown(self, cycle, count, most):
        """Bytes that `count` cycles add, behind as many that fill pools and caches."""
        for _ in range(count):
            cycle()
        gc.collect()
        before = resident_bytes()
        for _ in range(count):
            cycle()
        gc.collect()
        self.assertLess(resident_bytes() - before, most)

    def test_open_run_close(self):
        model = lapidary.Model.sample("mlp")
        data = model.to_bytes()
        inputs = lapidary.Session(model, intra=1).generate_inputs()

        def cycle():
            opened = lapidary.Model.from_bytes(data)
            lapidary.Session(opened, intra=1).run(inputs)

        # a model that stayed would be 200 times its weights
        self.grown(cycle, CYCLES // 2, max(8 << 20, CYCLES // 2 * model.info().weight_bytes // 20))

    def test_commands(self):
        self.grown(lambda: lapidary.info("sample:lenet"), CYCLES // 8, 16 << 20)


if __name__ == "__main__":
    package.main()
