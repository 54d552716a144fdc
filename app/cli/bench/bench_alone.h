// SPDX-License-Identifier: Apache-2.0
// bench without --vs: all configurations of all models in turn.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <lapidary/bench/bench.h>
#include <lapidary/inputs/run_conditions.h>
#include <lapidary/proof/choose_compute.h>

#include "cli/bench/bench_models.h"
#include "cli/terminal.h"

namespace lapidary::cli {

/// One configuration of one model.
struct BenchRow {
    std::string model;
    Work work;
    UsualSizes sizes;
    ModelPtr loaded;  // as in the file; null where it could not be loaded
    Measurement measurement;
    std::optional<LoweredPrecision> lowered;  // what rounded weights cost; nothing: they are exact
    std::optional<ComputeChoice> choice;      // with --compute auto
    int fresh_processes = 0;   // processes that load, first run and memory are medians of
    Difference against_first;  // relative to the first row; empty for that row
};

RunConditions conditions_of(const BenchRow& row);
/// The conditions, and the weights where they are rounded: "level all, 2 threads, fp16 weights".
std::string configuration_text(const BenchRow& row);
/// ", fp16 weights"; empty: they are exact.
std::string weights_text(const RunResources& resources);

struct BenchResult {
    std::vector<BenchRow> rows;
    double core_gflops = 0;
    int portions = 1;  // parts that were measured one after another, because memory did not hold
                       // all engines at once
    bool cancelled = false;  // rows have the results so far; those that were not begun say so
};

/// Measures all configurations. `planned` is called with the rows before anything is measured, and
/// may throw.
BenchResult measure_alone(const BenchCommandOptions& options, Terminal& terminal,
                          const std::function<void(const std::vector<BenchRow>&)>& planned = {});
int run_alone(const BenchCommandOptions& options, Terminal& terminal);

}  // namespace lapidary::cli
