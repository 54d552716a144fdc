// SPDX-License-Identifier: Apache-2.0
// The random numbers of Random*, Bernoulli, Multinomial and Dropout: a counter-based generator, so
// element i depends on the seed and i alone, whatever the order or the threads.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "kernels/kernel.h"

namespace lapidary::reference {

/// Draw i of a stream is the SplitMix64 finalizer (Steele, Lea, Flood 2014) applied to the mixed
/// seed plus i times the golden-ratio increment 0x9e3779b97f4a7c15.
class RandomStream {
public:
    explicit RandomStream(std::uint64_t seed) : start_(mix(seed + increment)) {}

    std::uint64_t bits(std::uint64_t index) const { return mix(start_ + (index + 1) * increment); }
    /// In [0, 1), a multiple of 2^-53.
    double uniform(std::uint64_t index) const {
        return static_cast<double>(bits(index) >> 11) * 0x1.0p-53;
    }
    /// Standard normal, by Box and Muller: draws 2 * index and 2 * index + 1.
    double normal(std::uint64_t index) const {
        const double radius = std::sqrt(-2 * std::log(1 - uniform(2 * index)));
        return radius * std::cos(2 * std::numbers::pi * uniform(2 * index + 1));
    }

private:
    static constexpr std::uint64_t increment = 0x9e3779b97f4a7c15u;
    static std::uint64_t mix(std::uint64_t z) {
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }
    std::uint64_t start_;
};

/// The stream of a node: from its seed attribute (the bits of a float, or an integer), else from
/// the session's seed for this node.
RandomStream stream_of(const KernelContext& context);

}  // namespace lapidary::reference
