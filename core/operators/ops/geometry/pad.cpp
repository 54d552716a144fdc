// SPDX-License-Identifier: Apache-2.0
#include "ops/geometry/pad.h"

#include <algorithm>

#include <lapidary/base/error.h>

#include "base/checked.h"
#include "ops/geometry/broadcast.h"

namespace lapidary {

PadMode parse_pad_mode(std::string_view text) {
    if (text == "constant") return PadMode::constant;
    if (text == "reflect") return PadMode::reflect;
    if (text == "edge") return PadMode::edge;
    if (text == "wrap") return PadMode::wrap;
    fail_input("pad mode " + quote(text) + " is none of constant, reflect, edge, wrap");
}

std::vector<PadAxis> resolve_pads(std::span<const std::int64_t> pads,
                                  const std::vector<std::int64_t>* axes, std::int64_t rank) {
    const std::size_t count = axes ? axes->size() : static_cast<std::size_t>(rank);
    if (pads.size() != 2 * count) {
        fail_input("pads has " + std::to_string(pads.size()) + " values where " +
                   std::to_string(count) + " axes need " + std::to_string(2 * count));
    }
    std::vector<PadAxis> result(static_cast<std::size_t>(rank));
    const std::vector<int> normal =
        axes ? normalize_axes(*axes, static_cast<int>(rank)) : std::vector<int>{};
    for (std::size_t i = 0; i < count; ++i) {
        result[axes ? static_cast<std::size_t>(normal[i]) : i] = {pads[i], pads[i + count]};
    }
    return result;
}

std::int64_t padded_dim(std::int64_t dim, PadAxis pad, std::size_t axis) {
    const auto grown = checked_add(dim, pad.before);
    const auto result = grown ? checked_add(*grown, pad.after) : std::nullopt;
    if (!result) fail_limit("padding axis " + std::to_string(axis) + " overflows its size");
    if (*result < 0 || pad.before < -dim || pad.after < -dim) {
        fail_input("pads " + std::to_string(pad.before) + " and " + std::to_string(pad.after) +
                   " remove more than the " + std::to_string(dim) + " elements of axis " +
                   std::to_string(axis));
    }
    return *result;
}

std::int64_t pad_source(std::int64_t position, std::int64_t dim, PadAxis pad, PadMode mode) {
    // The part [first, first + left) of the axis stays; `inside` is the position relative to its
    // begin.
    const std::int64_t first = std::clamp<std::int64_t>(pad.before >= 0 ? 0 : -pad.before, 0, dim);
    const std::int64_t last =
        std::clamp<std::int64_t>(pad.after >= 0 ? dim : dim + pad.after, 0, dim);
    const std::int64_t left = last - first;
    const std::int64_t inside = position - std::max<std::int64_t>(pad.before, 0);
    if (inside >= 0 && inside < left) return first + inside;
    if (mode == PadMode::constant || left <= 0) return -1;
    if (mode == PadMode::edge) return inside < 0 ? first : last - 1;
    const std::int64_t period =
        mode == PadMode::wrap ? left : std::max<std::int64_t>(2 * (left - 1), 1);
    std::int64_t phase = inside % period;
    if (phase < 0) phase += period;
    if (mode == PadMode::reflect && phase >= left) phase = period - phase;
    return first + phase;
}

}  // namespace lapidary
