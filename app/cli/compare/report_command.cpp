// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <ostream>

#include <fmt/format.h>

#include <lapidary/base/error.h>
#include <lapidary/internal/output_file.h>
#include <lapidary/internal/text_file.h>

#include "cli/command.h"
#include "cli/output/comparison_text.h"
#include "cli/output/conditions_output.h"
#include "cli/output/json_output.h"
#include "cli/models/model_argument.h"
#include "cli/options/input_options.h"
#include "cli/options/level_options.h"
#include "cli/options/model_options.h"
#include "cli/options/output_options.h"
#include "cli/options/side_options.h"
#include "cli/compare/report_advice.h"
#include "cli/exit_code.h"
#include "cli/output/value_text.h"

namespace lapidary::cli {
namespace {

struct ReportCommandOptions {
    std::string model;                            // a file, or "sample:NAME"
    std::int64_t channel_block = 0;               // LoadOptions' own
    std::filesystem::path output, tables, notes;  // empty: none
    std::string title;
    Level level = default_run_level;
    std::optional<Level> against;
    std::vector<std::string> disabled_passes;
    std::vector<RuleText> rules;
    InputOptions inputs;
    SideOptions running;
};

constexpr std::uint64_t most_note_bytes = 1 << 20;

std::string command_of(const ReportCommandOptions& options, Level level) {
    std::string command = "lapidary-cli profile " + shell_quoted(options.model) + " --level " +
                          std::string(name_of(level));
    if (options.running.configuration.resources.threads > 0)
        command += fmt::format(" --intra {}", options.running.configuration.resources.threads);
    for (const auto& [name, size] : options.inputs.dimensions)
        command += " --dim " + shell_quoted(fmt::format("{}={}", name, size));
    if (options.inputs.seed != 0) command += fmt::format(" --seed {}", options.inputs.seed);
    for (const std::string& pass : options.disabled_passes)
        command += " --disable-pass " + shell_quoted(pass);
    for (const RuleText& rules : options.rules) command += " --rules " + shell_quoted(rules.file);
    if (options.running.session_passes)
        command +=
            std::string(" --session-passes ") + (*options.running.session_passes ? "on" : "off");
    return command + fmt::format(" --runs {}", options.running.runs);
}

constexpr const char* report_notes = R"(
Optimizes the model, runs it with the profiler, measures it without, and writes one HTML file that needs no other
file and no network: verdict, model, graph with times, timeline, operators, nodes, passes, measurements. With
--against both levels are measured in turn and compared; the level of --against is A, the other B.
Exit code 1 when their outputs differ (the report is written all the same).)";

class ReportCommand : public Command {
public:
    CommandText text() const override {
        return {
            .summary =
                "Write one HTML file that shows model, graph, times and passes, alone or against "
                "another level",
            .notes = report_notes,
            .examples = {"lapidary-cli report net.onnx -o net.html --against disabled",
                         "lapidary-cli report sample:bert-base -o bert.html --dim batch=1 --dim "
                         "sequence=128 "
                         "--tables tables"},
            .program_example = "lapidary-cli report model.onnx -o report.html --against disabled"};
    }

    void declare(OptionList& options) override {
        add_model(options, options_.model);
        add_channel_block(options, options_.channel_block);
        add_output(options, "F.html", options_.output, {"html"}, "HTML file to write");
        add_level(
            options, "--level", [this](Level level) { options_.level = level; },
            "Of the variant shown; all unless given");
        add_level(
            options, "--against", [this](Level level) { options_.against = level; },
            "Show the variant beside this level of the same model");
        add_disabled_passes(options, options_.disabled_passes,
                            "Leave out a pass of the level; may be repeated");
        add_rules(options, options_.rules);
        add_side_options(options, options_.running);
        options.flag_off("--no-measure", options_.running.measure,
                         "Profile only: no clean times with intervals");
        options
            .value("--tables", "FOLDER", options_.tables,
                   "Write the tables as CSV and everything as report.json into this folder")
            .suggest_folders();
        options.value("--notes", "FILE", options_.notes, "Text file shown in the report")
            .existing_file();
        options.value("--title", "TEXT", options_.title,
                      "Title of the report; the model's name unless given");
        add_input_options(options, options_.inputs);
        add_json(options, json);
    }

    int run(Terminal& terminal) override {
        if (options_.output.empty() && options_.tables.empty())
            throw UsageError("either -o F.html or --tables FOLDER, is required");
        const Progress progress = terminal.progress();
        const std::string notes =
            options_.notes.empty() ? std::string() : load_text(options_.notes, most_note_bytes);
        const auto [model, load_ns] = load_timed(options_.model, options_.channel_block, progress);
        const GatheredInputs gathered = gather_inputs(*model, options_.inputs, terminal.cancel);
        check_output_files({options_.output});
        std::vector<SideRequest> requests;
        const auto add = [&, model = model, load_ns = load_ns](Level level) {
            requests.push_back({std::string(name_of(level)), model, level, options_.disabled_passes,
                                command_of(options_, level), load_ns, options_.rules});
        };
        if (options_.against) add(*options_.against);
        add(options_.level);
        if (requests.size() == 2 && requests[0].name == requests[1].name) {
            requests[0].name += " (A)";
            requests[1].name += " (B)";
        }
        ReportContent content = run_sides(requests, gathered, options_.running, progress);
        const std::string name = model->path.empty() ? options_.model : model->path.stem().string();
        content.title = !options_.title.empty() ? options_.title
                        : options_.against      ? fmt::format("{}: {} against {}", name,
                                                              requests[0].name, requests[1].name)
                                                : name;
        content.notes = notes;
        content.advice = advise(advice_input(content, requests, options_.running,
                                             {options_.inputs.dimensions, 0}, progress));
        if (!options_.output.empty()) save_html_report(content, options_.output);
        if (!options_.tables.empty()) save_report_tables(content, options_.tables);

        RunConditions conditions = content.conditions;
        conditions.level = options_.level;
        const bool outputs_match = all_match(content.outputs);
        const std::string verdict = content.difference
                                        ? content.difference->sentence
                                        : summarize(*content.sides.back().profile).verdict;
        if (terminal.json) {
            Json json = {{"verdict", verdict},
                         {"report", nullptr},
                         {"tables", nullptr},
                         {"outputs_match", outputs_match}};
            json.update(conditions_json(conditions));
            if (options_.against) json["against"] = name_of(*options_.against);
            if (!options_.output.empty()) json["report"] = options_.output.string();
            if (!options_.tables.empty()) json["tables"] = options_.tables.string();
            write_json(terminal.out, json);
        } else {
            print_conditions(terminal.out, conditions);
            terminal.out << plain(verdict) << '\n';
            if (!options_.output.empty())
                terminal.out << "report  " << plain(options_.output.string()) << "  "
                             << byte_text(static_cast<double>(
                                    std::filesystem::file_size(options_.output)))
                             << '\n';
            if (!options_.tables.empty())
                terminal.out << "tables  " << plain(options_.tables.string()) << '\n';
            for (const OutputComparison& output : content.outputs)
                if (!output.comparison.matches)
                    terminal.out << "output  " << plain(output.name)
                                 << " differs: " << plain(output.comparison.reason) << '\n';
        }
        return outputs_match ? exit_fine : exit_check_failed;
    }

private:
    ReportCommandOptions options_;
};

}  // namespace

std::unique_ptr<Command> report_command() { return std::make_unique<ReportCommand>(); }

}  // namespace lapidary::cli
