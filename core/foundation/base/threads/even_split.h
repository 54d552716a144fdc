// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

namespace lapidary {

/// The fixed split of [0, count): as many nearly equal parts as threads, none shorter than grain.
struct EvenSplit {
    std::int64_t count, parts;
    EvenSplit(std::int64_t n, std::int64_t grain, int threads)
        : count(n),
          parts(std::clamp<std::int64_t>(n / std::max<std::int64_t>(grain, 1), 1, threads)) {}
    std::int64_t begin(std::int64_t part) const {
        return count / parts * part + std::min(part, count % parts);
    }
};

}  // namespace lapidary
