// SPDX-License-Identifier: Apache-2.0
// Random models on the device of a plugin's provider.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <string>

#include "lapgen/oracle.h"

namespace lapidary {
class Provider;
}

namespace lapidary::lapgen {

/// The precision of float32 on a device: the largest relative rounding error (0: as float32), and
/// the number above which results may be infinite.
struct DevicePrecision {
    double rounding = 0, largest = std::numeric_limits<double>::infinity();
};

/// A provider of the plugins in LAPIDARY_PLUGINS, opened for each order of threads if it has that
/// option.
class DeviceUnderTest {
public:
    /// "cuda_emulated", "cuda:precision=tf32,graphs=off". Throws Error if there is no such
    /// provider.
    explicit DeviceUnderTest(const std::string& wish);
    DeviceUnderTest(std::string name, std::map<std::string, std::string> options);
    const std::string& name() const { return name_; }
    /// The provider with one of four orders of threads, chosen by the seed.
    std::shared_ptr<const Provider> provider(std::uint64_t seed);
    /// The precision that its options choose.
    DevicePrecision precision() const;
    /// Whether models are optimized at level all before they run there, or moved to channels last
    /// even without a gain.
    bool optimizes = false, moves_channels_last = false;

private:
    std::string name_;
    std::map<std::string, std::string> options_;
    bool has_order_ = false;
    std::map<std::string, std::shared_ptr<const Provider>> opened_;
};

/// Counts of where the nodes of the judged models ran.
struct DeviceShare {
    std::size_t on_device = 0, nodes = 0;
    std::size_t moved = 0;  // image operators that work with channels last
    // reasons of nodes on the CPU that do not compute shapes: "Loop: ..."
    std::map<std::string, std::size_t> reasons;
};

/// Runs the model on the device as far as it takes its nodes: in turn on inputs, changed ones, odd
/// masks and, where it has symbolic dimensions, inputs of another size, three times each, so that
/// runs are replayed. Requires the results of the reference kernels: to the last bit of whole
/// numbers in exact models of 32-bit floats, else within 1e-4 of each output's largest magnitude
/// (more in types of 16 bits) where the output moves less when inputs move by a millionth. A device
/// that rounds to fewer bits may differ by 64 times its relative rounding error, plus 16 times that
/// error as an absolute bound, if the output moves less than that when inputs move by one rounding
/// error. Also checks that only planned copies are made. Odd seeds run session passes too.
Verdict judge_on_device(const GeneratedModel& generated, std::uint64_t seed,
                        DeviceUnderTest& device, DeviceShare& share);

}  // namespace lapidary::lapgen
