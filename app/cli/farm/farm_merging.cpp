// SPDX-License-Identifier: Apache-2.0
#include "cli/farm/farm_merging.h"

#include <algorithm>
#include <sstream>
#include <utility>

#include <lapidary/base/error.h>
#include <lapidary/base/quantity_text.h>
#include <lapidary/internal/output_file.h>
#include <lapidary/internal/scratch_folder.h>
#include <lapidary/internal/text_file.h>

#include "worker/protocol/accuracy_json.h"

#include "cli/command_line.h"
#include "cli/farm/farm_running.h"
#include "cli/farm/farm_words.h"

namespace lapidary::cli {
namespace {

namespace fs = std::filesystem;

using app::FarmOutcome;
using app::FarmResult;
using app::FarmSplit;

class Merging {
public:
    Merging(const FarmOptions& options, Terminal& terminal)
        : options_(options), terminal_(terminal), folder_(options.results_folder()) {
        out_.plan = load_farm_plan(options.plan);
        out_.hash = farm_plan_hash(out_.plan);
        why_lost_.assign(out_.plan.shards, "there is no result");
        has_.assign(out_.plan.shards, false);
    }

    FarmMerge run() {
        for (const fs::path& file : files()) {
            terminal_.cancel.throw_if_cancelled();
            take_file(file);
        }
        check_output_files({options_.output});  // not a result of a shard
        for (std::uint64_t shard = 0; shard < out_.plan.shards; ++shard)
            if (!has_[shard]) out_.lost.push_back({shard, {}, lost_reason(shard)});
        std::ranges::sort(out_.rows, {}, &FarmRow::task);
        refuse_changed_samples();
        out_.has_figures = out_.is_complete() || options_.partial;
        if (out_.has_figures && out_.plan.split == FarmSplit::candidates) choose_candidates();
        return std::move(out_);
    }

private:
    std::vector<fs::path> files() const {
        std::vector<fs::path> found;
        std::error_code failed;
        for (const auto& entry : fs::directory_iterator(folder_, failed))
            if (entry.path().extension() == ".json") found.push_back(entry.path());
        std::ranges::sort(found);
        return found;
    }

    /// The shard whose result the file has by its name; the number of shards: of none.
    std::uint64_t shard_named(const fs::path& file) const {
        std::uint64_t shard = 0;
        while (shard < out_.plan.shards && app::farm_result_file(folder_, shard) != file) ++shard;
        return shard;
    }

    void take_file(const fs::path& file) {
        const std::string name = file.filename().string();
        std::string problem;
        try {
            const FarmResult result = app::load_farm_result(file);
            protect_input(file);
            problem = farm_result_problem(result, out_.plan, out_.hash);
            if (problem.empty() && has_[result.shard]) {
                out_.notes.push_back(name + " has shard " + std::to_string(result.shard) +
                                     " once more, and is passed over");
                return;
            }
            if (problem.empty()) {
                take(result);
                has_[result.shard] = true;
                return;
            }
        } catch (const Error& error) {
            if (error.code() == ErrorCode::cancelled) throw;
            problem = error.message();
        }
        const std::uint64_t shard = shard_named(file);
        if (shard < out_.plan.shards) {
            protect_input(file);
            why_lost_[shard] = name + ": " + problem;
        } else {
            out_.notes.push_back(name + " is passed over: " + problem);
        }
    }

    std::string lost_reason(std::uint64_t shard) const {
        try {
            const FarmResult part = app::load_farm_result(app::farm_part_file(folder_, shard));
            if (part.plan == out_.hash)
                return "it was begun: " + std::to_string(part.outcomes.size()) + " of " +
                       std::to_string(out_.plan.tasks_of(shard).size()) + " tasks are done";
        } catch (const Error&) {  // there is none, or it was just being written
        }
        return why_lost_[shard];
    }

    std::size_t machine_of(const FarmOutcome& outcome) {
        const auto at = std::ranges::find(out_.machines, outcome.machine);
        if (at != out_.machines.end()) return static_cast<std::size_t>(at - out_.machines.begin());
        out_.machines.push_back(outcome.machine);
        return out_.machines.size() - 1;
    }

    FarmModel& model_of(const std::string& name) {
        const auto at = std::ranges::find(out_.models, name, &FarmModel::name);
        if (at != out_.models.end()) return *at;
        out_.models.push_back({name, {}, {}, {}, {}, 0, {}});
        return out_.models.back();
    }

