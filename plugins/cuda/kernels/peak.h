// SPDX-License-Identifier: Apache-2.0
// Kernels that do one kind of arithmetic on registers alone, or read memory and do no more: what a
// device reaches at most.
#pragma once

#include <cstdint>

#include "queue.h"

namespace lapidary::cuda {

/// float32: on the cores of all operators. The others: on tensor cores.
enum class PeakKind : std::uint8_t { float32, tf32, float16, bfloat16, int8 };

/// `blocks` of threads, `rounds` of the same work in each. `never`: four bytes of the device for a
/// result that does not come.
void launch_peak(Queue& queue, PeakKind kind, int blocks, int rounds, void* never);
/// That such a launch does, a multiplication with its addition being two.
double operations_of(PeakKind kind, int blocks, int rounds);
/// Reads all of `bytes`, a multiple of 16, `rounds` times.
void launch_reading(Queue& queue, const void* data, std::int64_t bytes, int blocks, int rounds,
                    void* never);

}  // namespace lapidary::cuda
