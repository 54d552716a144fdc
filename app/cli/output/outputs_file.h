// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include <lapidary/tensor/runtime_value.h>

namespace lapidary::cli {

/// Throws UsageError unless the file name ends in .npz or .npy.
void check_outputs_file(const std::filesystem::path& path);
/// Writes all outputs of a run to one .npz, or the only one to a .npy. Throws UsageError if a .npy
/// cannot hold them.
void save_outputs(const std::filesystem::path& path, const NamedValues& outputs);

}  // namespace lapidary::cli
