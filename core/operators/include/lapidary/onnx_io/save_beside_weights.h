// SPDX-License-Identifier: Apache-2.0
// Saves a changed model beside the weights that it was read with.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <lapidary/onnx_io/model_io.h>

namespace lapidary {

/// save_model(), but weights that lie in a file of external data in or below the folder of `path`
/// stay there: the new file names that file, which is not written again. Changed weights are
/// written as save_model() does. A file of weights that changed since the model was loaded is not
/// named. Returns and throws as save_model() does.
std::vector<std::string> save_beside_weights(const Model& model, const std::filesystem::path& path,
                                             const SaveOptions& options = {},
                                             const Progress& progress = {});

}  // namespace lapidary
