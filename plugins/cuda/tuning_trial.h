// SPDX-License-Identifier: Apache-2.0
// How long ways of computing the same take where they will run: within a queue, between other
// kernels which they may overlap with, and reading constants of the model that no cache holds any
// more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "runtime.h"

namespace lapidary::cuda {

/// A constant of the model that a trial reads: where its address stands in the trial's arguments.
struct TrialConstant {
    const void** address;
    std::int64_t bytes;
};

/// Where trials run.
struct TrialDevice {
    std::uint32_t index = 0;
    std::uint64_t cache_bytes = 0;  // of the device's cache
};

/// Constants of a trial and copies of them, as many as exceed the device's cache twice, and are
/// `most` with those of the model; fewer where the device has no memory for them. A model reads
/// others before it comes back to the same.
class RotatingConstants {
public:
    static constexpr std::uint64_t most_copies = 256, most_bytes = std::uint64_t{256} << 20;

    RotatingConstants(runtime::Stream& stream, const TrialDevice& device,
                      std::span<const TrialConstant> constants, std::uint64_t most);
    ~RotatingConstants();
    RotatingConstants(const RotatingConstants&) = delete;
    RotatingConstants& operator=(const RotatingConstants&) = delete;

    /// With those of the model, which are the first; 1 where there are no constants.
    std::uint64_t count() const { return count_; }
    std::uint64_t wanted() const { return wanted_; }
    /// Has the arguments of trials point there.
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
    /// Microseconds of one launch, by way and round: by how much longer a queue of small kernels
    /// takes with the way between each two of them.
    std::vector<std::vector<double>> rounds;
    std::uint64_t copies = 1, wanted_copies = 1;  // of constants
};

/// Times `launch(way)` of so many ways, in rounds of all of them. Their results are not read.
/// Throws DeviceError.
TrialTimes times_of_ways(runtime::Stream& stream, const TrialDevice& device,
                         std::span<const TrialConstant> constants, std::size_t ways,
                         const std::function<void(std::size_t way)>& launch);

}  // namespace lapidary::cuda
