// SPDX-License-Identifier: Apache-2.0
// lapidary_benchmarks: speed of single kernels and its share of what this machine can do. Google
// Benchmark's options; LAPIDARY_ISA takes instruction sets away.
#include <string>

#include <benchmark/benchmark.h>

#include "base/cpu_features.h"
#include "benchmarks/machine_peak.h"

int main(int argc, char** argv) {
    using lapidary::bench::MachinePeak;
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
    const MachinePeak& peak = lapidary::bench::machine_peak();
    benchmark::AddCustomContext("isa", std::string(lapidary::name_of(lapidary::active_isa())));
    benchmark::AddCustomContext("float peak of a core, GFLOP/s", std::to_string(peak.float_gflops));
    benchmark::AddCustomContext("8-bit peak of a core, GOP/s", std::to_string(peak.integer_gops));
    benchmark::AddCustomContext("memory, 1 thread, GB/s", std::to_string(peak.memory_gbs[0]));
    benchmark::AddCustomContext("memory, all threads, GB/s", std::to_string(peak.memory_gbs[1]));
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
}
