// SPDX-License-Identifier: Apache-2.0
// What kernels need to know about the queue that they are launched on.
#pragma once

#include <cstdint>

namespace lapidary::cuda {

/// Blocks of a launch. x counts to 2^31, y and z to most_blocks_along.
inline constexpr unsigned most_blocks_along = 65535;
struct Grid {
    unsigned x = 1, y = 1, z = 1;
};

/// An invalid input that a kernel found; the first one of a queue is kept and reported by its next
/// wait. Written by the device, read by the host after it has waited.
struct Fault {
    std::int32_t code = 0;  // FaultCode
    std::int32_t node = 0;  // number of the kernel's node
    std::int64_t found = 0, limit = 0;
};
enum FaultCode : std::int32_t { no_fault = 0, index_out_of_range = 1, division_by_zero = 2 };

/// Which products and convolutions use the kernels for compute capability 9.0.
enum class HopperUse : std::uint8_t { none, of_large, of_all };

/// Work in order. `stream` is the device's own.
struct Queue {
    void* stream = nullptr;
    Fault* fault = nullptr;  // in memory that both host and device can access
    /// Counters in device memory, all 0 before and after each launch. Blocks that share a result
    /// count there how many are done.
    unsigned* counters = nullptr;
    /// Blocks of a kernel may start while the previous kernel ends, and wait for it in
    /// kernel_begin(). Compute capability 9.0 and newer.
    bool overlaps = false;
    HopperUse hopper = HopperUse::none;
    // where `hopper` is not none: small convolutions use kernels/hopper/window_clusters.h
    bool clusters = false;
};
inline constexpr int counter_count = 4096;

/// Throws DeviceError where the last launch failed immediately.
void check_launch(const char* kernel);

}  // namespace lapidary::cuda
