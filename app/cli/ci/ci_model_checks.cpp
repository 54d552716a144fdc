// SPDX-License-Identifier: Apache-2.0
#include "cli/ci/ci_model_checks.h"

#include <algorithm>
#include <chrono>
#include <system_error>

#include <fmt/format.h>

#include <lapidary/base/error.h>
#include <lapidary/base/quantity_text.h>
#include <lapidary/export/export_model.h>
#include <lapidary/internal/scratch_folder.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/passes/user_rules.h>
#include <lapidary/proof/guard.h>

#include "cli/ci/command_call.h"
#include "cli/ci/ci_baseline.h"
#include "cli/ci/ci_limits.h"
#include "cli/exit_code.h"
#include "cli/models/model_argument.h"
#include "cli/models/model_inputs.h"

namespace lapidary::cli {
namespace {

using Kind = LocatedJson::Kind;
using Clock = std::chrono::steady_clock;

constexpr double least_samples = 6;  // of a median, for an interval

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Bytes of the files in a folder: a model with the weights beside it.
double bytes_in(const std::filesystem::path& folder) {
    double bytes = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        bytes += static_cast<double>(entry.file_size());
    return bytes;
}

/// "2 of 2 outputs agree in 12 runs (rtol 0.001, atol 1e-05)", or the first output that does not.
std::string guard_sentence(const GuardReport& report) {
    if (!report.failure.empty()) return "the result does not run: " + report.failure;
    for (const GuardOutput& output : report.outputs)
        if (!output.comparison.matches)
            return fmt::format("{}: {}", quote(output.name), output.comparison.reason);
    return fmt::format("{} in {} (rtol {:g}, atol {:g})",
                       count_text(std::ssize(report.outputs), "output agrees", "outputs agree"),
                       count_text(static_cast<std::int64_t>(report.runs), "run"),
                       report.tolerance.rtol, report.tolerance.atol);
}

class ModelChecks {
public:
    ModelChecks(const CiFile& file, const CiModel& model, const CiRunOptions& options,
                Terminal& terminal, CiModelResult& result)
        : file_(file), model_(model), options_(options), terminal_(terminal), result_(result) {}

    void run() {
        result_.name = model_.name;
        result_.argument = model_.argument;
        result_.baseline = file_.baselines / (model_.name + ".json");
        if (!load()) return;
        if (!options_.update_baselines) read_baseline();
        measure();
        for (const Level level : model_.levels) {
            attempt(CiKind::guard, level, [&] { return guarded(level); });
            if (model_.reference)
                attempt(CiKind::reference, level, [&] { return held_to_reference(level); });
            attempt(CiKind::size, level, [&] { return file_size(level); });
            attempt(CiKind::time, level, [&] { return time(level); });
            attempt(CiKind::memory, level, [&] { return memory(level); });
            if (model_.accuracy) attempt(CiKind::accuracy, level, [&] { return accuracy(level); });
        }
        if (options_.update_baselines) write_baseline();
    }

private:
    /// Makes a check. What it throws makes the check broken, but for a cancellation.
    template <typename Make>
    void attempt(CiKind kind, std::optional<Level> level, const Make& make) {
        const Clock::time_point start = Clock::now();
        CiCheck check;
        try {
            check = make();
        } catch (const Error& error) {
            if (error.code() == ErrorCode::cancelled) throw;
            check.verdict = CiVerdict::broken;
            check.sentence = error.what();
        } catch (const UsageError& error) {
            check.verdict = CiVerdict::broken;
            check.sentence = error.what();
        }
        constexpr std::string_view option = "--dim: ";  // a member of the file here
        if (check.sentence.starts_with(option))
            check.sentence.replace(0, option.size(), "dimensions: ");
        check.kind = kind;
        check.level = level;
        check.seconds += seconds_since(start);
        result_.checks.push_back(std::move(check));
    }

