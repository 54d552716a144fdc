// SPDX-License-Identifier: Apache-2.0
#include <chrono>

#include <nlohmann/json.hpp>

#include <lapidary/bench/bench.h>
#include <lapidary/base/error.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/internal/parse_json.h>

#include "bench/process/child_process.h"
#include "bench/statistics/median.h"

namespace lapidary {

FreshFigures measure_fresh(BenchEngine& engine) {
    FreshFigures figures;
    figures.load_ms = engine.load_ms();
    figures.first_ms = engine.burst(0, 1).wall_ms;
    engine.burst(0, 2);  // buffers of the second run differ: sizes are known by then
    figures.peak_mb = engine.peak_mb();
    return figures;
}

std::string fresh_figures_text(const FreshFigures& figures) {
    return nlohmann::json{
        {"load_ms", figures.load_ms}, {"first_ms", figures.first_ms}, {"peak_mb", figures.peak_mb}}
        .dump();
}

std::vector<FreshFigures> run_fresh_processes(const std::vector<std::vector<std::string>>& commands,
                                              const CancelToken& cancel) {
    using Clock = std::chrono::steady_clock;
    constexpr std::size_t enough = 5, least = 3;
    constexpr std::chrono::milliseconds slow{12'000}, longest{600'000};
    struct Samples {
        std::vector<double> load, first, peak;
    };
    std::vector<Samples> samples(commands.size());
    const auto start = Clock::now();
    for (std::size_t round = 0; round <= enough && (round <= least || Clock::now() - start < slow);
         ++round)
        for (std::size_t i = 0; i < commands.size(); ++i) {
            const FinishedProgram done = run_program(commands[i], longest, cancel);
            if (done.code != 0)
                fail_unsupported("a fresh process ended with code " + std::to_string(done.code) +
                                 ": " + done.err.substr(0, done.err.find('\n')));
            const auto json = parse_json(done.out, "the figures of a fresh process");
            if (round == 0) continue;
            samples[i].load.push_back(json.value("load_ms", 0.0));
            samples[i].first.push_back(json.value("first_ms", 0.0));
            samples[i].peak.push_back(
                json.at("peak_mb").is_number() ? json.at("peak_mb").get<double>() : 0);
        }
    std::vector<FreshFigures> figures;
    for (const Samples& s : samples)
        figures.push_back({median_of(s.load), median_of(s.first), median_of(s.peak),
                           static_cast<int>(s.load.size())});
    return figures;
}

void save_bench_inputs(const NamedValues& inputs, const std::filesystem::path& folder) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const auto& [name, value] = inputs[i];
        if (!value.is_tensor()) fail_unsupported("input " + quote(name) + " is no tensor");
        save_tensor_proto(folder / (std::to_string(i) + ".pb"), name, value.tensor());
    }
}

NamedValues load_bench_inputs(const std::filesystem::path& folder) {
    NamedValues inputs;
    for (std::size_t i = 0; std::filesystem::exists(folder / (std::to_string(i) + ".pb")); ++i)
        inputs.push_back(load_value_proto(folder / (std::to_string(i) + ".pb"), {}));
    return inputs;
}

}  // namespace lapidary
