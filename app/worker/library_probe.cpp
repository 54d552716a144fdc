// SPDX-License-Identifier: Apache-2.0
#include "worker/library_probe.h"

#include <optional>

#include <lapidary/error.h>
#include <lapidary/failure.h>

#include "worker/running_process.h"
#include "worker/worker_process.h"

namespace lapidary::app {

void end_probe_after(unsigned seconds) { end_process_after(seconds); }

std::string described_in_process(const LibraryQuestion& question, const std::filesystem::path& file) {
    const std::string program = find_worker_program();
    if (program.empty()) fail_unsupported(why_no_worker());
    WorkerProcess process({program, question.command, question.option, file.string()});
    process.close_input();
    std::optional<std::string> answer;
    while (const auto line = process.read_line())
        if (line->starts_with('{')) answer = *line;
    const std::string end = process.wait_for_end();
    if (answer) return *answer;
    if (was_ended_by_time(end))
        fail_unsupported("it was not open after " + std::to_string(question.seconds) + " seconds and was given up");
    const std::string words = process.last_words();
    fail_unsupported("it crashed while it was probed: " + end +
                     (words.starts_with(foreign_crash_mark) ? ", " + words : std::string()));
}

void require_survivable(const LibraryQuestion& question, const std::filesystem::path& file, const std::string& place) {
    if (find_worker_program().empty()) return;
    try {
        described_in_process(question, file);
    } catch (const Error& error) {
        throw Error(error.code(), place + ": " + error.message());
    }
}

}  // namespace lapidary::app
