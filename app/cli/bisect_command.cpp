// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <lapidary/bisect.h>
#include <lapidary/model_io.h>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/guard_text.h"
#include "cli/json_output.h"
#include "cli/model_argument.h"
#include "cli/value_text.h"

namespace lapidary::cli {
namespace {

Json bisect_json(const BisectCommandOptions& options, const BisectResult& result) {
    Json json = {{"file", options.model.string()}, {"rewrites", result.rewrites}, {"trials", result.trials}, {"found", result.number > 0}, {"whole", guard_json(result.whole)}};
    if (result.number == 0) return json;
    json["rewrite"] = {{"number", result.number},       {"pass", result.rewrite.rewrite.pass}, {"remark", result.rewrite.rewrite.remark},
                       {"place", result.rewrite.place}, {"removed", result.removed},           {"added", result.added}};
    json["after_it"] = guard_json(result.at);
    if (result.region) json["place_alone"] = guard_json(result.region->report);
    else json["place_problem"] = result.region_problem;
    if (result.region && !options.output.empty()) json["folder"] = options.output.string();
    return json;
}

void print_nodes(std::ostream& out, const char* title, const std::vector<std::string>& nodes) {
    constexpr std::size_t shown = 12;
    for (std::size_t i = 0; i < std::min(nodes.size(), shown); ++i) out << "  " << title << "  " << plain(nodes[i]) << '\n';
    if (nodes.size() > shown) out << "  " << title << "  ... " << nodes.size() - shown << " more\n";
}

void print_bisect(std::ostream& out, const BisectCommandOptions& options, const BisectResult& result) {
    out << fmt::format("{} {} at level {}, {} optimized models compared\n", result.rewrites, result.rewrites == 1 ? "rewrite" : "rewrites",
                       name_of(options.optimizing.level), result.trials);
    if (result.number == 0) {
        print_guard(out, "the whole optimization", result.whole);
        out << "no rewrite moves an output beyond tolerance\n";
        return;
    }
    const Rewrite& rewrite = result.rewrite.rewrite;
    out << fmt::format("rewrite {} of pass {}: {}\n", result.number, plain(rewrite.pass), plain(rewrite.remark));
    if (result.rewrite.place != "main") out << "  in       " << plain(result.rewrite.place) << '\n';
    print_nodes(out, "removed", result.removed);
    print_nodes(out, "added  ", result.added);
    print_guard(out, "the model right after it", result.at);
    if (!result.region) out << "its place was not cut out: " << plain(result.region_problem) << '\n';
    else print_guard(out, "its place alone", result.region->report);
    if (result.region && !options.output.empty()) out << "wrote before.onnx, after.onnx and inputs.npz to " << plain(options.output.string()) << '\n';
}

}  // namespace

int run_bisect(const BisectCommandOptions& options, Terminal& terminal) {
    const Progress progress = terminal.progress();
    const Model model = load_model_argument(options.model.string(), options.channel_block, progress);
    BisectOptions bisecting;
    bisecting.optimize = options.optimizing;
    bisecting.exhaustive = options.exhaustive;
    bisecting.guard.tolerance = {options.rtol, options.atol, true};
    bisecting.guard.seeds = {options.inputs.seed};
    bisecting.guard.dimensions = options.inputs.dimensions;
    bisecting.guard.threads = options.intra_threads;
    bisecting.guard.inputs = gather_inputs(model, options.inputs, terminal.cancel).values;
    const BisectResult result = bisect(model, bisecting, progress);
    if (result.region && !options.output.empty()) save_region(*result.region, options.output);
    if (terminal.json) write_json(terminal.out, bisect_json(options, result));
    else print_bisect(terminal.out, options, result);
    return result.number > 0 ? exit_check_failed : exit_fine;
}

}  // namespace lapidary::cli
