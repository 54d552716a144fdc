// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <lapidary/tensor/tensor.h>

namespace lapidary {

enum class PadMode { constant, reflect, edge, wrap };

/// "constant", "reflect", "edge" or "wrap"; throws invalid_input naming the text otherwise.
PadMode parse_pad_mode(std::string_view text);

/// What happens at the two ends of one axis: positive adds elements, negative removes them.
struct PadAxis {
    std::int64_t before = 0, after = 0;
};

/// Pads of a rank-`rank` tensor from ONNX's [begins..., ends...] over `axes` (null: all axes in
/// order). Throws invalid_input when the lengths do not fit or an axis repeats.
std::vector<PadAxis> resolve_pads(std::span<const std::int64_t> pads,
                                  const std::vector<std::int64_t>* axes, std::int64_t rank);

/// dim + before + after; throws invalid_input naming the axis when negative, limit_exceeded on
/// overflow.
std::int64_t padded_dim(std::int64_t dim, PadAxis pad, std::size_t axis);

/// Which input element output position `position` of one axis shows: [0, dim), or -1 for the
/// constant. Negative pads cut first; the other end is then extended from what is left (at least
/// one element unless the mode is constant).
std::int64_t pad_source(std::int64_t position, std::int64_t dim, PadAxis pad, PadMode mode);

}  // namespace lapidary
