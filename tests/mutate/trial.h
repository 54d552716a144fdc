// SPDX-License-Identifier: Apache-2.0
// Takes one damaged model through all that the program does with a file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace lapidary::mutate {

/// A model file to start from. Mutation `number` of it is always the same.
struct Source {
    std::filesystem::path path;
    std::vector<std::byte> bytes;
};

struct TrialResult {
    std::string did;  // what was changed
    std::string
        reached;  // where it was refused: "load", "optimize", "compile", "run"; "end": it was not
    std::string message;  // of the refusal
    bool is_bug =
        false;  // refused as an internal error, or by another exception than lapidary::Error
};

/// Loads, optimizes, writes, loads again, compiles and runs the damaged file; a run ends by itself
/// after some seconds.
TrialResult attempt(const Source& source, std::uint64_t number);

/// The damaged file that attempt() uses; `did` receives a description of the change. Empty if the
/// change could not be made.
std::vector<std::byte> damaged(const Source& source, std::uint64_t number, std::string& did);

}  // namespace lapidary::mutate
