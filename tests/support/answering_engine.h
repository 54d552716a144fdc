// SPDX-License-Identifier: Apache-2.0
// An engine with results that a test provides for some kinds of jobs; other jobs run in this
// process.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "worker/jobs/engine.h"
#include "worker/jobs/job_kind.h"

namespace lapidary::test {

/// The arguments of a call, for the function that a test provides.
template <typename Job>
struct Asked {
    const Job& job;
    const Progress& progress;
    // reports a partial result; does nothing if none was requested
    std::function<void(const app::StateOf<Job>&)> report;
    const SweepControl* control;  // null: it is never paused
};

class AnsweringEngine : public app::Engine {
public:
    template <app::EngineJob Job>
    void answer(std::function<typename Job::Result(const Asked<Job>&)> make) {
        answers_[std::string(Job::name)] = [make](const void* job, void* result,
                                                  const Progress& progress,
                                                  const app::CallHooks& hooks) {
            const auto report = [&](const app::StateOf<Job>& state) {
                if (hooks.on_state) hooks.on_state(&state);
            };
            *static_cast<typename Job::Result*>(result) =
                make({*static_cast<const Job*>(job), progress, report, hooks.control});
        };
    }
    /// Runs the job in this process and returns its real result.
    template <app::EngineJob Job>
    typename Job::Result real(const Asked<Job>& asked) {
        return local_.call(asked.job, asked.progress, asked.report, asked.control);
    }

    void run(const app::JobKind& kind, const void* job, void* result, const Progress& progress,
             const app::CallHooks& hooks) override {
        const auto found = answers_.find(std::string(kind.name()));
        if (found == answers_.end()) local_.run(kind, job, result, progress, hooks);
        else found->second(job, result, progress, hooks);
    }

private:
    using Answer = std::function<void(const void*, void*, const Progress&, const app::CallHooks&)>;
    app::LocalEngine local_;
    std::map<std::string, Answer> answers_;
};

}  // namespace lapidary::test
