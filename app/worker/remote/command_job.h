// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include <lapidary/internal/shared_memory.h>

#include "worker/jobs/engine.h"

namespace lapidary::app {

class ByteReader;

/// Stands in arguments, and in what is printed, for the folder that files of the command's output
/// are written to.
inline constexpr std::string_view output_folder_mark =
    "\x1f"
    "output"
    "\x1f";

/// What a command has printed since the last one of them.
struct CommandOutput {
    std::string out, err;
};

struct CommandResult {
    int exit_code = 0;
    std::map<std::string, std::string> files;  // that it wrote, by name
};

/// Has the command line on another machine run a command. Throws invalid_input on a worker of this
/// machine, io_failure for output that cannot be read back.
struct CommandJob {
    using Result = CommandResult;
    using State = CommandOutput;
    static constexpr std::string_view name = "command";

    std::vector<std::string> arguments;  // "bench", "net.onnx", "--json"

    std::string title() const {
        return "the command " + (arguments.empty() ? "without a name" : arguments.front());
    }
    CommandResult run(const JobContext& context,
                      const std::function<void(const CommandOutput&)>& on_output) const;
    static SharedMemory block_of(const CommandResult& result);
    CommandResult complete(ByteReader& block, const Progress& progress) const;
};
template <>
const JobKind& kind_of<CommandJob>();

}  // namespace lapidary::app
