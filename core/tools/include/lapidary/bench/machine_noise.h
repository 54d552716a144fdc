// SPDX-License-Identifier: Apache-2.0
// How quiet the machine is right now: whether a known piece of work runs at full speed, and how
// busy others keep the cores.
#pragma once

#include <memory>
#include <optional>

namespace lapidary {

/// The noise of the machine at one time.
struct MachineNoise {
    /// of a known piece of work on one core, as a share of the best seen so far
    double speed = 1;
    /// share of all cores that other programs used since the last look(); nothing: not known
    std::optional<double> others;
    /// share of all cores that the host of a virtual machine took since then
    std::optional<double> stolen;
};

/// How reliable measurements are now.
enum class Quietness : unsigned char {
    quiet,  // small differences can be measured
    some,   // small differences are lost in noise
    loud    // wait before measuring
};
/// loud: others use a tenth of the cores, or the known work runs a tenth slower than its best.
/// some: a fiftieth, or a thirtieth.
Quietness quietness_of(const MachineNoise& noise);

/// Observes the machine repeatedly, from one thread. A look() takes well under a millisecond of one
/// core; the first, which measures the best speed, about 20 ms.
class NoiseProbe {
public:
    /// Does no work yet.
    NoiseProbe();
    NoiseProbe(const NoiseProbe&) = delete;
    NoiseProbe& operator=(const NoiseProbe&) = delete;
    ~NoiseProbe();

    /// The noise since the last look() or skip().
    MachineNoise look();
    /// The next look() counts from now on. For times in which this program measures.
    void skip();

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace lapidary