    /// FarmSplit::samples: its counts; otherwise none. Throws where the outcome cannot be merged.
    AccuracyCounts counts_of(const FarmOutcome& outcome) const {
        if (out_.plan.split != FarmSplit::samples) {
            const std::string problem = farm_outcome_problem(outcome, out_.plan.split);
            if (!problem.empty())
                fail_input("task " + std::to_string(outcome.task) + ": " + problem);
            return {};
        }
        AccuracyCounts counts = app::parse_accuracy(outcome.counts);
        const std::string& model = out_.plan.tasks[outcome.task].model;
        const auto at = std::ranges::find(out_.models, model, &FarmModel::name);
        if (at != out_.models.end() && at->counts.k != counts.k)
            fail_input("it counts the " + std::to_string(counts.k) + " largest, other shards the " +
                       std::to_string(at->counts.k));
        return counts;
    }

    /// Whether the shards may have divided one set of samples: of every Nth sample the earlier
    /// shards have as many as the later ones, or one more.
    static bool is_one_set(const std::map<std::uint64_t, std::uint64_t>& samples) {
        const auto grows = [](const auto& a, const auto& b) { return a.second < b.second; };
        return samples.empty() || (std::ranges::adjacent_find(samples, grows) == samples.end() &&
                                   samples.begin()->second - samples.rbegin()->second <= 1);
    }

    /// A model whose shards ran different samples has no figures, and all its shards count as
    /// failed, since none is known to be the right one.
    void refuse_changed_samples() {
        if (out_.plan.split != FarmSplit::samples) return;
        std::erase_if(out_.models, [this](const FarmModel& model) {
            if (is_one_set(model.samples)) return false;
            const auto more = [](const auto& a, const auto& b) { return a.second < b.second; };
            const auto [least, most] = std::ranges::minmax_element(model.samples, more);
            for (const auto& [shard, count] : model.samples)
                out_.failed.push_back(
                    {shard, model.name,
                     "it has " + count_text(static_cast<std::int64_t>(count), "sample") +
                         ", where shards have from " + std::to_string(least->second) + " to " +
                         std::to_string(most->second) + ": the samples changed between the shards",
                     true});
            return true;
        });
    }

    void take(const FarmResult& result) {
        // read before anything is added: a file that is damaged inside adds nothing
        std::vector<AccuracyCounts> counts(result.outcomes.size());
        for (std::size_t i = 0; i < counts.size(); ++i)
            if (result.outcomes[i].error.empty()) counts[i] = counts_of(result.outcomes[i]);
        for (std::size_t i = 0; i < counts.size(); ++i) {
            const FarmOutcome& outcome = result.outcomes[i];
            const std::string& model = out_.plan.tasks[outcome.task].model;
            const std::size_t machine = machine_of(outcome);
            if (!outcome.error.empty()) {
                out_.failed.push_back({result.shard, model, outcome.error});
            } else if (out_.plan.split == FarmSplit::models) {
                out_.rows.push_back({outcome.task, result.shard, machine, outcome.exit_code,
                                     outcome.seconds, outcome.output});
            } else {
                FarmModel& all = model_of(model);
                const bool is_first = all.machines.empty();
                all.machines.insert(machine);
                all.samples[result.shard] += counts[i].samples + counts[i].left_out;
                if (out_.plan.split == FarmSplit::candidates) all.trials.push_back(outcome.counts);
                else if (is_first) all.counts = std::move(counts[i]);
                else all.counts.add(counts[i]);
            }
        }
    }

    /// The command without --shard, which takes the trials of all shards as if it had made them.
    void choose_candidates() {
        for (FarmModel& model : out_.models) {
            const ScratchFolder scratch;
            const auto task = std::ranges::find(out_.plan.tasks, model.name, &app::FarmTask::model);
            Words words = task->steps.back();
            const auto shard = std::ranges::find(words, "--shard");
            words.erase(shard, shard + 2);
            Words known{"--json"};
            for (std::size_t i = 0; i < model.trials.size(); ++i) {
                const fs::path file = scratch.path() / (std::to_string(i) + ".json");
                save_text(file, model.trials[i]);
                known.insert(known.end(), {"--known-trials", file.string()});
            }
            run_choice(with_options(words, known), model);
        }
    }

    void run_choice(const Words& words, FarmModel& model) {
        std::vector<const char*> argv{"lapidary-cli"};
        for (const std::string& word : words) argv.push_back(word.c_str());
        std::ostringstream out, err;
        model.exit_code = run_command_line(static_cast<int>(argv.size()), argv.data(), out, err,
                                           terminal_.cancel);
        model.output = out.str();
        if (model.exit_code == exit_cancelled) fail(ErrorCode::cancelled, "cancelled");
        if (model.output.empty())
            out_.failed.push_back({0, model.name, app::farm_error_in(err.str())});
    }

    const FarmOptions& options_;
    Terminal& terminal_;
    fs::path folder_;
    std::vector<std::string> why_lost_;  // by shard
    std::vector<bool> has_;              // by shard: its result
    FarmMerge out_;
};

}  // namespace

FarmMerge merge_farm(const FarmOptions& options, Terminal& terminal) {
    return Merging(options, terminal).run();
}

}  // namespace lapidary::cli
