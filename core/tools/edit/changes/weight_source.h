// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include <lapidary/base/limits.h>
#include <lapidary/tensor/tensor.h>

namespace lapidary {

/// The values for a constant of that name: the tensor of an .npy file; of an .npz file the array of
/// the name, or its only one. Throws invalid_input, naming the arrays, where neither is there, and
/// as load_npy() and load_npz() do.
Tensor read_weight_file(const std::filesystem::path& file, const std::string& name,
                        const Limits& limits);

}  // namespace lapidary
