// SPDX-License-Identifier: Apache-2.0
#include "cli/farm/farm_running.h"

#include <algorithm>
#include <chrono>
#include <sstream>
#include <system_error>
#include <utility>

#include <lapidary/base/error.h>
#include <lapidary/internal/scratch_folder.h>
#include <lapidary/internal/text_file.h>

#include "worker/farm/farm_result.h"

#include "cli/command_line.h"
#include "cli/exit_code.h"
#include "cli/farm/farm_content.h"
#include "cli/farm/farm_words.h"

namespace lapidary::cli {
namespace {

namespace fs = std::filesystem;

using app::FarmOutcome;
using app::FarmPlan;
using app::FarmResult;
using app::FarmSplit;
using app::FarmTask;

constexpr std::uint64_t most_plan_bytes = std::uint64_t{1} << 30;
constexpr std::uint64_t most_part_bytes = 64 << 20;  // of what a command writes for merging
constexpr std::uint64_t most_begun = 5;              // times that a task is tried

/// Whether a command that ended so has printed its result.
bool has_result(int exit_code) {
    return exit_code == exit_fine || exit_code == exit_check_failed || exit_code == exit_unresolved;
}

class ShardRun {
public:
    ShardRun(const FarmOptions& options, Terminal& terminal)
        : options_(options), terminal_(terminal), plan_(load_farm_plan(options.plan)),
          hash_(farm_plan_hash(plan_)), folder_(options.results_folder()),
          machine_(app::this_farm_machine(LAPIDARY_VERSION)) {
        if (*options.shard >= plan_.shards)
            throw UsageError("farm run: expected --shard from 0 to " +
                             std::to_string(plan_.shards - 1) + ", found " +
                             std::to_string(*options.shard));
        run_.shard = *options.shard;
        run_.file = app::farm_result_file(folder_, run_.shard);
        result_.plan = hash_;
        result_.shard = run_.shard;
    }

    FarmShardRun run() {
        make_folder(folder_);
        const FarmResult found = found_before();
        const FarmResult before = options_.again ? FarmResult{} : found;
        take_over(before);
        const std::vector<std::uint64_t> tasks = plan_.tasks_of(run_.shard);
        for (std::size_t i = 0; i < tasks.size(); ++i) {
            if (is_done(tasks[i])) continue;
            part_ = static_cast<double>(i) / static_cast<double>(tasks.size());
            share_ = 1.0 / static_cast<double>(tasks.size());
            begin(tasks[i], before);
            FarmOutcome outcome = ran(tasks[i], before);
            if (!outcome.error.empty()) {
                run_.failed.push_back(plan_.tasks[tasks[i]]);
                run_.errors.push_back(outcome.error);
                // with --again: what is there stays until there is something better
                if (const FarmOutcome* good = good_outcome(found, tasks[i])) outcome = *good;
            }
            result_.outcomes.push_back(std::move(outcome));
            result_.running.reset();
            ++run_.ran;
            save(part_file());
        }
        std::ranges::sort(result_.outcomes, {}, &FarmOutcome::task);
        if (run_.ran > 0 || !is_written_) save(run_.file);
        std::error_code ignored;
        fs::remove(part_file(), ignored);
        return std::move(run_);
    }

private:
    fs::path part_file() const { return app::farm_part_file(folder_, run_.shard); }
    void save(const fs::path& file) const { save_text(file, farm_result_text(result_)); }

    static void make_folder(const fs::path& folder) {
        std::error_code failed;
        fs::create_directories(folder, failed);
        if (failed)
            fail(ErrorCode::io_failure,
                 quote(folder.string(), 4096) + " cannot be made: " + failed.message());
    }

    /// What an earlier run of the same shard left; nothing where that cannot be used.
    FarmResult found_before() {
        for (const fs::path& file : {run_.file, part_file()}) {
            if (!fs::exists(file)) continue;
            try {
                FarmResult found = app::load_farm_result(file);
                if (found.plan == hash_ && found.shard == run_.shard) {
                    is_written_ =
                        file == run_.file && farm_result_problem(found, plan_, hash_).empty();
                    return found;
                }
                terminal_.note(file.string() + " is of another plan, and is written again");
            } catch (const Error& error) {
                terminal_.note(std::string("written again: ") + error.what());
            }
        }
        return {};
    }

    /// The outcome of the task, if it did not fail and can be merged.
    const FarmOutcome* good_outcome(const FarmResult& found, std::uint64_t task) const {
        for (const FarmOutcome& outcome : found.outcomes)
            if (outcome.task == task && outcome.error.empty() &&
                farm_outcome_problem(outcome, plan_.split).empty())
                return &outcome;
        return nullptr;
    }

    void take_over(const FarmResult& before) {
        for (const FarmOutcome& outcome : before.outcomes) {
            const bool is_of_it =
                outcome.task < plan_.tasks.size() && plan_.tasks[outcome.task].shard == run_.shard;
            if (!is_of_it || !outcome.error.empty() || is_done(outcome.task)) continue;
            if (const std::string problem = farm_outcome_problem(outcome, plan_.split);
                !problem.empty()) {
                terminal_.note("task " + std::to_string(outcome.task) +
                               " is run again: " + problem);
                continue;
            }
            result_.outcomes.push_back(outcome);
            ++run_.kept;
        }
    }

