// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <ostream>

#include <fmt/format.h>

#include <lapidary/base/error.h>
#include <lapidary/internal/nearest_name.h>
#include <lapidary/internal/output_file.h>
#include <lapidary/internal/text_file.h>

#include "cli/ci/ci_file.h"
#include "cli/ci/ci_model_checks.h"
#include "cli/ci/ci_report.h"
#include "cli/command.h"
#include "cli/options/output_options.h"
#include "cli/options/value_checks.h"

namespace lapidary::cli {
namespace {

constexpr const char* ci_notes = R"(
FILE is JSON: {"models": [{"model": "net.onnx", "limits": {"slower": "5%", "size": "1%"}}]}. Each model is optimized at
each of its levels and held against the original on the same inputs (guard), and where the file names recorded inputs
and outputs of its framework ("reference"), against these; its time, memory, size and accuracy are held against their
limits. Times are those of bench, and the limit "slower" is judged as bench --max-regress judges it:
what the measurement cannot decide is unresolved, and never passes. A baseline of another machine is named and not
compared for time and memory. --update-baseline measures and writes the baselines instead of comparing with them.
Exit codes: 0 all limits are kept; 1 a check is worse than its limit; 3 none is worse, and a check could not be made;
7 neither, and a check cannot be resolved. The help page "Models in continuous integration" has all members of the file
and recipes for GitHub and GitLab.)";

class CiCommand : public Command {
public:
    CommandText text() const override {
        return {.summary =
                    "Check models in continuous integration: results, time, memory, size "
                    "and accuracy against limits and baselines",
                .notes = ci_notes,
                .examples = {"lapidary-cli ci models.json --update-baseline",
                             "lapidary-cli ci models.json --junit report.xml --summary report.md",
                             "lapidary-cli ci models.json --only resnet50 --json"},
                .program_example = "lapidary-cli ci models.json --junit report.xml"};
    }

    void declare(OptionList& options) override {
        options.value("file", "FILE", file_, "JSON with models, levels and limits")
            .required()
            .suggest_files({"json"});
        options.flag("--update-baseline", running_.update_baselines,
                     "Measure and write the baselines, where nothing is worse or broken");
        options
            .value("--only", "NAME", only_, "Check the model of this name alone; may be repeated")
            .repeatable();
        options
            .value("--junit", "F.xml", junit_,
                   "Write JUnit XML: a suite for each model, a case for each check")
            .checked_by([](const std::string& file) { return extension_problem(file, ".xml"); })
            .suggest_files({"xml"});
        options
            .value("--summary", "FILE", summary_,
                   "Write tables in Markdown, as for GITHUB_STEP_SUMMARY")
            .suggest_files({"md"});
        options.value("--slow-down", "SHARE", running_.slow_down, "").hidden();
        add_json(options, json);
    }

    int run(Terminal& terminal) override {
        protect_input(file_);
        const CiFile file = load_ci_file(file_);
        const std::vector<CiModel> chosen = chosen_models(file);
        for (const CiModel& model : chosen) protect_input(model.argument);
        check_output_files({junit_, summary_});
        add_plugin_words();
        CiResult result;
        result.file = file_;
        try {
            for (const CiModel& model : chosen)
                check_ci_model(file, model, running_, terminal, result.models.emplace_back());
        } catch (const Error& error) {
            if (error.code() != ErrorCode::cancelled) throw;
            result.cancelled = true;
        }
        if (!junit_.empty()) save_text(junit_, ci_junit(result));
        if (!summary_.empty()) save_text(summary_, ci_markdown(result));
        if (terminal.json) write_json(terminal.out, ci_json(result));
        else print_ci(terminal.out, result);
        if (result.cancelled) return exit_cancelled;
        if (terminal.json) report_broken(result, terminal);
        return exit_code_of(result);
    }

private:
    std::vector<CiModel> chosen_models(const CiFile& file) const {
        if (only_.empty()) return file.models;
        std::vector<std::string> known;
        for (const CiModel& model : file.models) known.push_back(model.name);
        for (const std::string& name : only_)
            if (std::ranges::find(known, name) == known.end())
                throw UsageError(fmt::format("--only: {} has no model {}{}", file_.string(),
                                             quote(name), did_you_mean(name, known)));
        std::vector<CiModel> chosen;
        for (const CiModel& model : file.models)
            if (std::ranges::find(only_, model.name) != only_.end()) chosen.push_back(model);
        return chosen;
    }

    /// With the exit code of an error programs expect an object that says what it is.
    static void report_broken(const CiResult& result, Terminal& terminal) {
        if (exit_code_of(result) != exit_bad_input) return;
        for (const CiModelResult& model : result.models)
            for (const CiCheck& check : model.checks)
                if (check.verdict == CiVerdict::broken) {
                    const Error error(
                        ErrorCode::invalid_input,
                        fmt::format("{}, {}: {}", model.name, title_of(check), check.sentence));
                    terminal.err << json_error(error).dump() << '\n';
                    return;
                }
    }

    /// The commands that it runs open the same plugins.
    void add_plugin_words() {
        const auto add = [this](const char* option, const std::vector<std::string>& values) {
            for (const std::string& value : values) {
                running_.plugin_words.emplace_back(option);
                running_.plugin_words.push_back(value);
            }
        };
        add("--plugin", plugins);
        add("--without-plugin", plugins_off);
        add("--custom-ops", custom_operators);
    }

    std::filesystem::path file_, junit_, summary_;
    std::vector<std::string> only_;
    CiRunOptions running_;
};

}  // namespace

std::unique_ptr<Command> ci_command() { return std::make_unique<CiCommand>(); }

}  // namespace lapidary::cli
