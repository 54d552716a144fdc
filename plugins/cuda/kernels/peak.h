// SPDX-License-Identifier: Apache-2.0
// Kernels that measure the peak rates of a device: one kind of arithmetic on registers only, or
// reading memory and nothing else.
#pragma once

#include <cstdint>

#include "queue.h"

namespace lapidary::cuda {

/// float32 uses the ordinary cores, the others use tensor cores.
enum class PeakKind : std::uint8_t { float32, tf32, float16, bfloat16, int8 };

/// Launches `blocks` blocks, each of which repeats the work `rounds` times. `never`: four bytes on
/// the device to which a result would be written that never occurs; it keeps the compiler from
/// removing the work.
void launch_peak(Queue& queue, PeakKind kind, int blocks, int rounds, void* never);
/// Operations of such a launch; a multiplication and its addition count as two.
double operations_of(PeakKind kind, int blocks, int rounds);
/// Reads all of `bytes`, a multiple of 16, `rounds` times.
void launch_reading(Queue& queue, const void* data, std::int64_t bytes, int blocks, int rounds,
                    void* never);

}  // namespace lapidary::cuda
