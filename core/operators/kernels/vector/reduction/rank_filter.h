// SPDX-License-Identifier: Apache-2.0
// Finds the elements of a row that come first in an order, for TopK.
#pragma once

#include <cstdint>

#include "kernels/vector/isa.h"

namespace lapidary {

/// An element of 32 bits and its place: the rank in the upper half, the complement of the place in
/// the lower one, so that greater ones come first and equal elements by place.
struct NarrowCandidate {
    std::uint64_t value;
    std::int64_t place() const { return static_cast<std::int64_t>(~value & 0xffffffffu); }
    bool operator<(const NarrowCandidate& other) const { return value > other.value; }
};

/// The same of 64 bits.
struct WideCandidate {
    std::int64_t rank, at;
    std::int64_t place() const { return at; }
    bool operator<(const WideCandidate& other) const {
        return rank != other.rank ? rank > other.rank : at < other.at;
    }
};

struct RankFilterKernels {
    /// Writes to `to` those of the elements [begin, end) that come before `least` and all equal to
    /// it (all elements when it is null), until `room` has no place for another `most_at_once`;
    /// returns how many and sets `next` to the first element that was not looked at. The largest
    /// come first, or the smallest; NaN is the largest, and the zeros are equal.
    template <typename T, typename Candidate>
    using Filter = std::int64_t (*)(const T* x, std::int64_t begin, std::int64_t end, bool smallest,
                                    const Candidate* least, Candidate* to, std::int64_t room,
                                    std::int64_t* next);
    static constexpr std::int64_t most_at_once = 64;
    /// The first min(k, count) of `count` elements in that order, sorted; for few of them.
    template <typename T, typename Candidate>
    using First = void (*)(const T* x, std::int64_t count, bool smallest, std::int64_t k,
                           Candidate* to);
    static constexpr std::int64_t few = 16;

    template <typename T, typename Candidate>
    struct Functions {
        Filter<T, Candidate> filter;
        First<T, Candidate> first;
    };
    Functions<float, NarrowCandidate> of_f32;
    Functions<std::int32_t, NarrowCandidate> of_i32;
    Functions<std::int64_t, WideCandidate> of_i64;
};
LAPIDARY_PER_ISA(RankFilterKernels, rank_filter_kernels)

}  // namespace lapidary