    bool load() {
        try {
            loaded_ = std::make_shared<const Model>(
                load_model_argument(model_.argument, 0, terminal_.progress()));
            for (const auto& rules : model_.rules) rules_.push_back(load_rules(rules));
            user_passes(rules_);  // reports mistakes in them
            return true;
        } catch (const Error& error) {
            attempt(CiKind::model, {}, [&]() -> CiCheck { throw error; });
        } catch (const UsageError& error) {
            attempt(CiKind::model, {}, [&]() -> CiCheck { throw error; });
        }
        return false;
    }

    /// Whether a limit is relative to the baseline.
    bool needs_baseline() const {
        const CiLimits& limits = model_.limits;
        return limits.slower_per_cent || limits.memory.per_cent || limits.size.per_cent ||
               limits.accuracy_drop;
    }

    void read_baseline() {
        std::error_code ignored;
        if (!std::filesystem::exists(result_.baseline, ignored)) {
            why_none_ = fmt::format("there is no baseline {}: --update-baseline writes it",
                                    quote(result_.baseline.string(), 4096));
            if (needs_baseline()) result_.note = why_none_;
            return;
        }
        try {
            baseline_.emplace(result_.baseline, model_);
            result_.has_baseline = true;
            result_.note = baseline_->why_not();
        } catch (const Error& error) {
            why_none_ = "the baseline cannot be read";
            attempt(CiKind::baseline, {}, [&]() -> CiCheck { throw error; });
        }
    }

    bool times_compare() const { return baseline_ && baseline_->why_not().empty(); }

    /// A figure of the baseline. `of_machine`: it compares only where times do.
    CiReference reference(Level level, std::optional<double> CiFigures::*figure,
                          bool of_machine) const {
        CiReference found;
        found.is_update = options_.update_baselines;
        found.why_none = why_none_;
        if (!baseline_) return found;
        if (of_machine && !times_compare()) {
            found.why_none = baseline_->why_not();
            return found;
        }
        const CiFigures* figures = baseline_->find(level);
        if (figures) found.then = figures->*figure;
        if (!found.then) found.why_none = "the baseline does not have it for this level";
        return found;
    }

    /// Options that all commands of a measurement share.
    void add_conditions(std::vector<std::string>& words, bool with_dimensions) const {
        if (model_.threads) words.insert(words.end(), {"--intra", std::to_string(*model_.threads)});
        if (with_dimensions)
            for (const auto& [name, size] : model_.dimensions)
                words.insert(words.end(), {"--dim", fmt::format("{}={}", name, size)});
        words.insert(words.end(), options_.plugin_words.begin(), options_.plugin_words.end());
    }

    void add_rules(std::vector<std::string>& words) const {
        for (const auto& rules : model_.rules)
            words.insert(words.end(), {"--rules", rules.string()});
    }

    /// Measures all levels in turn for so long each.
    std::vector<std::string> bench_words(double seconds) const {
        std::vector<std::string> words{"bench", model_.argument, "--no-memory"};
        std::string levels;
        for (const Level level : model_.levels)
            levels.append(levels.empty() ? "" : ",").append(name_of(level));
        words.insert(words.end(), {"--level", levels});
        words.insert(words.end(), {"--seconds", fmt::format("{}", seconds)});
        words.insert(words.end(), {"--gate-seconds", fmt::format("{}", model_.gate_seconds)});
        if (!model_.inputs.empty()) words.insert(words.end(), {"--inputs", model_.inputs.string()});
        if (options_.slow_down > 0)
            words.insert(words.end(), {"--slow-last", fmt::format("{:g}", options_.slow_down)});
        if (times_compare()) {
            words.insert(words.end(), {"--baseline", result_.baseline.string()});
            if (model_.limits.slower_per_cent)
                words.insert(words.end(),
                             {"--max-regress", fmt::format("{}", *model_.limits.slower_per_cent)});
        }
        add_rules(words);
        add_conditions(words, true);
        return words;
    }

