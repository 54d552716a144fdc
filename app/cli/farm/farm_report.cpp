// SPDX-License-Identifier: Apache-2.0
#include "cli/farm/farm_report.h"

#include <ostream>

#include <fmt/format.h>

#include <lapidary/base/quantity_text.h>
#include <lapidary/proof/judge_labelled.h>

#include "cli/farm/farm_scripts.h"
#include "cli/output/json_output.h"
#include "cli/output/value_text.h"
#include "cli/quantize/accuracy_figures.h"

namespace lapidary::cli {
namespace {

std::string counted(std::uint64_t count, const char* what) {
    return count_text(static_cast<std::int64_t>(count), what);
}

Json gaps_json(const FarmOptions& options, const std::vector<FarmGap>& gaps, bool of_tasks) {
    Json list = Json::array();
    for (const FarmGap& gap : gaps) {
        Json one = Json::object();
        one["shard"] = gap.shard;
        if (of_tasks) one["model"] = gap.model;
        one["reason"] = gap.reason;
        one["command"] = run_line(options, gap.shard, gap.again);
        list.push_back(one);
    }
    return list;
}

Json machine_list(const std::vector<app::FarmMachine>& machines) {
    Json list = Json::array();
    for (const app::FarmMachine& machine : machines)
        list.push_back({{"host", machine.host},
                        {"cpu", machine.cpu},
                        {"isa", machine.isa},
                        {"cores", machine.cores},
                        {"memory_gb", json_number(machine.memory_gb)},
                        {"system", machine.system},
                        {"lapidary", machine.lapidary}});
    return list;
}

/// The counts with the warning that `accuracy` gives of all answers, first.
AccuracyCounts with_fault(AccuracyCounts counts) {
    if (const auto fault = float_model_fault(counts))
        counts.warnings.insert(counts.warnings.begin(), *fault);
    return counts;
}

Json model_json(const FarmModel& model, app::FarmSplit split) {
    Json machines = Json::array();
    for (const std::size_t index : model.machines) machines.push_back(index);
    Json json = {{"model", model.name}, {"machines", machines}};
    if (split == app::FarmSplit::samples) {
        json["accuracy"] = accuracy_json(with_fault(model.counts));
    } else if (!model.output.empty()) {
        json["exit_code"] = model.exit_code;
        json["result"] = json_from_text(model.output, "result");
    }
    return json;
}

/// The reason of a failure, which mostly begins with the model's name.
std::string named_reason(const std::string& model, const std::string& reason) {
    return plain(reason.starts_with(model) ? reason : model + ": " + reason);
}

void print_rows(std::ostream& out, const FarmMerge& merge) {
    TextTable table({"model", "machine", "exit code", "s", ""}, {0, 4});
    for (const FarmRow& row : merge.rows)
        table.add({plain(merge.plan.tasks[row.task].model), std::to_string(row.machine + 1),
                   std::to_string(row.exit_code), fmt::format("{:.1f}", row.seconds),
                   plain(app::farm_sentence_of(row.output))});
    table.print(out);
}

}  // namespace

Json farm_plan_json(const FarmOptions& options, const app::FarmPlan& plan) {
    return {{"plan", farm_plan_hash(plan)},        {"file", options.plan.string()},
            {"split", name_of(plan.split)},        {"shards", plan.shards},
            {"tasks", plan.tasks.size()},          {"run_command", run_line(options, 0)},
            {"merge_command", merge_line(options)}};
}

void print_farm_plan(std::ostream& out, const FarmOptions& options, const app::FarmPlan& plan) {
    out << fmt::format("{} in {}: wrote {}\n", counted(plan.tasks.size(), "task"),
                       counted(plan.shards, "shard"), plain(options.plan.string()));
    if (options.shards > plan.shards) out << "there are no more shards than tasks\n";
    if (plan.split != app::FarmSplit::models)
        out << fmt::format("each shard has a part of the {} of each model\n", name_of(plan.split));
    out << "  one shard      " << plain(run_line(options, 0)) << '\n'
        << "  all of them    " << plain(parallel_line(options, plan)) << '\n';
    if (!options.slurm.empty())
        out << "  under Slurm    bash " << plain(options.slurm.string()) << '\n';
    out << "  then           " << plain(merge_line(options)) << '\n';
}

Json farm_run_json(const FarmShardRun& run) {
    Json failed = Json::array();
    for (std::size_t i = 0; i < run.failed.size(); ++i)
        failed.push_back({{"model", run.failed[i].model}, {"reason", run.errors[i]}});
    return {{"shard", run.shard},
            {"ran", run.ran},
            {"kept", run.kept},
            {"file", run.file.string()},
            {"failed", failed}};
}

void print_farm_run(std::ostream& out, const FarmShardRun& run) {
    out << fmt::format("shard {}: {} run", run.shard, counted(run.ran, "task"));
    if (run.kept > 0) out << fmt::format(", {} done before", run.kept);
    out << fmt::format(", {} failed; {}\n", run.failed.size(), plain(run.file.string()));
    for (std::size_t i = 0; i < run.failed.size(); ++i)
        out << "  " << named_reason(run.failed[i].model, run.errors[i]) << '\n';
}

Json farm_merge_json(const FarmOptions& options, const FarmMerge& merge) {
    Json json = {{"plan", merge.hash},
                 {"split", name_of(merge.plan.split)},
                 {"command", merge.plan.command},
                 {"shards", merge.plan.shards},
                 {"tasks", merge.plan.tasks.size()},
                 {"complete", merge.is_complete()},
                 {"lost", gaps_json(options, merge.lost, false)},
                 {"failed", gaps_json(options, merge.failed, true)},
                 {"notes", merge.notes},
                 {"machines", machine_list(merge.machines)}};
    if (!merge.has_figures) return json;
    Json rows = Json::array();
    for (const FarmRow& row : merge.rows)
        rows.push_back({{"model", merge.plan.tasks[row.task].model},
                        {"shard", row.shard},
                        {"machine", row.machine},
                        {"exit_code", row.exit_code},
                        {"seconds", json_number(row.seconds)},
                        {"result", json_from_text(row.output, "result")}});
    for (const FarmModel& model : merge.models) rows.push_back(model_json(model, merge.plan.split));
    json["results"] = rows;
    return json;
}

void print_farm_merge(std::ostream& out, const FarmOptions& options, const FarmMerge& merge) {
    out << fmt::format("{} in {}\n", counted(merge.plan.tasks.size(), "task"),
                       counted(merge.plan.shards, "shard"));
    for (std::size_t i = 0; i < merge.machines.size(); ++i) {
        const app::FarmMachine& machine = merge.machines[i];
        out << fmt::format("machine {}  {}: {}, {}, {}, {}\n", i + 1, plain(machine.host),
                           plain(machine.cpu), plain(machine.isa),
                           counted(static_cast<std::uint64_t>(machine.cores), "core"),
                           plain(machine.system));
    }
    if (merge.has_figures && !merge.rows.empty()) print_rows(out, merge);
    for (const FarmModel& model : merge.models) {
        if (!merge.has_figures) break;
        out << plain(model.name) << '\n';
        if (merge.plan.split == app::FarmSplit::samples)
            print_accuracy(out, with_fault(model.counts));
        else out << "  " << plain(app::farm_sentence_of(model.output)) << '\n';
    }
    for (const std::string& note : merge.notes) out << "note  " << plain(note) << '\n';
    for (const FarmGap& gap : merge.lost)
        out << fmt::format("lost  shard {}: {}\n", gap.shard, plain(gap.reason));
    for (const FarmGap& gap : merge.failed)
        out << fmt::format("failed  shard {}, {}\n", gap.shard,
                           named_reason(gap.model, gap.reason));
    std::map<std::uint64_t, bool> shards;  // and whether --again is needed
    for (const auto* gaps : {&merge.lost, &merge.failed})
        for (const FarmGap& gap : *gaps) shards[gap.shard] |= gap.again;
    if (!shards.empty()) out << "run these again\n";
    for (const auto& [shard, again] : shards)
        out << "  " << plain(run_line(options, shard, again)) << '\n';
    if (!merge.has_figures) out << "then merge; --partial merges without them\n";
}

}  // namespace lapidary::cli
