// SPDX-License-Identifier: Apache-2.0
// Opens a library in a separate process, which may crash or hang, and reads what it prints.
#pragma once

#include <filesystem>
#include <string>

#include <lapidary/base/progress.h>

namespace lapidary::app {

/// The command `lapidary-cli COMMAND --OPTION FILE`, which opens one kind of library and prints a
/// description.
struct LibraryQuestion {
    std::string command, option;
    unsigned seconds;  // its longest time, set by end_probe_after()
};
inline const LibraryQuestion plugin_question{"plugins", "--describe", 20};
inline const LibraryQuestion custom_operators_question{"plugins", "--describe-custom-ops", 20};
inline const LibraryQuestion onnxruntime_question{"engines", "--describe", 60};

/// The answer: the last line that starts with a brace, because libraries print other text too.
/// Throws Error with the reason, a sentence without a full stop: there is no such program, the
/// process crashed or ended itself, or it was killed because it was stopped or was silent for two
/// seconds more than its longest time. Throws cancelled at once.
std::string described_in_process(const LibraryQuestion& question, const std::filesystem::path& file,
                                 const CancelToken& cancel = {});

/// Returns if a separate process survived opening `file`, even if it refused the file: then it is
/// safe to open here. Throws what described_in_process() throws, after `place` ("plugin 'x.so'").
/// Also returns if there is no program for it (find_worker_program()).
void require_safe_to_open(const LibraryQuestion& question, const std::filesystem::path& file,
                          const std::string& place, const CancelToken& cancel = {});

/// In the probing process: ends it if opening takes longer.
void end_probe_after(unsigned seconds);

}  // namespace lapidary::app