    /// Whether a time has too few samples for an interval, with which it is no baseline.
    bool has_few_samples() const {
        return std::ranges::any_of(member_of(bench_->json, "configurations", Kind::list).items,
                                   [](const LocatedJson& row) {
                                       return number_of(member_of(row, "ours", Kind::object),
                                                        "samples") < least_samples;
                                   });
    }

    /// Times of all levels. A baseline is measured for longer where it has too few samples.
    void measure() {
        const Clock::time_point start = Clock::now();
        try {
            double seconds = model_.seconds;
            bench_ = call_command(bench_words(seconds), terminal_);
            while (options_.update_baselines && model_.limits.slower_per_cent &&
                   has_few_samples() && 4 * seconds <= model_.gate_seconds) {
                seconds *= 4;
                bench_ = call_command(bench_words(seconds), terminal_);
            }
            const LocatedJson& first =
                member_of(bench_->json, "configurations", Kind::list).items.at(0);
            result_.threads = static_cast<int>(number_of(first, "intra"));
            if (const LocatedJson* sizes = first.find("sizes"))
                for (std::size_t i = 0; i < sizes->names.size(); ++i)
                    result_.sizes[sizes->names[i]] =
                        static_cast<std::int64_t>(sizes->items[i].number);
        } catch (const Error& error) {
            if (error.code() == ErrorCode::cancelled) throw;
            bench_.reset();
            bench_error_ = error.what();
        }
        bench_seconds_ = seconds_since(start) / static_cast<double>(model_.levels.size());
    }

    CiCheck time(Level level) {
        if (!bench_) fail_input(bench_error_);
        const auto& rows = member_of(bench_->json, "configurations", Kind::list).items;
        const LocatedJson* held = bench_->json.find("baseline");
        const auto row = std::ranges::find_if(rows, [&](const LocatedJson& candidate) {
            return member_of(candidate, "level", Kind::text).text == name_of(level);
        });
        if (row == rows.end()) fail(ErrorCode::internal, "bench left out a level");
        const auto index = static_cast<std::size_t>(row - rows.begin());
        CiReference compared{
            {}, baseline_ ? baseline_->why_not() : why_none_, options_.update_baselines};
        CiCheck check =
            judge_time(*row, held && held->is(Kind::list) ? &held->items.at(index) : nullptr,
                       model_.limits.slower_per_cent, compared);
        check.seconds = bench_seconds_;
        return check;
    }

    std::filesystem::path folder_of(Level level) const {
        return scratch_.path() / std::string(name_of(level));
    }
    std::filesystem::path optimized_file(Level level) const {
        return folder_of(level) / (model_.name + ".onnx");
    }

    /// Optimizes the model, holds the result against the original and writes it where they agree.
    CiCheck guarded(Level level) {
        const Progress progress = terminal_.progress();
        ExportOptions exporting;
        exporting.optimize.level = level;
        exporting.optimize.rules = rules_;
        exporting.optimize.near_misses = false;
        const ExportResult exported = export_model(*loaded_, exporting, progress);
        GuardOptions guarding;
        guarding.tolerance = same_result_within(model_.rtol, model_.atol);
        guarding.seeds.clear();
        for (int seed = 0; seed < model_.seeds; ++seed)
            guarding.seeds.push_back(static_cast<std::uint64_t>(seed));
        guarding.dimensions = model_.dimensions;
        guarding.threads = model_.threads.value_or(0);
        guarding.session_passes = {session_passes_for({}, level), {}};
        InputOptions inputs;
        inputs.archive = model_.inputs;
        inputs.dimensions = model_.dimensions;
        guarding.inputs = given_inputs(*loaded_, inputs, terminal_.cancel).values;
        const GuardReport report = guard(*loaded_, exported.model, guarding, progress);
        CiCheck check;
        check.verdict = report.matches ? CiVerdict::kept : CiVerdict::worse;
        check.limit = fmt::format("rtol {:g}, atol {:g}", model_.rtol, model_.atol);
        check.sentence = guard_sentence(report);
        if (report.matches) {
            std::filesystem::create_directories(folder_of(level));
            save_model(exported.model, optimized_file(level), {}, progress);
        }
        return check;
    }

