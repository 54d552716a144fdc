// SPDX-License-Identifier: Apache-2.0
// How jobs of one type are run, and sent to a worker process and back.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <lapidary/base/error.h>
#include <lapidary/internal/shared_memory.h>

#include "worker/protocol/bytes/described_bytes.h"
#include "worker/jobs/engine.h"
#include "worker/jobs/engine_handle.h"
#include "worker/protocol/job_members.h"
#include "worker/models/model_cache.h"
#include "worker/protocol/model_source.h"
#include "worker/protocol/named_files.h"

namespace lapidary::app {

/// Where a large result lies.
struct ResultBlock {
    std::string name;  // of SharedMemory
    std::size_t bytes = 0;
};
/// What is sent in place of it.
struct BlockResult {
    ResultBlock block;
};

}  // namespace lapidary::app

namespace lapidary {

template <>
struct Members<app::ResultBlock> {
    using T = app::ResultBlock;
    static constexpr auto list =
        members<T>(member<&T::name>("name").required(), member<&T::bytes>("bytes").required());
};
template <>
struct Members<app::BlockResult> {
    using T = app::BlockResult;
    static constexpr auto list = members<T>(member<&T::block>("block").required());
};

}  // namespace lapidary

namespace lapidary::app {

/// Of one type of job, whose pointers are void here.
class JobKind {
public:
    using OnState = std::function<void(const void*)>;
    using SendState = std::function<void(Json)>;

    virtual ~JobKind() = default;
    virtual std::string_view name() const = 0;
    virtual std::string title(const void* job) const = 0;
    /// False where a model exists in this process alone.
    virtual bool in_other_process(const void* job) const = 0;
    /// ModelSource::document of its models, as far as they have one.
    virtual std::vector<std::uint64_t> documents(const void* job) const = 0;
    virtual Lane lane() const = 0;
    /// A job of lane `runs` that goes to lane `models` while another job runs.
    virtual bool runs_beside() const = 0;
    /// In this process.
    virtual void run(const void* job, void* result, const JobContext& context,
                     const OnState& on_state) const = 0;

    /// Calls use() with a copy of the job whose files have the names that map() returns.
    virtual void with_files(const void* job, const MapFile& map,
                            const std::function<void(const void*)>& use) const = 0;

    // The caller's side of another process.
    virtual Json request(const void* job) const = 0;
    virtual void read_state(const Json& state, const OnState& on_state) const = 0;
    /// `engine` is asked for what stayed with the worker.
    virtual void read_result(const Json& sent, const void* job, void* result,
                             const Progress& progress, const EngineHandlePtr& engine) const = 0;

    /// The worker's side: reads a request, opens its models, runs it and returns what is sent as
    /// its result. After a cancel the newest partial result is sent once more, with all details.
    virtual Json serve(const Json& request, const JobContext& context,
                       const SendState& send_state) const = 0;
};

/// Calls act(source) for each ModelSource that is a member of the value, at any depth.
template <typename T, typename Act>
void each_model(T& value, const Act& act) {
    using Plain = std::remove_const_t<T>;
    if constexpr (std::same_as<Plain, ModelSource>) {
        act(value);
    } else if constexpr (requires {
                             value.begin();
                             requires Described<typename Plain::value_type>;
                         }) {
        for (auto& item : value) each_model(item, act);
    } else if constexpr (Described<Plain> && !HasForm<Plain>) {
        each_member<Plain>([&](const auto& described) {
            using D = std::remove_cvref_t<decltype(described)>;
            if constexpr (is_member<D>) each_model(value.*D::pointer, act);
        });
    }
}

/// A job may also have
///   static constexpr Lane lane = Lane::models;                Lane::runs where it says nothing
///   static constexpr bool runs_beside = true;
///   static constexpr bool opens_models = false;               it opens the models itself
///   static SharedMemory block_of(const Result&);              its result is sent as a block of
///   memory, and read with the job at hand by one of
///   Result complete(ByteReader&, const Progress&) const;
///   Result complete(ByteReader&, const Progress&, const EngineHandlePtr&) const;
template <EngineJob Job>
class KindOf : public JobKind {
    using Result = typename Job::Result;
    using State = StateOf<Job>;
    static constexpr bool has_state = !std::same_as<State, NoState>;
    static constexpr bool has_block = requires(const Result& result) { Job::block_of(result); };

public:
    std::string_view name() const override { return Job::name; }
    std::string title(const void* job) const override { return of(job).title(); }
    bool in_other_process(const void* job) const override {
        bool can = true;
        each_model(of(job),
                   [&](const ModelSource& model) { can = can && model.in_other_process(); });
        return can;
    }
    std::vector<std::uint64_t> documents(const void* job) const override {
        std::vector<std::uint64_t> named;
        each_model(of(job), [&](const ModelSource& model) {
            if (model.document > 0) named.push_back(model.document);
        });
        return named;
    }
    Lane lane() const override {
        if constexpr (requires { Job::lane; }) return Job::lane;
        else return Lane::runs;
    }
    bool runs_beside() const override {
        return requires { Job::runs_beside; };
    }
    void run(const void* job, void* result, const JobContext& context,
             const OnState& on_state) const override {
        *static_cast<Result*>(result) = run_typed(of(job), context, [&](const State& state) {
            if (on_state) on_state(&state);
        });
    }

