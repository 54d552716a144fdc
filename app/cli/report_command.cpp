// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <lapidary/error.h>
#include <lapidary/output_file.h>
#include <lapidary/text_file.h>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/comparison_text.h"
#include "cli/json_output.h"
#include "cli/model_argument.h"
#include "cli/value_text.h"

namespace lapidary::cli {
namespace {

constexpr std::uint64_t most_note_bytes = 1 << 20;

std::string command_of(const ReportCommandOptions& options, Level level) {
    std::string command = "lapidary-cli profile " + shell_quoted(options.model) + " --level " + std::string(name_of(level));
    if (options.running.configuration.intra > 0) command += fmt::format(" --intra {}", options.running.configuration.intra);
    for (const auto& [name, size] : options.inputs.dimensions) command += " --dim " + shell_quoted(fmt::format("{}={}", name, size));
    if (options.inputs.seed != 0) command += fmt::format(" --seed {}", options.inputs.seed);
    return command + fmt::format(" --runs {}", options.running.runs);
}

}  // namespace

int run_report(const ReportCommandOptions& options, Terminal& terminal) {
    const Progress progress = terminal.progress();
    const std::string notes = options.notes.empty() ? std::string() : load_text(options.notes, most_note_bytes);
    const auto [model, load_ns] = load_timed(options.model, options.channel_block, progress);
    const NamedValues inputs = gather_inputs(*model, options.inputs, terminal.cancel).values;
    check_output_files({options.output});
    std::vector<SideRequest> requests;
    const auto add = [&, model = model, load_ns = load_ns](Level level) {
        requests.push_back(
            {std::string(name_of(level)), model, level, options.disabled_passes, command_of(options, level), load_ns});
    };
    if (options.against) add(*options.against);
    add(options.level);
    if (requests.size() == 2 && requests[0].name == requests[1].name) {
        requests[0].name += " (A)";
        requests[1].name += " (B)";
    }
    ReportContent content = run_sides(requests, inputs, options.running, progress);
    const std::string name = model->path.empty() ? options.model : model->path.stem().string();
    content.title = !options.title.empty() ? options.title : options.against ? fmt::format("{}: {} against {}", name, requests[0].name, requests[1].name) : name;
    content.notes = notes;
    if (!options.output.empty()) save_html_report(content, options.output);
    if (!options.tables.empty()) save_report_tables(content, options.tables);

    const bool outputs_match = all_match(content.outputs);
    const std::string verdict = content.difference ? content.difference->sentence : summarize(*content.sides.back().profile).verdict;
    if (terminal.json) {
        Json json = {{"verdict", verdict}, {"report", nullptr}, {"tables", nullptr}, {"outputs_match", outputs_match}};
        if (!options.output.empty()) json["report"] = options.output.string();
        if (!options.tables.empty()) json["tables"] = options.tables.string();
        write_json(terminal.out, json);
    } else {
        terminal.out << plain(verdict) << '\n';
        if (!options.output.empty()) terminal.out << "report  " << plain(options.output.string()) << "  " << byte_text(static_cast<double>(std::filesystem::file_size(options.output))) << '\n';
        if (!options.tables.empty()) terminal.out << "tables  " << plain(options.tables.string()) << '\n';
        for (const auto& [name, comparison] : content.outputs)
            if (!comparison.matches)
                terminal.out << "output  " << plain(name) << " differs: " << plain(comparison.reason) << '\n';
    }
    return outputs_match ? exit_fine : exit_check_failed;
}

}  // namespace lapidary::cli
