// SPDX-License-Identifier: Apache-2.0
// Runs jobs on another machine: a worker process there, spoken with over ssh.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "worker/jobs/engine.h"
#include "worker/remote/target.h"

namespace lapidary::app {

/// Jobs are called as on every other engine. Before a job the files that it names are sent; what is
/// there already is not sent again. The results of jobs that return graphs refer to weights there.
/// Where the connection ends, the running call throws process_ended with a sentence that names the
/// host; the next call connects again. Nothing is left there but the cache.
class RemoteEngine : public Engine {
public:
    /// Does nothing yet: the first call connects.
    explicit RemoteEngine(Target target);
    /// Ends the worker there. No call may be running.
    ~RemoteEngine() override;

    /// Throws also what try_target() throws, and invalid_input for a model that exists in this
    /// process alone.
    void run(const JobKind& kind, const void* job, void* result, const Progress& progress,
             const CallHooks& hooks) override;

    /// Sends a file, a folder or a model with its external data, and returns its name there.
    std::string place(const std::filesystem::path& file, bool is_model, const Progress& progress);
    /// Connects unless there is a connection.
    TargetFacts facts(const Progress& progress);
    const Target& target() const;
    /// Ends the connection; the running call throws as after any other end. From any thread.
    void end_connection();

private:
    struct Link;
    std::unique_ptr<Link> link_;
};

}  // namespace lapidary::app
