// SPDX-License-Identifier: Apache-2.0
// A model in another engine: the interface of all of them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <lapidary/engines/engine_record.h>

namespace lapidary {

/// A node of the engine's own graph, and the provider that runs it.
struct AssignedNode {
    std::string provider, domain, op, name;  // "CPUExecutionProvider", "", "Conv", "conv1"
};

class EngineSession {
public:
    virtual ~EngineSession() = default;
    virtual const std::string& version() const = 0;
    /// Milliseconds that it took to make the session.
    virtual double load_ms() const = 0;
    /// Runs the model `runs` times. Returns the milliseconds of the last run. Throws cancelled.
    virtual double run(int runs, const CancelToken& cancel) = 0;
    /// Does one run, which the caller times.
    virtual void run_once() = 0;
    /// The outputs of the newest run.
    virtual NamedValues outputs() = 0;
    /// Ends profiling of a session that was opened for it. The profile has all runs; kernels have
    /// the engine's names and no node ids.
    virtual Profile end_profiling(const CancelToken& cancel) = 0;
    /// Empty: the assignment is known only from the kernels that ran.
    virtual std::optional<std::vector<AssignedNode>> assignment() { return std::nullopt; }
    virtual EngineMemory memory() const { return {}; }
    /// The engine's warnings, each once.
    virtual std::vector<std::string> log() const { return {}; }
};

}  // namespace lapidary
