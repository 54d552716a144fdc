// SPDX-License-Identifier: Apache-2.0
// Measures one operator's best kernel on a session's threads, without graph, planner and
// allocations.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include <lapidary/graph/attribute.h>
#include <lapidary/tensor/tensor.h>

namespace lapidary::bench {

struct KernelCase {
    std::string domain, op_type;
    std::int64_t version = 1;
    std::vector<Tensor> inputs;            // without storage: omitted
    std::set<std::size_t> constants = {};  // inputs that are initializers
    std::vector<Attribute> attributes = {};
    double operations = 0;  // per run, 2 per multiply-add
    double bytes = 0;       // read and written per run; weights count
    bool integer = false;   // the peak to compare with is that of 8-bit products
};

/// Runs the kernel in `state`'s loop with state.range(0) threads. Counters: GFLOP/s (or GOP/s) and
/// its share of this machine's peak measured at the start, GB/s and its share of the memory's peak;
/// the label names the kernel.
void run_kernel_benchmark(benchmark::State& state, const KernelCase& kernel);

/// Seeded normal(0, 1) floats; 8-bit integers over their whole range.
Tensor random_tensor(DType dtype, Shape shape);

}  // namespace lapidary::bench
