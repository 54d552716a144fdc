// SPDX-License-Identifier: Apache-2.0
// How quiet the machine is right now: whether a known piece of work runs at full speed, and how
// busy others keep the cores.
#pragma once

#include <memory>
#include <optional>

namespace lapidary {

/// One look at the machine.
struct MachineNoise {
    /// of a known piece of work on one core, as a share of the best seen so far
    double speed = 1;
    /// share of all cores that other programs used since the look before; nothing: not known
    std::optional<double> others;
    /// share of all cores that the host of a virtual machine took since then
    std::optional<double> stolen;
};

/// What measurements are worth now.
enum class Quietness : unsigned char {
    quiet,  // measurements differ by what they are worth
    some,   // small differences drown
    loud    // wait before measuring
};
/// loud: a tenth of the cores is taken by others, or the work runs a tenth slower than it can;
/// some: a fiftieth, a thirtieth.
Quietness quietness_of(const MachineNoise& noise);

/// Looks again and again, from one thread. A look takes well under a millisecond of one core; the
/// first one, which finds out what the machine can do, about 20 ms.
class NoiseProbe {
public:
    /// The first look() does the work.
    NoiseProbe();
    NoiseProbe(const NoiseProbe&) = delete;
    NoiseProbe& operator=(const NoiseProbe&) = delete;
    ~NoiseProbe();

    /// What it is like now.
    MachineNoise look();
    /// Lets what others did until now pass: the next look counts from here. For times in which this
    /// program measures.
    void skip();

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace lapidary