    bool is_done(std::uint64_t task) const {
        return std::ranges::find(result_.outcomes, task, &FarmOutcome::task) !=
               result_.outcomes.end();
    }

    /// Notes that the task is begun: where the process dies, the next one knows of what.
    void begin(std::uint64_t task, const FarmResult& before) {
        result_.running = task;
        result_.begun = before.running == task ? before.begun + 1 : 1;
        save(part_file());
    }

    FarmOutcome ran(std::uint64_t index, const FarmResult& before) {
        const FarmTask& task = plan_.tasks[index];
        FarmOutcome outcome;
        outcome.task = index;
        outcome.machine = machine_;
        const auto start = std::chrono::steady_clock::now();
        if (before.running == index && before.begun >= most_begun) {
            outcome.exit_code = exit_internal;
            outcome.error =
                "the process ended " + std::to_string(before.begun) + " times while it ran";
        } else if (const std::string change = change_of(task); !change.empty()) {
            outcome.exit_code = exit_bad_input;
            outcome.error = change;
        } else {
            run_steps(task, outcome);
        }
        outcome.seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        return outcome;
    }

    /// Why the task is not the one that was planned; empty: it is.
    static std::string change_of(const FarmTask& task) {
        constexpr const char* advice =
            " since the plan was made: put the old one back, or make the plan again";
        std::error_code failed;
        const std::uint64_t bytes = task.bytes > 0 ? fs::file_size(task.model, failed) : 0;
        if (failed)
            return quote(task.model, 4096) + ": " + failed.message() +
                   (fs::path(task.model).is_relative()
                        ? "; names in the plan are those of the folder that it was made in"
                        : "");
        if (bytes != task.bytes && task.bytes > 0)
            return quote(task.model, 4096) + " has changed (" + std::to_string(task.bytes) +
                   " bytes then, " + std::to_string(bytes) + " now)" + advice;
        if (!task.content.empty() && farm_content(task) != task.content)
            return "the model, its samples or its labels have changed" + std::string(advice);
        return {};
    }

    void run_steps(const FarmTask& task, FarmOutcome& outcome) {
        const ScratchFolder scratch;
        const fs::path part = scratch.path() / "part.json";
        for (std::size_t i = 0; i < task.steps.size(); ++i) {
            const bool is_last = i + 1 == task.steps.size();
            Words words = task.steps[i];
            for (const std::string& file : outputs_in(words))
                if (const fs::path folder = fs::path(file).parent_path(); !folder.empty())
                    make_folder(folder);
            if (is_last && plan_.split != FarmSplit::models)
                words = with_options(
                    words,
                    {plan_.split == FarmSplit::samples ? "--counts" : "--trials", part.string()});
            run_command(words, outcome);
            if (outcome.exit_code == exit_cancelled) {
                result_.running.reset();  // nothing died of it
                save(part_file());
                fail(ErrorCode::cancelled, "cancelled");
            }
            if (!outcome.error.empty()) return;
        }
        if (plan_.split != FarmSplit::models) {
            outcome.output.clear();  // of a part of the samples alone
            outcome.counts = load_text(part, most_part_bytes);
        }
        outcome.error = farm_outcome_problem(outcome, plan_.split);
    }

    void run_command(const Words& words, FarmOutcome& outcome) {
        // the part of a search is a file alone
        const bool has_json = plan_.split != FarmSplit::candidates;
        const Words all = has_json ? with_options(words, {"--json"}) : words;
        std::vector<const char*> argv{"lapidary-cli"};
        for (const std::string& word : all) argv.push_back(word.c_str());
        std::ostringstream out, err;
        const Progress progress = terminal_.progress();
        TerminalFeatures features;
        features.on_progress = [&](std::string_view stage, double fraction) {
            if (progress.report) progress.report(stage, part_ + share_ * std::max(0.0, fraction));
        };
        outcome.exit_code = run_command_line(static_cast<int>(argv.size()), argv.data(), out, err,
                                             terminal_.cancel, features);
        outcome.output = out.str();
        if (has_result(outcome.exit_code) && (!has_json || !outcome.output.empty())) return;
        outcome.error = app::farm_error_in(err.str());
        if (outcome.error.empty())
            outcome.error = words.front() + " ended with " + std::to_string(outcome.exit_code);
    }

    const FarmOptions& options_;
    Terminal& terminal_;
    FarmPlan plan_;
    std::string hash_;
    fs::path folder_;
    app::FarmMachine machine_;
    FarmResult result_;
    FarmShardRun run_;
    bool is_written_ = false;      // run_.file has all that an earlier run found
    double part_ = 0, share_ = 1;  // of progress
};

}  // namespace

FarmPlan load_farm_plan(const fs::path& file) {
    try {
        return app::parse_farm_plan(load_text(file, most_plan_bytes));
    } catch (Error& error) { throw error.at(file.string()); }
}

FarmShardRun run_farm_shard(const FarmOptions& options, Terminal& terminal) {
    return ShardRun(options, terminal).run();
}

}  // namespace lapidary::cli
