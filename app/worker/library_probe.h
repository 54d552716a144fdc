// SPDX-License-Identifier: Apache-2.0
// Asks a process of its own what a library is, which that may crash or never come back from.
#pragma once

#include <filesystem>
#include <string>

namespace lapidary::app {

/// Runs `lapidary-cli COMMAND --describe FILE`, which opens the library and prints what it found, and returns that: the
/// last line that begins with a brace, since libraries print what they like. Throws Error with the reason, a sentence
/// without a full stop: there is no such program, the process crashed, or it ended itself by end_probe_after().
std::string described_in_process(const std::string& command, const std::filesystem::path& file, unsigned seconds);

/// In that process: ends it where opening takes longer.
void end_probe_after(unsigned seconds);

}  // namespace lapidary::app
