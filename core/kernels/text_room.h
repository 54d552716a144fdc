// SPDX-License-Identifier: Apache-2.0
// The characters of strings that a kernel writes: a tensor's size tells nothing of them.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <type_traits>

#include <lapidary/error.h>

#include "kernels/kernel.h"

namespace lapidary {

/// Counts what an output of strings is about to hold, which may be no more than one tensor may (Limits::tensor_bytes of
/// the context). Elements that are no strings count for nothing. From any thread of the kernel.
class TextRoom {
public:
    explicit TextRoom(const KernelContext& context) : most_(context.limits().tensor_bytes) {}

    /// Before `count` elements are copied, each `times` times. Throws limit_exceeded.
    template <typename T>
    void take(const T* elements, std::int64_t count, std::int64_t times = 1) {
        if constexpr (std::is_same_v<T, std::string>)
            for (std::int64_t i = 0; i < count; ++i) take_bytes(elements[i].size(), times);
    }
    template <typename T>
    void take(const T& element) {
        take(&element, 1);
    }

private:
    void take_bytes(std::uint64_t bytes, std::int64_t times) {
        const auto copies = static_cast<std::uint64_t>(times);
        const bool fits = copies == 0 || bytes <= most_ / copies;
        if (!fits || taken_.fetch_add(bytes * copies, std::memory_order_relaxed) + bytes * copies > most_)
            fail_limit("the strings of an output take more than " + std::to_string(most_) +
                       " bytes, the limit for one tensor");
    }

    std::uint64_t most_;
    std::atomic<std::uint64_t> taken_{0};
};

}  // namespace lapidary
