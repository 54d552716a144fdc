// SPDX-License-Identifier: Apache-2.0
// Gathers the inputs of a model from files and from the generator.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <lapidary/graph/model.h>
#include <lapidary/base/progress.h>
#include <lapidary/tensor/tensor_file.h>
#include <lapidary/inputs/usual_sizes.h>

#include "worker/inputs/input_files.h"

namespace lapidary::cli {

struct InputOptions {
    std::vector<std::pair<std::string, std::filesystem::path>> files;  // --input NAME=FILE
    std::filesystem::path archive;                                     // --inputs F.npz
    std::uint64_t seed = 0;
    std::map<std::string, std::int64_t> dimensions;  // --dim NAME=N
    ImageOptions image;
    bool is_given() const { return !files.empty() || !archive.empty(); }
    // false: the layout is guessed from where the input has 1 or 3 channels
    bool has_image_layout = false;
};

struct GatheredInputs {
    NamedValues values;
    // input name -> "file.npy", "generated with seed 0"
    std::map<std::string, std::string> sources;
    UsualSizes sizes;  // set by gather_inputs()
};

/// Refuses a --dim whose name no input uses: throws UsageError.
void check_dimensions(const Graph& graph, const std::map<std::string, std::int64_t>& dimensions);

/// Values of the inputs that files give. Throws as gather_inputs() does, and UsageError for a --dim
/// whose name the model does not have.
GatheredInputs given_inputs(const Model& model, const InputOptions& options,
                            const CancelToken& cancel);
/// Values for all inputs without default: from the files, or generated with the sizes of
/// usual_sizes(). Throws cancelled, and invalid_input naming input and file if one does not fit.
GatheredInputs gather_inputs(const Model& model, const InputOptions& options,
                             const CancelToken& cancel);

}  // namespace lapidary::cli
