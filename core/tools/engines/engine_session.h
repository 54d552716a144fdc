// SPDX-License-Identifier: Apache-2.0
// A model in an engine other than this program's, whichever it is.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <lapidary/engines/engine_record.h>

namespace lapidary {

/// Which device of the engine runs a node of the graph that it made of the model.
struct AssignedNode {
    std::string provider, domain, op, name;  // "CPUExecutionProvider", "", "Conv", "conv1"
};

class EngineSession {
public:
    virtual ~EngineSession() = default;
    virtual const std::string& version() const = 0;
    /// Milliseconds that making it took.
    virtual double load_ms() const = 0;
    /// Milliseconds of the last of the runs. Throws cancelled soon after the token was.
    virtual double run(int runs, const CancelToken& cancel) = 0;
    /// One run and nothing else, to be timed from outside.
    virtual void run_once() = 0;
    /// Of the newest run.
    virtual NamedValues outputs() = 0;
    /// Ends the recording that it was opened for: all of its runs, kernels by the engine's names,
    /// without ids.
    virtual Profile end_profiling(const CancelToken& cancel) = 0;
    /// Empty: the assignment is known only from the kernels that ran.
    virtual std::optional<std::vector<AssignedNode>> assignment() { return std::nullopt; }
    virtual EngineMemory memory() const { return {}; }
    /// Its warnings, each once.
    virtual std::vector<std::string> log() const { return {}; }
};

}  // namespace lapidary
