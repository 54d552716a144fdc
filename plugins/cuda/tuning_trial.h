// SPDX-License-Identifier: Apache-2.0
// Times variants of a computation under the conditions of a run: inside a queue, between other
// kernels with which they may overlap, and reading constants of the model that are no longer in a
// cache.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "runtime.h"

namespace lapidary::cuda {

/// A constant of the model that a trial reads: the place of its address in the trial's arguments.
struct TrialConstant {
    const void** address;
    std::int64_t bytes;
};

/// Where trials run.
struct TrialDevice {
    std::uint32_t index = 0;
    std::uint64_t cache_bytes = 0;  // of the device's cache
};

/// The constants of a trial and copies of them, which trials read in turn: in a model, other
/// constants are read before the same one is read again. There are enough copies to exceed the
/// device's cache twice, at most `most` including the originals, and fewer where the device lacks
/// memory.
class RotatingConstants {
public:
    static constexpr std::uint64_t most_copies = 256, most_bytes = std::uint64_t{256} << 20;

    RotatingConstants(runtime::Stream& stream, const TrialDevice& device,
                      std::span<const TrialConstant> constants, std::uint64_t most);
    ~RotatingConstants();
    RotatingConstants(const RotatingConstants&) = delete;
    RotatingConstants& operator=(const RotatingConstants&) = delete;

    /// Includes the model's own constants, which are the first; 1 where there are no constants.
    std::uint64_t count() const { return count_; }
    std::uint64_t wanted() const { return wanted_; }
    /// Lets the arguments of trials point to that copy.
    void turn_to(std::uint64_t copy) const;

private:
    struct Constant {
        const void** address;
        const void* of_model;
        std::uint64_t bytes, offset;  // where it lies in a copy
    };
    std::uint32_t device_;
    std::vector<Constant> constants_;
    std::uint64_t set_bytes_ = 0, count_ = 1, wanted_ = 1;
    char* memory_ = nullptr;
};

struct TrialTimes {
    /// Microseconds of one launch, by variant and round: the additional time of a queue of small
    /// kernels when the variant runs between each two of them.
    std::vector<std::vector<double>> rounds;
    std::uint64_t copies = 1, wanted_copies = 1;  // of constants
};

/// Times launch(way) for `ways` variants; each round times all of them. Results are not read.
/// Throws DeviceError.
TrialTimes times_of_ways(runtime::Stream& stream, const TrialDevice& device,
                         std::span<const TrialConstant> constants, std::size_t ways,
                         const std::function<void(std::size_t way)>& launch);

}  // namespace lapidary::cuda
