// SPDX-License-Identifier: Apache-2.0
// How a session runs a model: threads, execution mode, and its options by their names in ONNX
// Runtime.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <lapidary/bench/bench.h>

#include "cli/options/option_list.h"

namespace lapidary::cli {

/// --intra N; 0: one per core
Option& add_threads(OptionList& options, int& threads);
/// --intra N,... or --inter N,...: several counts, each at least `lowest`
Option& add_thread_counts(OptionList& options, const std::string& name, std::vector<int>& counts,
                          int lowest, const std::string& help);
/// --config KEY=VALUE with the keys that a session here knows
Option& add_config(OptionList& options, std::map<std::string, std::string>& entries);
/// --compute exact|fp16|bf16|int8|auto: the entry of that meaning (exec/compute.h). Of auto it is
/// `auto_compute`, which no session takes: settle_compute() replaces it.
Option& add_compute(OptionList& options, std::map<std::string, std::string>& entries);
inline constexpr const char* auto_compute = "auto";
/// --compute exact,fp16,...: several, each by itself
Option& add_computes(OptionList& options, std::vector<std::string>& names);
/// --intra, --inter, --execution, --no-spinning for one configuration. Threads are 0 unless given:
/// one per core.
void add_run_configuration(OptionList& options, RunConfiguration& configuration);

}  // namespace lapidary::cli
