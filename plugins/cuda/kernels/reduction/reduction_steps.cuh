// SPDX-License-Identifier: Apache-2.0
// The steps of reductions: the initial value, what is done with an element, how two are joined, and
// the final step.
#pragma once

#include "gpu.h"
#include "kernels/reduction/reduction.h"

namespace lapidary::cuda {

/// The limits of an element type whose arithmetic is done in C: float, double or long long.
template <typename C>
GPU_DEVICE C lowest_of(int type) {
    if constexpr (C(1) / C(2) != C(0)) {
        return -static_cast<C>(INFINITY);
    } else {
        switch (type) {
        case 3: return -128;
        case 5: return -32768;
        case 6: return INT32_MIN;
        case 7: return INT64_MIN;
        default: return 0;
        }
    }
}
template <typename C>
GPU_DEVICE C highest_of(int type) {
    if constexpr (C(1) / C(2) != C(0)) {
        return static_cast<C>(INFINITY);
    } else {
        switch (type) {
        case 2: return 255;
        case 3: return 127;
        case 4: return 65535;
        case 5: return 32767;
        case 6: return INT32_MAX;
        case 7: return INT64_MAX;
        case 9: return 1;
        default: return UINT32_MAX;
        }
    }
}

/// The initial value, which is also the reduction of no elements.
template <typename C>
GPU_DEVICE C start_of(Reduction r, int type) {
    if (r == Reduction::prod) return C(1);
    if (r == Reduction::max || r == Reduction::log_sum_exp) return lowest_of<C>(type);
    return r == Reduction::min ? highest_of<C>(type) : C(0);
}

/// Whole numbers wrap.
template <typename C>
GPU_DEVICE C multiplied(C a, C b) {
    return a * b;
}
GPU_DEVICE long long multiplied(long long a, long long b) {
    return static_cast<long long>(static_cast<unsigned long long>(a) *
                                  static_cast<unsigned long long>(b));
}
template <typename C>
GPU_DEVICE C added(C a, C b) {
    return a + b;
}
GPU_DEVICE long long added(long long a, long long b) {
    return static_cast<long long>(static_cast<unsigned long long>(a) +
                                  static_cast<unsigned long long>(b));
}

template <typename C>
GPU_DEVICE C combined(Reduction r, C a, C b) {
    switch (r) {
    case Reduction::max:
    case Reduction::log_sum_exp: return a != a || a > b ? a : b;
    case Reduction::min: return a != a || a < b ? a : b;
    case Reduction::prod: return multiplied(a, b);
    default: return added(a, b);
    }
}

template <typename C>
GPU_DEVICE C element_of(Reduction r, C x) {
    switch (r) {
    case Reduction::l1: return x < 0 ? multiplied(C(-1), x) : x;
    case Reduction::l2:
    case Reduction::sum_square: return multiplied(x, x);
    default: return x;
    }
}

template <typename C>
GPU_DEVICE C result_of(Reduction r, C total, int count) {
    if constexpr (C(1) / C(2) == C(0)) {
        if (r == Reduction::mean) return total / count;
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
