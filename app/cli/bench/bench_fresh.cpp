// SPDX-License-Identifier: Apache-2.0
#include "cli/bench/bench_fresh.h"

#include <algorithm>
#include <ostream>

#include <lapidary/exec/compute.h>

#include "worker/process/command_program.h"

#include "cli/exit_code.h"

namespace lapidary::cli {

namespace fs = std::filesystem;

std::optional<std::vector<FreshFigures>> measure_fresh_processes(
    const BenchConfiguration& configuration, const std::string& against, const BenchPeer* peer,
    const ScratchFolder& scratch, const CancelToken& cancel) {
    const std::string program = app::command_program();
    if (program.empty()) return std::nullopt;  // linked into another program
    const auto is_tensor = [](const auto& input) { return input.second.is_tensor(); };
    // files for it hold tensors only
    if (!std::ranges::all_of(configuration.inputs, is_tensor)) return std::nullopt;
    const fs::path folder = scratch.path() / "inputs";
    fs::remove_all(folder);
    fs::create_directory(folder);
    save_bench_inputs(configuration.inputs, folder);
    std::vector<std::string> command{program,
                                     "bench",
                                     configuration.model.string(),
                                     "--level",
                                     std::string(name_of(configuration.level)),
                                     "--intra",
                                     std::to_string(configuration.resources.threads),
                                     "--inter",
                                     std::to_string(configuration.resources.inter_threads),
                                     "--fresh-inputs",
                                     folder.string()};
    if (configuration.session_passes)
        command.insert(
            command.end(),
            {"--session-passes",
             configuration.session_passes->set == SessionPasses::Set::all ? "on" : "off"});
    for (const RuleText& rules : configuration.rules)
        command.insert(command.end(), {"--rules", rules.file});
    if (const std::string compute = compute_entry(configuration.resources); compute != "exact")
        command.insert(command.end(), {"--compute", compute});
    if (peer)
        command.insert(command.end(), {against == "onnxruntime" ? "--onnxruntime" : "--peer",
                                       peer->path().string()});
    std::vector<std::vector<std::string>> commands{command};
    commands.back().insert(commands.back().end(), {"--fresh", "lapidary"});
    if (peer) {
        commands.push_back(command);
        commands.back().insert(commands.back().end(), {"--fresh", against});
    }
    return run_fresh_processes(commands, cancel);
}

int run_fresh(const BenchCommandOptions& options, Terminal& terminal) {
    RunResources resources = fixed_resources(options.intra.at(0), options.inter.at(0));
    if (options.computes.at(0) != "exact")
        resources.config[std::string(compute_key)] = options.computes.at(0);
    const BenchConfiguration configuration{
        options.models.at(0),
        options.levels.at(0),
        resources,
        load_bench_inputs(options.fresh_inputs),
        SessionPasses{session_passes_for(options.session_passes, options.levels.at(0)), {}},
        options.rules};
    BenchCommandOptions other = options;
    other.against = options.fresh;
    const auto peer = peer_of(other);
    const auto engine = peer ? peer->open(configuration, terminal.cancel)
                             : open_own_engine(configuration, {terminal.cancel, {}});
    terminal.out << fresh_figures_text(measure_fresh(*engine)) << '\n';
    return exit_fine;
}

}  // namespace lapidary::cli