    /// Compares what the model gives at a level with what its framework gave, which a wrong export
    /// does not pass. The guard cannot know it: it compares with the file itself.
    CiCheck held_to_reference(Level level) {
        std::vector<std::string> words{"check",      model_.argument,
                                       "--inputs",   model_.reference->inputs.string(),
                                       "--expected", model_.reference->expected.string(),
                                       "--level",    std::string(name_of(level)),
                                       "--rtol",     fmt::format("{}", model_.rtol),
                                       "--atol",     fmt::format("{}", model_.atol)};
        add_rules(words);
        add_conditions(words, false);
        const CalledCommand called = call_command(words, terminal_);
        const auto& outputs = member_of(called.json, "outputs", Kind::list).items;
        if (outputs.empty()) fail_input("the reference has no output of the model");
        CiCheck check;
        check.verdict = CiVerdict::kept;
        check.limit = fmt::format("rtol {:g}, atol {:g}", model_.rtol, model_.atol);
        check.sentence =
            fmt::format("{} with the recorded values",
                        count_text(std::ssize(outputs), "output agrees", "outputs agree"));
        for (const LocatedJson& output : outputs) {
            if (member_of(output, "matches", Kind::boolean).boolean) continue;
            check.verdict = CiVerdict::worse;
            check.sentence = fmt::format("{} differs from the recorded value: {}",
                                         quote(member_of(output, "name", Kind::text).text),
                                         member_of(output, "reason", Kind::text).text);
            break;
        }
        return check;
    }

    /// What a check of the written file says where there is none.
    std::optional<CiCheck> without_file(Level level, bool is_limited) const {
        std::error_code ignored;
        if (std::filesystem::exists(optimized_file(level), ignored)) return {};
        CiCheck check;
        check.verdict = is_limited ? CiVerdict::unresolved : CiVerdict::reported;
        check.sentence = "there is no file: the guard did not pass";
        return check;
    }

    CiCheck file_size(Level level) {
        if (auto missing = without_file(level, model_.limits.size.is_given())) return *missing;
        CiFigures& figures = figures_of(level);
        figures.file_bytes = bytes_in(folder_of(level));
        return judge_growth(*figures.file_bytes, model_.limits.size,
                            reference(level, &CiFigures::file_bytes, false));
    }

    /// Memory of a process that runs the model, which is computed and not measured.
    CiCheck memory(Level level) {
        std::vector<std::string> words{"memory", model_.argument, "--level",
                                       std::string(name_of(level))};
        add_rules(words);
        add_conditions(words, true);
        const CalledCommand called = call_command(words, terminal_);
        const LocatedJson& unknown = member_of(called.json, "unknown", Kind::list);
        CiFigures& figures = figures_of(level);
        figures.memory_bytes =
            number_of(member_of(called.json, "process", Kind::object), "total_bytes");
        if (!unknown.items.empty()) {
            CiCheck check;
            check.verdict =
                model_.limits.memory.is_given() ? CiVerdict::unresolved : CiVerdict::reported;
            check.sentence =
                fmt::format("only a run shows the size of {}", quote(unknown.items.front().text));
            return check;
        }
        return judge_growth(*figures.memory_bytes, model_.limits.memory,
                            reference(level, &CiFigures::memory_bytes, true));
    }

