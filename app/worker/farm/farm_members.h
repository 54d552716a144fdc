// SPDX-License-Identifier: Apache-2.0
// Plans and results of farms, described member by member (lapidary/internal/members.h).
#pragma once

#include <array>

#include <lapidary/base/error.h>
#include <lapidary/internal/members_json.h>

#include "worker/farm/farm_plan.h"
#include "worker/farm/farm_result.h"

namespace lapidary {

template <>
struct EnumNames<app::FarmSplit> {
    using enum app::FarmSplit;
    static constexpr std::array values{models, samples, candidates};
};
template <>
struct Members<app::FarmTask> {
    using T = app::FarmTask;
    static constexpr auto list =
        members<T>(member<&T::shard>("shard").required(), member<&T::model>("model").required(),
                   member<&T::bytes>("bytes").required(), member<&T::steps>("steps").required(),
                   member<&T::content>("content"));
    static void check(const T& task) {
        if (task.steps.empty()) fail_input("a task has no command");
        for (const auto& words : task.steps)
            if (words.empty()) fail_input("a command of a task has no words");
    }
};
template <>
struct Members<app::FarmPlan> {
    using T = app::FarmPlan;
    static constexpr auto list =
        members<T>(member<&T::shards>("shards").required().within(1, app::most_farm_tasks),
                   member<&T::split>("split").required(), member<&T::command>("command").required(),
                   member<&T::tasks>("tasks").required());
    static void check(const T& plan) {
        if (plan.tasks.empty()) fail_input("the plan has no task");
        for (const app::FarmTask& task : plan.tasks)
            if (task.shard >= plan.shards)
                fail_input("a task is of shard " + std::to_string(task.shard) + ", and there are " +
                           std::to_string(plan.shards));
    }
};
template <>
struct Members<app::FarmMachine> {
    using T = app::FarmMachine;
    static constexpr auto list =
        members<T>(member<&T::host>("host"), member<&T::cpu>("cpu"), member<&T::isa>("isa"),
                   member<&T::cores>("cores"), member<&T::memory_gb>("memory_gb"),
                   member<&T::system>("system"), member<&T::lapidary>("lapidary"));
};
template <>
struct Members<app::FarmOutcome> {
    using T = app::FarmOutcome;
    static constexpr auto list = members<T>(
        member<&T::task>("task").required(), member<&T::exit_code>("exit_code").required(),
        member<&T::error>("error"), member<&T::output>("output"), member<&T::counts>("counts"),
        member<&T::seconds>("seconds"), member<&T::machine>("machine").required());
};
template <>
struct Members<app::FarmResult> {
    using T = app::FarmResult;
    static constexpr auto list =
        members<T>(member<&T::plan>("plan").required(), member<&T::shard>("shard").required(),
                   member<&T::outcomes>("outcomes").required(), member<&T::running>("running"),
                   member<&T::begun>("begun"));
};

}  // namespace lapidary
