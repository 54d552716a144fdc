// SPDX-License-Identifier: Apache-2.0
// Counts the characters of strings that a kernel writes: the size of a tensor does not include
// them.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <string>
#include <type_traits>

#include <lapidary/base/error.h>

#include "base/memory/available_memory.h"
#include "kernels/kernel.h"

namespace lapidary {

/// Characters that the strings of one tensor may take, whatever a tensor of numbers may.
/// Vocabularies and texts take some megabytes; a file of a kilobyte that joins a string to itself
/// reaches any limit, and fills memory until then.
constexpr std::uint64_t most_text = std::uint64_t{512} << 20;

/// Counts what an output of strings is about to hold, which may be no more than most_text and than
/// one tensor may (Limits::tensor_bytes of the context), and no more than the machine has left.
/// Elements that are no strings count for nothing. From any thread of the kernel.
class TextRoom {
public:
    explicit TextRoom(const KernelContext& context)
        : most_(std::min(context.limits().tensor_bytes, most_text)) {}

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
    /// To ask the machine takes about as long as to fill some megabytes.
    static constexpr std::uint64_t worth_asking = std::uint64_t{64} << 20;

    void take_bytes(std::uint64_t bytes, std::int64_t times) {
        const auto copies = static_cast<std::uint64_t>(times);
        const bool fits = copies == 0 || bytes <= most_ / copies;
        const std::uint64_t before =
            fits ? taken_.fetch_add(bytes * copies, std::memory_order_relaxed) : 0;
        if (!fits || before + bytes * copies > most_)
            fail_limit("the strings of an output take more than " + std::to_string(most_) +
                       " bytes, the limit for the strings of one tensor");
        if (before / worth_asking != (before + bytes * copies) / worth_asking)
            require_memory(std::max(bytes * copies, worth_asking));
    }
    static void require_memory(std::uint64_t bytes) {
        if (const std::uint64_t left = available_memory(); bytes > left)
            fail_limit("there is not enough memory for the strings of an output: they take " +
                       std::to_string(bytes) + " bytes more, " + std::to_string(left) +
                       " are left");
    }

    std::uint64_t most_;
    std::atomic<std::uint64_t> taken_{0};
};

}  // namespace lapidary
