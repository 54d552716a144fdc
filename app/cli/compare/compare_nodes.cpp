// SPDX-License-Identifier: Apache-2.0
#include "cli/compare/compare_nodes.h"

#include <algorithm>
#include <filesystem>
#include <ostream>
#include <system_error>

#include <lapidary/base/error.h>
#include <lapidary/internal/scratch_folder.h>

#include "cli/engines/plugin_engine_name.h"
#include "cli/exit_code.h"
#include "cli/models/model_argument.h"
#include "cli/models/model_at_level.h"
#include "cli/options/provider_options.h"
#include "cli/output/conditions_output.h"
#include "cli/output/json_output.h"
#include "cli/output/node_comparison_text.h"

namespace lapidary::cli {
namespace {

/// The text names a file or a folder rather than an engine.
bool is_place(const std::string& text) {
    std::error_code failed;
    if (std::filesystem::exists(text, failed)) return true;
    // values of a plugin's options, behind the colon, may be paths
    return text.substr(0, text.find(':')).find_first_of("/\\") != std::string::npos;
}

ComparedEngine engine_of(const std::string& text, Level level, bool has_level,
                         const NodeCompareRequest& request) {
    ComparedEngine engine;
    engine.level = level;
    engine.session.resources = request.resources;
    engine.session.session_passes.set = session_passes_for(request.session_passes, level);
    if (text == "lapidary") return engine;
    if (text == "onnxruntime" || is_place(text)) {
        OnnxRuntimeOptions& options = engine.onnxruntime.emplace();
        if (text != "onnxruntime") options.place = text;
        options.level = level;
        options.resources = request.resources;
        options.resources.threads = threads_of(request.resources.threads);
        options.custom_operators = {request.custom_operators.begin(),
                                    request.custom_operators.end()};
        return engine;
    }
    try {
        const app::ProviderChoice choice = app::parse_provider_choice(text);
        if (choice.name == "lapidary" || choice.name == "onnxruntime")
            throw UsageError("--engine: " + choice.name + " takes no options after a colon");
        require_plugin_engine(choice.name, "lapidary, onnxruntime, the path of an ONNX Runtime");
        PluginEngineOptions& options = engine.plugin.emplace();
        options.engine = choice.name;
        options.options = choice.options;
        if (has_level) options.level = level;
        if (request.resources.threads > 0) options.resources = request.resources;
    } catch (const Error& error) { throw UsageError("--engine: " + error.message()); }
    return engine;
}

std::vector<ComparedEngine> engines_of(const NodeCompareOptions& nodes,
                                       const NodeCompareRequest& request) {
    std::vector<std::string> names = nodes.engines;
    if (names.size() < 2) names.insert(names.begin(), 2 - names.size(), "lapidary");
    if (nodes.engines.empty() && request.levels.size() < 2)
        throw UsageError("nothing to compare node by node: give --engine, or --level twice");
    std::vector<ComparedEngine> engines;
    for (std::size_t i = 0; i < 2; ++i) {
        const Level level = request.levels.empty()
                                ? default_run_level
                                : request.levels[std::min(i, request.levels.size() - 1)];
        engines.push_back(engine_of(names[i], level, !request.levels.empty(), request));
    }
    return engines;
}

}  // namespace

void add_node_compare_options(OptionList& options, NodeCompareOptions& nodes) {
    options
        .value("--by", "model|node", nodes.by,
               "What is compared: whole models, unless given; or, of one model, the time of each "
               "node in two engines or at two levels")
        .one_of({"model", "node"});
    options
        .value("--engine", "NAME", nodes.engines,
               "With --by node: what runs A, then what runs B; given once: B, and this program A. "
               "lapidary (this program), onnxruntime (the one that is found), the path of an ONNX "
               "Runtime (its library, or a folder or Python interpreter that has it), or an engine "
               "of a plugin as NAME:KEY=VALUE,...")
        .repeatable()
        .suggest({.words = {"lapidary", "onnxruntime"}, .files = true, .folders = true});
    options
        .value("--pairs", "N", nodes.pairs,
               "With --by node: pairs of runs; unless given as many as --seconds allows, at least "
               "20. At most as many as a recording holds: 1,298 for a model of 100 nodes, 132 for "
               "1,000, and for any model 20")
        .between(1, 100'000);
}

int compare_by_node(const NodeCompareOptions& nodes, const NodeCompareRequest& request,
                    Terminal& terminal) {
    if (nodes.engines.size() > 2)
        throw UsageError("--engine: expected at most two, found " +
                         std::to_string(nodes.engines.size()));
    const std::vector<ComparedEngine> engines = engines_of(nodes, request);
    const Progress progress = terminal.progress();
    LevelOptions as_it_is;
    as_it_is.level = Level::disabled;
    as_it_is.channel_block = request.channel_block;
    const LoadedModel loaded = load_at_level(request.model, as_it_is, progress);
    terminal.note(loaded.layout_note);
    if (const std::size_t most = most_recorded_pairs(*loaded.model);
        nodes.pairs > 0 && static_cast<std::size_t>(nodes.pairs) > most)
        throw UsageError("--pairs: a recording of this model holds at most " +
                         std::to_string(most) + " pairs of runs, found " +
                         std::to_string(nodes.pairs));
    const GatheredInputs inputs = gather_inputs(*loaded.model, request.inputs, terminal.cancel);
    const ScratchFolder folder;
    const bool has_plugin = std::ranges::any_of(
        engines, [](const ComparedEngine& engine) { return engine.plugin.has_value(); });
    const std::filesystem::path file =
        model_file_of(request.model, request.channel_block, folder.path(), progress, has_plugin);
    NodeComparisonOptions options;
    options.seconds = request.seconds;
    options.pairs = nodes.pairs;
    const NodeComparison found =
        compare_nodes(loaded.model, file, engines[0], engines[1], inputs.values, options, progress);
    const RunConditions conditions{std::nullopt, threads_of(request.resources.threads),
                                   threads_of(request.resources.nodes_at_a_time()), inputs.sizes};
    const std::vector<Level> levels{engines[0].level, engines[1].level};
    if (terminal.json) {
        Json json = node_comparison_json(found, levels);
        json.update(conditions_json(conditions));
        write_json(terminal.out, json);
        return exit_fine;
    }
    print_conditions(terminal.out, conditions);
    print_node_comparison(terminal.out, found, levels);
    return exit_fine;
}

}  // namespace lapidary::cli
