// SPDX-License-Identifier: Apache-2.0
// Other machines that jobs run on: how they are named, and what is known of them. They are reached
// by the program ssh with its own configuration, keys and known hosts; it never asks a question.
#pragma once

#include <string>

#include <lapidary/base/progress.h>
#include <lapidary/bench/bench.h>

namespace lapidary::app {

/// A machine that ssh reaches.
struct Target {
    std::string host;    // as ssh takes it: "pi@board", or a name of its configuration
    std::string folder;  // there, for programs and models; empty: ~/.cache/lapidary

    /// "pi@board" or "pi@board:/data/lapidary": what read_target() reads.
    std::string text() const { return folder.empty() ? host : host + ':' + folder; }
    friend bool operator==(const Target&, const Target&) = default;
};

/// Reads "[user@]host[:path]". A path that does not begin with "/" lies below the home folder
/// there. Throws invalid_input that says what is wrong: ssh would take a host that begins with "-"
/// as an option, and names have only letters, digits and ". _ - +", paths "/" too.
Target read_target(const std::string& text);

/// What a machine says of itself.
struct TargetFacts {
    std::string architecture;  // "x86_64", "aarch64": as `uname -m` says
    std::string version;       // of the lapidary-cli that runs there
    MachineInfo machine;       // processor, instruction set, cores, memory, system

    /// "4 cores Cortex-A76, 8.0 GB, aarch64, Lapidary 0.9.0"
    std::string text() const;
};

/// Connects, copies the command line's program there unless it is there already, and asks it.
/// Throws io_failure with a sentence that names the host and says what to do: no ssh, no
/// connection, no program for that architecture; cancelled.
TargetFacts try_target(const Target& target, const Progress& progress);

}  // namespace lapidary::app
