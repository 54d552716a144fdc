// SPDX-License-Identifier: Apache-2.0
#include "cli/farm/farm_planning.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <system_error>
#include <utility>

#include <lapidary/base/error.h>

#include "worker/farm/farm_result.h"

#include "cli/exit_code.h"
#include "cli/farm/farm_content.h"
#include "cli/farm/farm_models.h"
#include "cli/farm/farm_words.h"

namespace lapidary::cli {
namespace {

using app::FarmPlan;
using app::FarmSplit;
using app::FarmTask;

constexpr const char* added_by_farm[] = {"--json",  "--shard",  "--counts",
                                         "--merge", "--trials", "--known-trials"};

/// The steps with their places filled, checked as the command line does it.
std::vector<CheckedCommand> checked_steps(const std::vector<Words>& steps) {
    std::vector<CheckedCommand> checked;
    for (const Words& step : steps) {
        const CheckedCommand& command = checked.emplace_back(checked_command(step));
        if (!command.has_json || command.name == "farm" || command.name == "serve")
            throw UsageError("farm plan: " + command.name +
                             " prints no result that could be merged");
        for (const char* name : added_by_farm)
            if (std::ranges::find(command.given, name) != command.given.end())
                throw UsageError("farm plan: leave out " + std::string(name) + " of " +
                                 command.name + ", which farm run and farm merge add");
    }
    return checked;
}

bool has_option(const CheckedCommand& command, const char* name) {
    return std::ranges::find(command.given, name) != command.given.end();
}

FarmSplit split_for(const FarmOptions& options, const std::vector<CheckedCommand>& steps) {
    const CheckedCommand& command = steps.back();
    const bool has_samples = command.name == "accuracy" && has_option(command, "--labels") &&
                             !has_option(command, "--against");
    const bool has_candidates = command.name == "quantize" && has_option(command, "--search");
    const FarmSplit usual = !options.models.empty() ? FarmSplit::models
                            : has_samples           ? FarmSplit::samples
                            : has_candidates        ? FarmSplit::candidates
                                                    : FarmSplit::models;
    const FarmSplit split = options.split.value_or(usual);
    if (split == FarmSplit::models) return split;
    if (steps.size() > 1)
        throw UsageError("farm plan: several commands (then) are divided by models alone");
    if (split == FarmSplit::samples && !has_samples)
        throw UsageError(
            "farm plan: samples are divided for accuracy with --labels and without --against");
    if (split == FarmSplit::candidates && !has_candidates)
        throw UsageError("farm plan: candidates are those of quantize --search");
    return split;
}

std::uint64_t bytes_of(const std::string& model) {
    std::error_code failed;
    const std::uint64_t bytes = std::filesystem::file_size(model, failed);
    return failed ? 0 : bytes;
}

/// Two tasks that wrote one file would overwrite each other's.
void check_outputs(const std::vector<FarmTask>& tasks, const std::vector<CheckedCommand>& steps) {
    std::map<std::filesystem::path, std::string> model_of;
    for (const FarmTask& task : tasks)
        for (std::size_t i = 0; i < steps.size(); ++i) {
            if (steps[i].outputs.empty()) continue;  // of the first task, and so of all
            for (const std::string& file : checked_command(task.steps[i]).outputs) {
                const auto [at, is_new] =
                    model_of.emplace(std::filesystem::path(file).lexically_normal(), task.model);
                if (!is_new && at->second != task.model)
                    throw UsageError("farm plan: " + quote(task.model) + " and " +
                                     quote(at->second) + " would both write " + quote(file) +
                                     "; write {name} in it, which is the name of the model");
            }
        }
}

/// Large models first, each to the shard that has the fewest bytes so far.
void share_models(FarmPlan& plan) {
    std::vector<std::size_t> order(plan.tasks.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, std::greater(),
                             [&](std::size_t i) { return plan.tasks[i].bytes; });
    std::set<std::pair<std::uint64_t, std::uint64_t>> loads;  // bytes, shard
    for (std::uint64_t shard = 0; shard < plan.shards; ++shard) loads.emplace(0, shard);
    for (const std::size_t i : order) {
        const auto [bytes, shard] = *loads.begin();
        loads.erase(loads.begin());
        plan.tasks[i].shard = shard;
        loads.emplace(bytes + std::max<std::uint64_t>(1, plan.tasks[i].bytes), shard);
    }
    std::ranges::stable_sort(plan.tasks, {}, &FarmTask::shard);
}

/// One task for each shard and model.
void add_parts(FarmPlan& plan, const std::vector<FarmTask>& whole) {
    for (std::uint64_t shard = 0; shard < plan.shards; ++shard)
        for (FarmTask task : whole) {
            task.shard = shard;
            const std::string part = std::to_string(shard) + "/" + std::to_string(plan.shards);
            task.steps.back() = with_options(task.steps.back(), {"--shard", part});
            plan.tasks.push_back(std::move(task));
        }
}

std::uint64_t shards_for(const FarmOptions& options, FarmSplit split, std::uint64_t models) {
    if ((options.shards > 0) == (options.per_shard > 0))
        throw UsageError("farm plan: give one of --shards and --per-shard");
    if (split != FarmSplit::models && options.per_shard > 0)
        throw UsageError("farm plan: --per-shard counts models; where " +
                         std::string(name_of(split)) + " are divided give --shards");
    const std::uint64_t wanted =
        options.shards > 0 ? options.shards : (models + options.per_shard - 1) / options.per_shard;
    const std::uint64_t shards = split == FarmSplit::models ? std::min(wanted, models) : wanted;
    if (split != FarmSplit::models && shards * models > app::most_farm_tasks)
        throw UsageError("farm plan: " + std::to_string(shards) + " shards of " +
                         std::to_string(models) + " models are more than " +
                         std::to_string(app::most_farm_tasks) + " tasks");
    return shards;
}

}  // namespace

std::filesystem::path FarmOptions::results_folder() const {
    return results.empty() ? app::farm_results_folder(plan) : results;
}

FarmPlan make_farm_plan(const FarmOptions& options) {
    const std::vector<Words> steps = steps_of(options.command);
    const std::vector<std::string> named = models_named(options.models);
    std::vector<FarmTask> whole;
    for (const std::string& model : named) {
        FarmTask& task = whole.emplace_back(FarmTask{0, model, bytes_of(model), {}});
        for (const Words& step : steps)
            task.steps.push_back(words_for_model(step, model, task.steps.empty()));
    }
    const std::vector<CheckedCommand> checked =
        checked_steps(whole.empty() ? steps : whole.front().steps);
    FarmPlan plan;
    plan.split = split_for(options, checked);
    plan.command = options.command;
    if (whole.empty()) {
        const std::vector<std::string>& models = checked.back().models;
        if (models.size() != 1 || (plan.split == FarmSplit::models && options.shards != 1))
            throw UsageError(
                "farm plan: name the models by --models, and leave them out of the "
                "command");
        whole.push_back({0, models.front(), bytes_of(models.front()), steps});
    }
    if (whole.size() > 1) check_outputs(whole, checked);
    for (FarmTask& task : whole) task.content = farm_content(task);
    plan.shards = shards_for(options, plan.split, whole.size());
    if (plan.split == FarmSplit::models) {
        plan.tasks = std::move(whole);
        share_models(plan);
    } else {
        add_parts(plan, whole);
    }
    return plan;
}

}  // namespace lapidary::cli
