// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <lapidary/tensor/tensor.h>

namespace lapidary {

/// The shape ONNX Reshape gives `input` for this target: 0 copies the input's dimension (with
/// `allow_zero` it means zero), one -1 is inferred. Copied dimensions cancel before -1 is inferred,
/// so [0,3] reshapes to [0,-1]. Throws invalid_input naming both shapes when the element counts
/// differ.
Shape resolve_reshape(std::span<const std::int64_t> input, std::span<const std::int64_t> target,
                      bool allow_zero);

/// Flatten: [product of dims before `axis`, product of the rest]; `axis` in [-rank, rank].
Shape flatten_shape(std::span<const std::int64_t> input, std::int64_t axis);
/// Squeeze: a named axis must be 1. Without axes every dimension of 1 goes, and so it is with an
/// empty list of them, which ONNX leaves open: ONNX Runtime takes it so.
Shape squeeze_shape(std::span<const std::int64_t> input, std::span<const std::int64_t> axes);
/// Unsqueeze: `axes` count in the output's rank.
Shape unsqueeze_shape(std::span<const std::int64_t> input, std::span<const std::int64_t> axes);

}  // namespace lapidary
