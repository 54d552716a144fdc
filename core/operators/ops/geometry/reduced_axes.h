// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

namespace lapidary {

/// A set of the axes of one tensor: bit i stands for axis i.
using AxisSet = std::uint64_t;

/// The axes that a Reduce* operator reduces in a tensor of `rank` axes: those of `axes`, negative
/// ones counted from the back. Without any, be the list left out or empty, all of them; with
/// `noop_with_empty_axes` none. Throws invalid_input for an axis outside the rank or named twice,
/// limit_exceeded for more than 64 axes.
AxisSet reduced_axes(std::span<const std::int64_t> axes, std::size_t rank,
                     bool noop_with_empty_axes);

}  // namespace lapidary
