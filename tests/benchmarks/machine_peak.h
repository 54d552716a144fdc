// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace lapidary::bench {

/// The peak of one core and of all threads, measured with loops written for it.
struct MachinePeak {
    double float_gflops = 0;  // one core
    // one core, uint8 x int8; 0 where there is no instruction for it
    double integer_gops = 0;
    double memory_gbs[2] = {0, 0};  // reading from main memory with 1 thread, with all
    int threads = 1;
};

/// Measured once, some 200 ms.
const MachinePeak& machine_peak();

}  // namespace lapidary::bench
