// SPDX-License-Identifier: Apache-2.0
// The models that bench and sweep measure: their names, inputs, and the work of a run.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include <lapidary/bench/bench.h>
#include <lapidary/graph/model.h>
#include <lapidary/internal/scratch_folder.h>

#include "cli/bench/bench_options.h"
#include "cli/output/json_output.h"

namespace lapidary::cli {

/// The least work of a run.
struct Work {
    // arithmetic of the model as loaded, 2 per multiply-add; 0 where sizes are unknown
    double gflop = 0;
    double weight_mb = 0;  // read in every run
};

/// The name of a sample ("sample:NAME"), or of a file without its extension.
std::string model_name(const std::string& argument);

/// `batch`: size of the batch dimension; empty: that of given inputs, 1 for generated ones.
GatheredInputs inputs_of_size(const Model& model, InputOptions options,
                              std::optional<std::int64_t> batch, const CancelToken& cancel);
/// The first dimension of the first input; 0: there is none.
std::int64_t first_dimension(const NamedValues& inputs);
/// The work of operators that multiply matrices, without subgraphs. gflop is 0 if the work of one
/// of them is unknown.
Work work_of(const Model& model, const NamedValues& inputs, const Progress& progress);

/// The machine's fingerprint, date and versions. `peer`, `version`: of another engine, by its name;
/// empty: there is none.
Json machine_json(const std::string& peer = {}, const std::string& version = {});
std::string machine_text();
/// [low, high]
Json interval_json(const MedianEstimate& estimate);
std::string ms_text(double ms);
/// Half the width of the interval, as text.
std::string spread_text(const MedianEstimate& estimate);
/// Writes the JSON to the file when one is named. Throws io_failure.
void save_json(const std::filesystem::path& file, const Json& json);

}  // namespace lapidary::cli