    std::vector<std::string> accuracy_words(Level level) const {
        const CiAccuracy& measured = *model_.accuracy;
        std::vector<std::string> words{"accuracy", optimized_file(level).string(),
                                       "--data",   measured.data.string(),
                                       "--labels", measured.labels};
        for (const auto& [input, array] : measured.arrays)
            words.insert(words.end(), {"--array", input + '=' + array});
        if (!measured.mean.empty()) words.insert(words.end(), {"--mean", measured.mean});
        if (!measured.deviation.empty()) words.insert(words.end(), {"--std", measured.deviation});
        if (measured.metric == "map") words.insert(words.end(), {"--metric", "map"});
        add_conditions(words, false);
        return words;
    }

    /// Levels mostly warn of the same.
    void add_warnings(const LocatedJson& json) {
        const LocatedJson* warnings = json.find("warnings");
        if (!warnings) return;
        for (const LocatedJson& warning : warnings->items)
            if (std::ranges::find(result_.warnings, warning.text) == result_.warnings.end())
                result_.warnings.push_back(warning.text);
    }

    CiCheck accuracy(Level level) {
        const CiLimits& limits = model_.limits;
        const bool is_limited = limits.least_accuracy || limits.accuracy_drop;
        if (auto missing = without_file(level, is_limited)) return *missing;
        const std::string& metric = model_.accuracy->metric;
        const CalledCommand called = call_command(accuracy_words(level), terminal_);
        add_warnings(called.json);
        const LocatedJson* found = called.json.find(metric);
        if (!found)
            fail_input(fmt::format("{}: labels of this kind give no {}",
                                   quote(model_.accuracy->labels), metric));
        std::optional<CiInterval> interval;
        if (found->is(Kind::object)) {
            interval = {number_of(*found, "low"), number_of(*found, "high")};
            found = &member_of(*found, "share", Kind::number);
        }
        if (!found->is(Kind::number)) fail_input(fmt::format("{} is no number", metric));
        CiFigures& figures = figures_of(level);
        figures.accuracy = found->number;
        figures.metric = metric;
        figures.samples = number_of(called.json, "samples");
        CiReference compared = reference(level, &CiFigures::accuracy, false);
        if (compared.then) {
            const CiFigures& then = *baseline_->find(level);
            if (then.metric != metric || then.samples != figures.samples) {
                compared.then.reset();
                compared.why_none =
                    fmt::format("the baseline has {} on {} samples, here it is {} on {}",
                                then.metric, then.samples, metric, figures.samples);
            }
        }
        return judge_share(*figures.accuracy, interval, model_.limits, compared);
    }

    CiFigures& figures_of(Level level) { return levels_[std::string(name_of(level))]; }

    /// Not where something is wrong: a baseline is what later results may be compared with.
    void write_baseline() {
        const bool is_wrong = std::ranges::any_of(result_.checks, [](const CiCheck& check) {
            return check.verdict == CiVerdict::worse || check.verdict == CiVerdict::broken;
        });
        if (is_wrong || !bench_) {
            result_.note = "the baseline was not written, because a check is worse or broken";
            return;
        }
        try {
            save_ci_baseline(result_.baseline, model_, bench_->text, levels_);
            result_.has_baseline = result_.is_updated = true;
        } catch (const Error& error) {
            attempt(CiKind::baseline, {}, [&]() -> CiCheck { throw error; });
        }
    }

    const CiFile& file_;
    const CiModel& model_;
    const CiRunOptions& options_;
    Terminal& terminal_;
    CiModelResult& result_;
    ScratchFolder scratch_;
    ModelPtr loaded_;
    std::vector<RuleText> rules_;
    std::optional<CiBaseline> baseline_;
    std::string why_none_;  // why there is no baseline
    std::optional<CalledCommand> bench_;
    std::string bench_error_;
    double bench_seconds_ = 0;  // for each level
    CiLevels levels_;           // what was found, for the baseline
};

}  // namespace

void check_ci_model(const CiFile& file, const CiModel& model, const CiRunOptions& options,
                    Terminal& terminal, CiModelResult& result) {
    ModelChecks(file, model, options, terminal, result).run();
}

}  // namespace lapidary::cli
