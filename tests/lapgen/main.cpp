// SPDX-License-Identifier: Apache-2.0
// lapgen: optimizes random models and looks for one whose results change. `lapgen --models 20000`.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <functional>
#include <map>
#include <optional>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/onnx_io/model_io.h>

#include "lapgen/device.h"
#include "lapgen/edits.h"
#include "lapgen/exports.h"
#include "lapgen/oracle.h"
#include "lapgen/split.h"
#include "lapgen/twins.h"
#include "support/test_data.h"

using namespace lapidary;

namespace {

void write_failure(const std::filesystem::path& folder, std::uint64_t seed,
                   const lapgen::GeneratedModel& generated, const lapgen::Verdict& verdict) {
    const auto kind_of_failure = [&](const Model& m) {
        return lapgen::judge(m, generated.exact, generated.dimensions).kind ==
               lapgen::Verdict::Kind::differs;
    };
    const Model small = lapgen::reduce(generated.model, kind_of_failure);
    const lapgen::Verdict after = lapgen::judge(small, generated.exact, generated.dimensions);
    std::cout << "  reduced to " << small.graph.node_count() << " nodes: " << after.symptom
              << (after.pass.empty() ? "" : "; moved by " + after.pass) << "\n"
              << print_graph(small.graph) << "\n";
    if (folder.empty()) return;
    std::filesystem::create_directories(folder);
    const std::string name = fmt::format("{}{}", generated.exact ? "exact_" : "", seed);
    save_model(generated.model, folder / (name + ".onnx"));
    save_model(small, folder / (name + "_reduced.onnx"));
    std::ofstream(folder / (name + ".txt")) << "seed " << seed << "\n"
                                            << verdict.symptom << "\n"
                                            << verdict.pass << "\n"
                                            << print_graph(small.graph);
}

void print_share(const lapgen::DeviceShare& share) {
    if (share.moved > 0) std::cout << share.moved << " rewrites to channels last\n";
    std::cout << share.on_device << " of " << share.nodes << " nodes on the device; elsewhere:\n";
    std::vector<std::pair<std::size_t, std::string>> reasons;
    for (const auto& [reason, count] : share.reasons) reasons.emplace_back(count, reason);
    std::ranges::sort(reasons, std::greater());
    for (std::size_t i = 0; i < std::min<std::size_t>(reasons.size(), 12); ++i)
        std::cout << fmt::format("{:6} {}\n", reasons[i].first, reasons[i].second);
}

/// Edits models instead of optimizing them; the exit code.
int run_edits(std::uint64_t first, std::uint64_t models, const lapgen::PatternBook& book,
              const std::filesystem::path& folder, bool table) {
    lapgen::EditTally tally;
    int failed = 0, skipped = 0;
    for (std::uint64_t seed = first; seed < first + models; ++seed) {
        const lapgen::Verdict verdict =
            lapgen::judge_edits(lapgen::generate_model(seed, book, false), seed, tally, folder);
        skipped += verdict.kind == lapgen::Verdict::Kind::cannot_run;
        if (verdict.kind != lapgen::Verdict::Kind::differs) continue;
        ++failed;
        std::cout << "seed " << seed << ": " << verdict.symptom
                  << (verdict.pass.empty() ? "" : "; moved by " + verdict.pass) << std::endl;
    }
    if (table)
        for (const auto& [form, counts] : tally)
            std::cout << fmt::format(
                "{:64.64} applied {:5}, {:5} with results compared; refused {:5}, {:5} as "
                "invalid\n",
                form, counts.applied, counts.compared, counts.refused, counts.left_invalid);
    std::cout << models << " models edited, " << skipped << " could not run afterwards, " << failed
              << " failed\n";
    return failed == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    std::uint64_t first = 1, models = 1000;
    std::filesystem::path folder, exports;
    bool table = false, judges_twins = false, edits = false;
    std::string provider;
    CLI::App app(
        "Optimizes random models at every level and compares their results with the model as it "
        "was");
    app.add_option("--models", models, "how many");
    app.add_option("--seed", first, "first seed; the others follow");
    app.add_option("--write", folder, "folder for failing models, whole and reduced");
    app.add_option("--exports", exports,
                   "folder for the models with their inputs and exports, one folder each; nothing "
                   "is compared");
    app.add_flag("--twins", judges_twins,
                 "judge each model quantized or converted to float16, in each way by turns");
    app.add_flag("--edits", edits,
                 "edit each model by random lines of edit scripts, and judge each line and the "
                 "result; --passes prints how often each form of an edit was applied");
    app.add_flag("--passes", table, "print how often each pass fired and nearly fired");
    CLI::Option* const other =
        app.add_option("--provider", provider,
                       "split each model at random over the CPU and a provider with memory of its "
                       "own, or run it on the device of the "
                       "provider that is named (cuda_emulated, name:key=value,...; "
                       "LAPIDARY_PLUGINS has its plugin); nothing is "
                       "optimized unless --optimized says so");
    other->expected(0, 1);
    bool optimizes = false, moves_channels_last = false;
    app.add_flag("--optimized", optimizes,
                 "on such a device: models are optimized at level all first")
        ->needs(other);
    app.add_flag(
           "--channels-last", moves_channels_last,
           "on such a device: image operators work with channels last, whatever Transposes cost")
        ->needs(other);
    CLI11_PARSE(app, argc, argv);
    const lapgen::PatternBook book(test::read_pass_cases(fixtures_folder() / "passes"));
    if (edits) return run_edits(first, models, book, folder, table);
    std::map<std::string, std::pair<int, int>> passes;
    lapgen::OracleOptions options;
    options.applied = [&](const std::string& pass) { ++passes[pass].first; };
    options.missed = [&](const std::string& pass) { ++passes[pass].second; };
    const bool is_split = other->count() > 0 && provider.empty();
    std::optional<lapgen::DeviceUnderTest> device;
    try {
        if (!provider.empty()) {
            device.emplace(provider).moves_channels_last = moves_channels_last;
            device->optimizes = optimizes;
        }
    } catch (const Error& error) {
        std::cerr << error.what() << "\n";
        return 2;
    }
    lapgen::DeviceShare share;
    int failed = 0, skipped = 0;
    for (std::uint64_t seed = first; seed < first + models; ++seed) {
        lapgen::GeneratedModel generated = lapgen::generate_model(seed, book, seed % 3 == 0);
        if (judges_twins) {
            std::optional<lapgen::Twin> twin = lapgen::twin_of(generated, seed);
            if (!twin) {
                ++skipped;
                continue;
            }
            generated.model = std::move(twin->model);
            generated.exact = false;
            generated.injected.push_back(twin->made);
        }
        if (!exports.empty()) {
            lapgen::write_exports(generated, exports / std::to_string(seed));
            continue;
        }
        const lapgen::Verdict verdict =
            device ? lapgen::judge_on_device(generated, seed, *device, share)
            : is_split
                ? lapgen::judge_split(generated, seed)
                : lapgen::judge(generated.model, generated.exact, generated.dimensions, options);
        skipped += verdict.kind == lapgen::Verdict::Kind::cannot_run;
        if (verdict.kind != lapgen::Verdict::Kind::differs) continue;
        ++failed;
        std::string injected;
        for (const std::string& name : generated.injected) injected += " [" + name + "]";
        std::cout << "seed " << seed << (generated.exact ? " (exact)" : "") << ": "
                  << verdict.symptom << (verdict.pass.empty() ? "" : "; moved by " + verdict.pass)
                  << "; with" << injected << "\n";
        if (!device && !is_split) write_failure(folder, seed, generated, verdict);
    }
    if (!exports.empty()) return 0;
    if (table)
        for (const PassInfo& p : all_passes())
            std::cout << fmt::format("{:40} fired {:6}, nearly {:6}\n", p.name,
                                     passes[std::string(p.name)].first,
                                     passes[std::string(p.name)].second);
    if (device) print_share(share);
    std::cout << models << " models, " << skipped << " could not run as they were, " << failed
              << " failed\n";
    return failed == 0 ? 0 : 1;
}
