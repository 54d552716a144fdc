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

/// What a device makes of float32: numbers are rounded by that share of themselves at most (0: as
/// float32), and larger ones may be infinite.
struct DevicePrecision {
    double rounding = 0, largest = std::numeric_limits<double>::infinity();
};

/// A provider of the plugins in LAPIDARY_PLUGINS, opened for each order of threads where it has
/// that option.
class DeviceUnderTest {
public:
    /// "cuda_emulated", "cuda:precision=tf32,graphs=off". Throws Error where there is no such
    /// provider.
    explicit DeviceUnderTest(const std::string& wish);
    DeviceUnderTest(std::string name, std::map<std::string, std::string> options);
    const std::string& name() const { return name_; }
    /// In one of four orders.
    std::shared_ptr<const Provider> provider(std::uint64_t seed);
    /// As its options say.
    DevicePrecision precision() const;
    /// Models are optimized at level all before they run there, or moved to channels last, whatever
    /// that costs.
    bool optimizes = false, moves_channels_last = false;

private:
    std::string name_;
    std::map<std::string, std::string> options_;
    bool has_order_ = false;
    std::map<std::string, std::shared_ptr<const Provider>> opened_;
};

/// Nodes of the models judged, where they ran.
struct DeviceShare {
    std::size_t on_device = 0, nodes = 0;
    std::size_t moved = 0;  // image operators that work with channels last
    // of nodes elsewhere that compute no shapes: "Loop: ..."
    std::map<std::string, std::size_t> reasons;
};

/// Runs the model on the device as far as it takes its nodes: in turn on inputs, changed ones, odd
/// masks and, where it has symbolic dimensions, inputs of another size, three times each, so that
/// runs are replayed. Asks for what the reference kernels give: to the last bit of whole numbers in
/// exact models of 32-bit floats, else within 1e-4 of each output's largest magnitude (more in
/// types of 16 bits) where the output moves less when inputs move by a millionth. A device that
/// rounds to fewer bits may differ by 64 times what it rounds by, and by 16 times that of 1, where
/// the output moves less when inputs move by what it rounds by. Copies are those of the plan. Odd
/// seeds run session passes too.
Verdict judge_on_device(const GeneratedModel& generated, std::uint64_t seed,
                        DeviceUnderTest& device, DeviceShare& share);

}  // namespace lapidary::lapgen
