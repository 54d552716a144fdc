// SPDX-License-Identifier: Apache-2.0
// An engine whose answers to some jobs are written by a test; the others run in this process.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "worker/jobs/engine.h"
#include "worker/jobs/job_kind.h"

namespace lapidary::test {

/// What a test's answer to a job has of its call.
template <typename Job>
struct Asked {
    const Job& job;
    const Progress& progress;
    // hands a partial result on; does nothing where none was asked for
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
    /// The job's own result, in this process.
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
