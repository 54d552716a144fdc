// SPDX-License-Identifier: Apache-2.0
// The command line's program for another machine: found here, copied there once.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <lapidary/base/progress.h>

#include "worker/remote/target.h"

namespace lapidary::app {

/// Of this program, as `uname -m` says it: "x86_64", "aarch64"; empty: another one.
std::string own_architecture();

/// lapidary-cli for Linux on one architecture. In an unpacked archive of the command line its
/// libraries and plugins belong to it.
struct TargetProgram {
    std::filesystem::path folder;
    std::vector<std::string> files;  // relative to the folder; the first one is the program
    std::string hash;                // of names and contents
};

/// The program for a machine of that architecture: among the folders that LAPIDARY_TARGETS lists
/// (each an unpacked archive, or with such archives in it), or this program, or an archive unpacked
/// beside that of this program. Throws not_supported that says where it was looked for.
TargetProgram find_target_program(const Target& target, const std::string& system,
                                  const std::string& architecture, const Progress& progress);

/// What a target says of itself before a worker runs there.
struct TargetState {
    std::string system, architecture;   // of `uname`
    std::vector<std::string> programs;  // hashes of those that are there
};
TargetState ask_target(const Target& target, const Progress& progress);

/// Copies the program; it is there whole or not at all. Throws io_failure, cancelled.
void send_program(const Target& target, const TargetProgram& program, const Progress& progress);

/// The command that starts the worker there.
std::vector<std::string> worker_command(const Target& target, const TargetProgram& program);

}  // namespace lapidary::app
