// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <ostream>
#include <set>
#include <string>
#include <string_view>

#include <lapidary/base/error.h>
#include <lapidary/internal/output_file.h>
#include <lapidary/internal/text_file.h>

#include "cli/command.h"
#include "cli/exit_code.h"
#include "cli/farm/farm_planning.h"
#include "cli/farm/farm_report.h"
#include "cli/farm/farm_scripts.h"
#include "cli/options/output_options.h"
#include "cli/options/value_checks.h"
#include "cli/output/json_output.h"

namespace lapidary::cli {
namespace {

constexpr const char* farm_notes = R"(
plan divides a command into shards, run runs one of them on any machine that sees the same files, merge puts the results
together. A plan, with -- in front of the command:
  lapidary-cli farm plan job.json --models zoo --shards 8 -- sweep --seconds 1
In the command {} stands for the model and {name} for its name, as in -o out/{name}.onnx; without {} the model is put
behind the command's name. The word "then" divides several commands. accuracy of one model is divided by its samples,
and the merged figures are those of one run; quantize --search by the recipes that it tries, among which merge chooses
as one search does. Everything else is divided by models, and each row names the machine that it was measured on.
Results lie in the folder job.results beside the plan. A shard that is done is not run again, one that was cut off goes
on where it was, and two results of one shard count once. merge names shards that are lost and tasks that failed, with
the command that runs them again, and its exit code is then 1.)";

class FarmCommand : public Command {
public:
    CommandText text() const override {
        return {.summary =
                    "Divide a command into shards that any batch system runs, and merge "
                    "what they found",
                .notes = farm_notes,
                .examples = {"lapidary-cli farm plan job.json --models zoo --shards 8 --slurm "
                             "job.sh -- bench --seconds 2",
                             "lapidary-cli farm plan job.json --shards 8 -- accuracy net.onnx "
                             "--data test.npz --labels test.npz:y",
                             "lapidary-cli farm run job.json --shard 3",
                             "lapidary-cli farm merge job.json -o result.json"}};
    }

    void declare(OptionList& options) override {
        options.value("action", "plan|run|merge", action_, "What to do")
            .required()
            .one_of({"plan", "run", "merge"});
        options.value("plan", "PLAN.json", options_.plan, "File of the plan")
            .required()
            .suggest_files({"json"});
        // a positional argument that is still free: behind -- it takes all words, options too
        options.value("command", "COMMAND", options_.command, "plan: the command, behind --")
            .one_or_more();
        declare_planning(options);
        options.value("--shard", "K", options_.shard, "run: which shard, from 0 on")
            .checked_by(count_problem);
        options.flag("--again", options_.again, "run: also what is done already");
        options
            .value("--results", "DIR", options_.results,
                   "Folder of the results; PLAN.results beside the plan unless given")
            .suggest_folders();
        add_output(options, "F.json", options_.output, {"json"},
                   "merge: file for what --json prints");
        options.flag("--partial", options_.partial,
                     "merge: what there is, though shards are lost or tasks failed");
        add_json(options, json);
    }

    bool opens_plugins() const override { return false; }  // the commands that it runs do

    int run(Terminal& terminal) override {
        if (action_ == "plan") return plan(terminal);
        if (!options_.command.empty())
            throw UsageError("farm " + action_ + ": expected the file of a plan alone, found " +
                             quote(options_.command.front()) + " too");
        return action_ == "run" ? run_shard(terminal) : merge(terminal);
    }

private:
    void declare_planning(OptionList& options) {
        options
            .value("--models", "PATH", options_.models,
                   "plan: a model, a folder with all that is in it, or a pattern in quotes; may be "
                   "repeated")
            .repeatable()
            .suggest({.files = true, .folders = true, .extensions = {"onnx"}});
        const int most = 1'000'000;
        options.value("--shards", "N", options_.shards, "plan: number of shards").between(1, most);
        options.value("--per-shard", "N", options_.per_shard, "plan: models of each shard instead")
            .between(1, most);
        options
            .take(
                "--split", "models|samples|candidates",
                [this](const std::string& name) {
                    for (const app::FarmSplit split :
                         {app::FarmSplit::models, app::FarmSplit::samples,
                          app::FarmSplit::candidates})
                        if (name == name_of(split)) options_.split = split;
                },
                "plan: what is divided: models where --models names them, else the samples of "
                "accuracy and the candidates of quantize --search")
            .one_of({"models", "samples", "candidates"});
        options
            .value("--slurm", "F.sh", options_.slurm,
                   "plan: write a script too that submits the shards to Slurm, and a job that "
                   "merges")
            .suggest_files({"sh"});
    }

    int plan(Terminal& terminal) {
        if (options_.command.empty())
            throw UsageError("farm plan: expected a command behind the plan's file and --");
        const app::FarmPlan made = make_farm_plan(options_);
        protect_inputs_of(made);
        check_output_files({options_.plan, options_.slurm});
        save_text(options_.plan, farm_plan_text(made));
        if (!options_.slurm.empty()) save_text(options_.slurm, slurm_script(options_, made));
        if (terminal.json) write_json(terminal.out, farm_plan_json(options_, made));
        else print_farm_plan(terminal.out, options_, made);
        return exit_fine;
    }

    /// Keeps the plan and the script from replacing models and files that the command names.
    void protect_inputs_of(const app::FarmPlan& plan) const {
        std::set<std::string> files;
        for (const app::FarmTask& task : plan.tasks) files.insert(task.model);
        for (const std::string& word : options_.command) {
            const std::string value = word.substr(word.find('=') + 1);  // all of it without a =
            files.insert({word, value, value.substr(0, value.rfind(':'))});  // FILE.npz:ARRAY
        }
        for (const std::string& file : files) protect_input(file);
    }

    int run_shard(Terminal& terminal) {
        if (!options_.shard) throw UsageError("farm run: --shard is needed");
        const FarmShardRun run = run_farm_shard(options_, terminal);
        if (terminal.json) write_json(terminal.out, farm_run_json(run));
        else print_farm_run(terminal.out, run);
        return run.failed.empty() ? exit_fine : exit_check_failed;
    }

    int merge(Terminal& terminal) {
        check_output_files({options_.output});
        const FarmMerge merged = merge_farm(options_, terminal);
        const Json json = farm_merge_json(options_, merged);
        if (!options_.output.empty() && merged.has_figures)
            save_text(options_.output, json.dump(2) + '\n');
        if (terminal.json) write_json(terminal.out, json);
        else print_farm_merge(terminal.out, options_, merged);
        return merged.is_complete() || options_.partial ? exit_fine : exit_check_failed;
    }

    std::string action_;
    FarmOptions options_;
};

}  // namespace

std::unique_ptr<Command> farm_command() { return std::make_unique<FarmCommand>(); }

}  // namespace lapidary::cli
