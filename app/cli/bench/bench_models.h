// SPDX-License-Identifier: Apache-2.0
// The models of bench and sweep as their arguments name them, with inputs and what a run has to do.
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

/// What a run has to do at least.
struct Work {
    // arithmetic of the model as loaded, 2 per multiply-add; 0 where sizes are unknown
    double gflop = 0;
    double weight_mb = 0;  // read in every run
};

/// "sample:NAME" or a file: the sample's name, or the file's without extension.
std::string model_name(const std::string& argument);

/// `batch`: size of the batch dimension; nothing: as the inputs come, 1 of those that are
/// generated.
GatheredInputs inputs_of_size(const Model& model, InputOptions options,
                              std::optional<std::int64_t> batch, const CancelToken& cancel);
/// Of the first input; 0: there is none.
std::int64_t first_dimension(const NamedValues& inputs);
/// Of operators that multiply matrices, subgraphs left out. gflop is 0 when the work of one of them
/// is unknown.
Work work_of(const Model& model, const NamedValues& inputs, const Progress& progress);

/// Fingerprint, date, versions. `peer`: null: none.
Json machine_json(const OnnxRuntimePeer* peer);
std::string machine_text();
/// [low, high]
Json interval_json(const MedianEstimate& estimate);
std::string ms_text(double ms);
/// Half the width of the interval.
std::string spread_text(const MedianEstimate& estimate);
/// Writes the JSON to the file when one is named. Throws io_failure.
void save_json(const std::filesystem::path& file, const Json& json);

}  // namespace lapidary::cli
