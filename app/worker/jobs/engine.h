// SPDX-License-Identifier: Apache-2.0
// The one way to have something done with a model: a job is called, and its result comes back. An
// engine runs jobs in this process, or in a worker process that may die without taking this one
// along. Calls block and may come from any thread; an engine runs one job at a time, in the order
// of the calls.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>

#include <lapidary/base/limits.h>
#include <lapidary/base/progress.h>
#include <lapidary/bench/sweep.h>

namespace lapidary::app {

class JobKind;     // worker/jobs/job_kind.h
class ModelCache;  // worker/models/model_cache.h

/// What a job has while it runs.
struct JobContext {
    const Progress& progress;
    const SweepControl* control = nullptr;  // of who may pause it; null: none does
    Limits limits = {};                     // of each run
    // of the worker process; null: the job runs in the caller's process
    ModelCache* cache = nullptr;
};

/// A request: a struct that is described (lapidary/internal/members.h) with
///   using Result = ...;                  described too, or with block_of() and complete()
///   using State = ...;                   where it reports partial results
///   static constexpr std::string_view name = "...";
///   std::string title() const;           for messages: "the profile of net.onnx"
///   Result run(const JobContext&) const; with State: run(const JobContext&, const
///   std::function<void(const State&)>&)
/// It throws what its header says. job_kind.h says what else it may have, jobs.inc lists all of
/// them.
template <typename Job>
concept EngineJob = requires(const Job& job) {
    typename Job::Result;
    { Job::name } -> std::convertible_to<std::string_view>;
    { job.title() } -> std::convertible_to<std::string>;
};

/// Partial results of a job; nothing where it reports none.
struct NoState {};
template <typename Job>
struct StateOfJob {
    using Type = NoState;
};
template <typename Job>
requires requires { typename Job::State; }
struct StateOfJob<Job> {
    using Type = typename Job::State;
};
template <typename Job>
using StateOf = typename StateOfJob<Job>::Type;

/// How jobs of one type are run and sent. Specialized by each job beside its run().
template <typename Job>
const JobKind& kind_of();

/// Which worker process a job runs in, where there are any: what runs models does not wait for what
/// only looks at them, nor the other way round.
enum class Lane : std::uint8_t {
    runs,    // one run at a time
    models,  // reads, optimizes and explains models
    proofs   // compares what models compute, which may take minutes
};

/// What the caller hears of and says to a job while it runs.
struct CallHooks {
    std::function<void(const void*)> on_state =
        {};                                 // gets a StateOf<Job>; empty: states are not reported
    const SweepControl* control = nullptr;  // null: it is never paused
};

class Engine {
public:
    virtual ~Engine() = default;

    /// Runs the job and returns its result. `on_state` gets partial results, from any thread.
    /// Throws what the job throws, cancelled, and process_ended where the worker died of it.
    template <EngineJob Job>
    typename Job::Result call(
        const Job& job, const Progress& progress,
        const std::type_identity_t<std::function<void(const StateOf<Job>&)>>& on_state = {},
        const SweepControl* control = nullptr) {
        typename Job::Result result{};
        CallHooks hooks{{}, control};
        if (on_state)
            hooks.on_state = [&](const void* state) {
                on_state(*static_cast<const StateOf<Job>*>(state));
            };
        run(kind_of<Job>(), &job, &result, progress, hooks);
        return result;
    }

    /// As call(), of a job of that kind; `result` is filled in.
    virtual void run(const JobKind& kind, const void* job, void* result, const Progress& progress,
                     const CallHooks& hooks) = 0;
};

/// Runs jobs in this process.
class LocalEngine : public Engine {
public:
    /// `limits`: of each run. `cache`: has the models of a worker process; null: jobs bring theirs.
    explicit LocalEngine(const Limits& limits = {}, ModelCache* cache = nullptr)
        : limits_(limits), cache_(cache) {}
    void run(const JobKind& kind, const void* job, void* result, const Progress& progress,
             const CallHooks& hooks) override;

private:
    Limits limits_;
    ModelCache* cache_;
};

}  // namespace lapidary::app
