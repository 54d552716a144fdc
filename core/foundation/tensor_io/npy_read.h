// SPDX-License-Identifier: Apache-2.0
// The elements of a NumPy array behind its header, from wherever they come.
#pragma once

#include <filesystem>
#include <cstddef>
#include <functional>
#include <span>

#include <lapidary/base/progress.h>
#include <lapidary/tensor/tensor.h>

#include "tensor_io/npy_header.h"

namespace lapidary {

/// Fills all of `to` with the next bytes of the array; throws where there are none.
using NextBytes = std::function<void(std::span<std::byte> to)>;

/// The tensor that the header announces. Takes its memory and one piece of the file beside it,
/// after asking whether the machine has as much left: throws limit_exceeded where not,
/// invalid_input for text that is none, cancelled.
Tensor read_npy_elements(const NpyHeader& header, const NextBytes& next, const CancelToken& cancel);

/// The array of a file, without a copy where its elements lie as in a tensor: a file of a few MiB
/// or more is mapped, and its pages are read when they are needed. Else as load_npy().
Tensor map_npy(const std::filesystem::path& path, const Limits& limits = {});

}  // namespace lapidary