    void with_files(const void* job, const MapFile& map,
                    const std::function<void(const void*)>& use) const override {
        Job copy = of(job);
        NamedFiles(map).replace_in(copy);
        use(&copy);
    }

    Json request(const void* job) const override {
        Json request = json_of(of(job));
        request["job"] = Job::name;
        return request;
    }
    void read_state(const Json& sent, const OnState& on_state) const override {
        if constexpr (has_state) {
            if (!on_state) return;
            const auto state = read_json<State>(sent, "the state");
            on_state(&state);
        }
    }
    void read_result(const Json& sent, const void* job, void* result, const Progress& progress,
                     [[maybe_unused]] const EngineHandlePtr& engine) const override {
        if constexpr (has_block) {
            const ResultBlock block = read_json<BlockResult>(sent, "the result").block;
            const auto memory =
                std::make_shared<SharedMemory>(SharedMemory::take(block.name, block.bytes));
            ByteReader reader(memory->bytes(), memory);
            if constexpr (requires { of(job).complete(reader, progress, engine); })
                *static_cast<Result*>(result) = of(job).complete(reader, progress, engine);
            else *static_cast<Result*>(result) = of(job).complete(reader, progress);
        } else {
            *static_cast<Result*>(result) = read_json<Result>(sent, "the result");
        }
    }

    Json serve(const Json& request, const JobContext& context,
               const SendState& send_state) const override {
        auto job = read_json<Job>(request, std::string(Job::name));
        if constexpr (!requires { Job::opens_models; })
            each_model(job, [&](ModelSource& model) {
                model.model = context.cache->get(model, context.progress);
            });
        State newest{};
        bool has_newest = false;
        try {
            const Result result = run_typed(job, context, [&](const State& state) {
                if constexpr (has_state) send_state(json_of(state, false));
                newest = state;
                has_newest = true;
            });
            return sent(result, context.progress);
        } catch (const Error& error) {
            if constexpr (has_state)
                if (error.code() == ErrorCode::cancelled && has_newest) send_state(json_of(newest));
            throw;
        }
    }

private:
    static const Job& of(const void* job) { return *static_cast<const Job*>(job); }
    static Result run_typed(const Job& job, const JobContext& context,
                            const std::function<void(const State&)>& on_state) {
        if constexpr (has_state) return job.run(context, on_state);
        else return job.run(context);
    }
    static Json sent(const Result& result, const Progress& progress) {
        if constexpr (has_block) {
            progress.to_complete().step("hand over");
            SharedMemory block = Job::block_of(result);
            block.hand_on();
            return json_of(BlockResult{{block.name(), block.bytes().size()}});
        } else {
            return json_of(result);
        }
    }
};

/// All kinds, as jobs.inc lists them. Null for a name that none has.
const JobKind* find_job(std::string_view name);
/// "compare_outputs, measure, profile".
std::string known_jobs();

}  // namespace lapidary::app
