// SPDX-License-Identifier: Apache-2.0
// Random lines of edit scripts for a model.
#pragma once

#include <cstddef>
#include <filesystem>
#include <random>
#include <string>

#include <lapidary/graph/model.h>

namespace lapidary::lapgen {

/// A line of the form edit_verbs()[form]. Most of its words name what the model has: nodes by name,
/// operator, number or the value that they write, values, inputs, outputs, sizes. Some do not fit,
/// so that the line is refused. Files that it names are written into the folder.
std::string random_edit(const Model& model, std::size_t form, std::mt19937_64& random,
                        const std::filesystem::path& folder);

}  // namespace lapidary::lapgen
