// SPDX-License-Identifier: Apache-2.0
// Asks a process of its own what a library is, which that may crash or never come back from.
#pragma once

#include <filesystem>
#include <string>

#include <lapidary/base/progress.h>

namespace lapidary::app {

/// The lapidary-cli COMMAND --OPTION FILE that opens a library of some kind and prints what it
/// found.
struct LibraryQuestion {
    std::string command, option;
    unsigned seconds;  // that it takes at most, by its end_probe_after()
};
inline const LibraryQuestion plugin_question{"plugins", "--describe", 20};
inline const LibraryQuestion custom_operators_question{"plugins", "--describe-custom-ops", 20};
inline const LibraryQuestion onnxruntime_question{"engines", "--describe", 60};

/// The answer: the last line that begins with a brace, since libraries print what they like. Throws
/// Error with the reason, a sentence without a full stop: there is no such program, the process
/// crashed, ended itself, or was ended because it was stopped or silent for two seconds longer than
/// it may take. Throws cancelled as soon as asked to.
std::string described_in_process(const LibraryQuestion& question, const std::filesystem::path& file,
                                 const CancelToken& cancel = {});

/// Returns where a process of its own opened `file`, or refused it, and lived to tell: then it may
/// be opened here. Throws what described_in_process() throws, after `place` ("plugin 'x.so'").
/// Where no program can be asked (find_worker_program()) it returns.
void require_survivable(const LibraryQuestion& question, const std::filesystem::path& file,
                        const std::string& place, const CancelToken& cancel = {});

/// In that process: ends it where opening takes longer.
void end_probe_after(unsigned seconds);

}  // namespace lapidary::app
