// SPDX-License-Identifier: Apache-2.0
// What reductions start from, do with an element and with two of them, and make of the total.
#pragma once

#include "gpu.h"
#include "kernels/reduction.h"

namespace lapidary::cuda {

// by the type of the argument
GPU_DEVICE float lowest_of(float) { return -INFINITY; }
GPU_DEVICE double lowest_of(double) { return -static_cast<double>(INFINITY); }
GPU_DEVICE long long lowest_of(long long) { return INT64_MIN; }
GPU_DEVICE float highest_of(float) { return INFINITY; }
GPU_DEVICE double highest_of(double) { return static_cast<double>(INFINITY); }
GPU_DEVICE long long highest_of(long long) { return INT64_MAX; }

template <typename C>
GPU_DEVICE C start_of(Reduction r) {
    if (r == Reduction::prod) return C(1);
    if (r == Reduction::max || r == Reduction::log_sum_exp) return lowest_of(C());
    return r == Reduction::min ? highest_of(C()) : C(0);
}

template <typename C>
GPU_DEVICE C combined(Reduction r, C a, C b) {
    switch (r) {
    case Reduction::max:
    case Reduction::log_sum_exp: return a != a || a > b ? a : b;
    case Reduction::min: return a != a || a < b ? a : b;
    case Reduction::prod: return a * b;
    default: return a + b;
    }
}

template <typename C>
GPU_DEVICE C element_of(Reduction r, C x) {
    switch (r) {
    case Reduction::l1: return x < 0 ? -x : x;
    case Reduction::l2:
    case Reduction::sum_square: return x * x;
    default: return x;
    }
}

template <typename C>
GPU_DEVICE C result_of(Reduction r, C total, int count) {
    if constexpr (C(1) / C(2) == C(0)) {
        if (r == Reduction::mean) return count == 0 ? C(0) : total / count;
        return r == Reduction::l2 ? static_cast<C>(std::sqrt(static_cast<double>(total))) : total;
    } else {
        if (r == Reduction::mean) return total / static_cast<C>(count);
        if (r == Reduction::l2) return std::sqrt(total);
        return r == Reduction::log_sum ? std::log(total) : total;
    }
}

struct Combined {
    Reduction reduction;
    template <typename C>
    GPU_METHOD C operator()(C a, C b) const {
        return combined(reduction, a, b);
    }
};

}  // namespace lapidary::cuda
