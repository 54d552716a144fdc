// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <ostream>

#include <fmt/format.h>

#include <lapidary/proof/bisect.h>
#include <lapidary/onnx_io/model_io.h>

#include "cli/command.h"
#include "cli/output/guard_text.h"
#include "cli/output/json_output.h"
#include "cli/models/model_argument.h"
#include "cli/options/input_options.h"
#include "cli/options/level_options.h"
#include "cli/options/measuring_options.h"
#include "cli/options/model_options.h"
#include "cli/options/output_options.h"
#include "cli/options/session_options.h"
#include "cli/options/size_options.h"
#include "cli/output/value_text.h"

namespace lapidary::cli {
namespace {

struct BisectCommandOptions {
    std::filesystem::path model, output;  // folder for the extracted subgraph; empty: none
    OptimizeOptions optimizing;
    std::optional<bool> session_passes;  // empty: the level decides
    InputOptions inputs;
    double rtol = 1e-3, atol = 1e-5;
    int intra_threads = 0;
    bool exhaustive = false;
    std::int64_t channel_block = 0;  // LoadOptions' own
};

Json bisect_json(const BisectCommandOptions& options, const BisectResult& result) {
    Json json = {{"file", options.model.string()},
                 {"rewrites", result.rewrites},
                 {"trials", result.trials},
                 {"found", result.number > 0},
                 {"whole", guard_json(result.whole)}};
    if (result.number == 0) return json;
    json["rewrite"] = {{"number", result.number},
                       {"pass", result.rewrite.rewrite.pass},
                       {"remark", result.rewrite.rewrite.remark},
                       {"place", result.rewrite.place.text()},
                       {"removed", result.removed},
                       {"added", result.added}};
    json["after_it"] = guard_json(result.at);
    if (result.region) json["place_alone"] = guard_json(result.region->report);
    else json["place_problem"] = result.region_problem;
    if (result.region && !options.output.empty()) json["folder"] = options.output.string();
    return json;
}

void print_nodes(std::ostream& out, const char* title, const std::vector<std::string>& nodes) {
    constexpr std::size_t shown = 12;
    for (std::size_t i = 0; i < std::min(nodes.size(), shown); ++i)
        out << "  " << title << "  " << plain(nodes[i]) << '\n';
    if (nodes.size() > shown) out << "  " << title << "  ... " << nodes.size() - shown << " more\n";
}

void print_bisect(std::ostream& out, const BisectCommandOptions& options,
                  const BisectResult& result) {
    out << fmt::format("{} {} at level {}, {} optimized models compared\n", result.rewrites,
                       result.rewrites == 1 ? "rewrite" : "rewrites",
                       name_of(options.optimizing.level), result.trials);
    if (result.number == 0) {
        print_guard(out, "the whole optimization", result.whole);
        out << "no rewrite moves an output beyond tolerance\n";
        return;
    }
    const Rewrite& rewrite = result.rewrite.rewrite;
    out << fmt::format("rewrite {} of pass {}: {}\n", result.number, plain(rewrite.pass),
                       plain(rewrite.remark));
    if (!result.rewrite.place.is_main())
        out << "  in       " << plain(result.rewrite.place.text()) << '\n';
    print_nodes(out, "removed", result.removed);
    print_nodes(out, "added  ", result.added);
    print_guard(out, "the model right after it", result.at);
    if (!result.region)
        out << "its place was not cut out: " << plain(result.region_problem) << '\n';
    else print_guard(out, "its place alone", result.region->report);
    if (result.region && !options.output.empty())
        out << (has_session_operators(result.region->after)
                    ? "wrote before.onnx and inputs.npz (what a session makes has no file) to "
                    : "wrote before.onnx, after.onnx and inputs.npz to ")
            << plain(options.output.string()) << '\n';
}

constexpr const char* bisect_notes = R"(
Optimizes again and again, stopping after fewer rewrites, and compares the outputs with those of the original
until one rewrite is left: right before it all outputs agree, right after it one does not.
Exit code 1 when such a rewrite was found.)";

class BisectCommand : public Command {
public:
    CommandText text() const override {
        return {.summary =
                    "Find the rewrite that moves an output beyond tolerance and cut out its place",
                .notes = bisect_notes,
                .examples = {"lapidary-cli bisect net.onnx --level all --rtol 1e-2 -o culprit"},
                .program_example = "lapidary-cli bisect model.onnx --level all"};
    }

    void declare(OptionList& options) override {
        add_model(options, options_.model);
        add_level(
            options, "--level", [this](Level value) { options_.optimizing.level = value; },
            "The optimization to look into; extended unless given");
        options
            .value("-o,--output", "DIR", options_.output,
                   "Folder for the place cut out: before.onnx, after.onnx, inputs.npz")
            .suggest_folders();
        add_pass_choice(options, options_.optimizing);
        add_session_passes(options, options_.session_passes);
        add_channel_block(options, options_.channel_block);
        add_tolerance(options, options_.rtol, options_.atol);
        add_input_archive(options, options_.inputs.archive,
                          "Inputs by name from one archive; the others are generated");
        add_input_seed(options, options_.inputs.seed);
        add_dimensions(options, options_.inputs.dimensions);
        add_threads(options, options_.intra_threads);
        options.flag(
            "--exhaustive", options_.exhaustive,
            "Try every rewrite from the first on: finds the first even where a later one mends it");
        add_json(options, json);
    }

    int run(Terminal& terminal) override {
        const Progress progress = terminal.progress();
        const Model model =
            load_model_argument(options_.model.string(), options_.channel_block, progress);
        BisectOptions bisecting;
        bisecting.optimize = options_.optimizing;
        bisecting.optimize.session_passes =
            session_passes_for(options_.session_passes, options_.optimizing.level);
        bisecting.exhaustive = options_.exhaustive;
        bisecting.guard.tolerance = same_result_within(options_.rtol, options_.atol);
        bisecting.guard.seeds = {options_.inputs.seed};
        bisecting.guard.dimensions = options_.inputs.dimensions;
        bisecting.guard.threads = options_.intra_threads;
        bisecting.guard.inputs = given_inputs(model, options_.inputs, terminal.cancel).values;
        const BisectResult result = bisect(model, bisecting, progress);
        if (result.region && !options_.output.empty()) save_region(*result.region, options_.output);
        if (terminal.json) write_json(terminal.out, bisect_json(options_, result));
        else print_bisect(terminal.out, options_, result);
        return result.number > 0 ? exit_check_failed : exit_fine;
    }

private:
    BisectCommandOptions options_;
};

}  // namespace

std::unique_ptr<Command> bisect_command() { return std::make_unique<BisectCommand>(); }

}  // namespace lapidary::cli
