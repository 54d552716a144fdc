// SPDX-License-Identifier: Apache-2.0
#include "cli/bench/bench_options.h"

#include <algorithm>
#include <ostream>

#include <fmt/format.h>

#include <lapidary/bench/batcher.h>

#include "cli/bench/bench_models.h"
#include "cli/output/conditions_output.h"
#include "cli/exit_code.h"
#include "cli/terminal.h"
#include "cli/models/model_argument.h"
#include "cli/output/value_text.h"

namespace lapidary::cli {
namespace {

constexpr std::size_t most_different_requests = 16;

/// Requests of one row with different values, unless files give them.
std::vector<NamedValues> requests_of(const Model& model, const BenchCommandOptions& options,
                                     int callers, UsualSizes& sizes, const CancelToken& cancel) {
    std::vector<NamedValues> requests;
    InputOptions inputs = options.inputs;
    const bool has_batch = !batch_dimensions(model).empty();
    for (std::size_t i = 0;
         i < std::min(most_different_requests, static_cast<std::size_t>(callers)); ++i) {
        inputs.seed = options.inputs.seed + i;
        GatheredInputs gathered = inputs_of_size(
            model, inputs, has_batch ? std::optional<std::int64_t>(1) : std::nullopt, cancel);
        requests.push_back(std::move(gathered.values));
        sizes = std::move(gathered.sizes);
    }
    return requests;
}

Json point_json(const LoadPoint& p) {
    return {{"requests", p.requests},
            {"per_second", json_number(p.per_second)},
            {"p50_ms", json_number(p.latency_ms.p50)},
            {"p90_ms", json_number(p.latency_ms.p90)},
            {"p99_ms", json_number(p.latency_ms.p99)},
            {"max_ms", json_number(p.latency_ms.maximum)},
            {"rows_per_run", json_number(p.rows_per_run)}};
}

std::vector<std::string> point_text(const LoadComparison& point) {
    std::vector<std::string> cells{std::to_string(point.grouped.concurrency)};
    for (const LoadPoint* p : {&point.single, &point.grouped}) {
        cells.push_back(ms_text(p->latency_ms.p50));
        cells.push_back(ms_text(p->latency_ms.p99));
        cells.push_back(fmt::format("{:.4g}", p->per_second));
    }
    cells.push_back(fmt::format("{:.1f}", point.grouped.rows_per_run));
    cells.push_back(fmt::format("{:.2f}", point.grouped.per_second / point.single.per_second));
    return cells;
}

/// The number of callers from which on batching pays.
std::string verdict(const std::vector<LoadComparison>& curve) {
    constexpr double worthwhile = 1.05;
    for (const LoadComparison& point : curve)
        if (point.grouped.per_second > worthwhile * point.single.per_second)
            return fmt::format(
                "from {} {} on grouping answers more requests: {:.2f} times as many, p99 {} ms "
                "instead of {} ms",
                point.grouped.concurrency, point.grouped.concurrency == 1 ? "caller" : "callers",
                point.grouped.per_second / point.single.per_second,
                ms_text(point.grouped.latency_ms.p99), ms_text(point.single.latency_ms.p99));
    return "grouping does not answer more requests at any of these numbers of callers";
}

}  // namespace

int run_concurrency(const BenchCommandOptions& options, Terminal& terminal) {
    if (options.models.size() != 1 || !options.against.empty() || !options.batches.empty() ||
        options.levels.size() != 1 || options.intra.size() != 1 || options.inter.size() != 1)
        fail_input(
            "--concurrency takes one model with one --level, --intra and --inter, without --vs and "
            "--batch");
    const Progress progress = terminal.progress();
    ModelPtr model = std::make_shared<const Model>(
        load_model_argument(options.models.front(), options.channel_block, progress));
    ServingOptions load;
    load.concurrency = options.concurrency;
    load.seconds = options.measuring.seconds;
    load.seed = options.measuring.seed;
    load.batcher.max_batch = options.max_batch;
    load.batcher.max_delay_ms = options.max_delay_ms;
    load.batcher.session.session_passes.set =
        session_passes_for(options.session_passes, options.levels.front());
    load.batcher.session.resources = fixed_resources(options.intra.front(), options.inter.front());
    RunConditions conditions{
        options.levels.front(), options.intra.front(), options.inter.front(), {}};
    const std::vector<NamedValues> requests = requests_of(
        *model, options, std::ranges::max(options.concurrency), conditions.sizes, terminal.cancel);
    if (options.levels.front() != Level::disabled || !options.rules.empty()) {
        OptimizeOptions optimizing;
        optimizing.rules = options.rules;
        optimizing.level = options.levels.front();
        optimizing.near_misses = false;
        model = std::make_shared<const Model>(optimize(*model, optimizing, progress).model);
    }
    const std::vector<LoadComparison> curve = measure_load(model, requests, load, progress);
    Json json = {{"machine", machine_json()},      {"model", model_name(options.models.front())},
                 {"intra", options.intra.front()}, {"inter", options.inter.front()},
                 {"max_batch", options.max_batch}, {"max_delay_ms", options.max_delay_ms},
                 {"seconds", load.seconds},        {"points", Json::array()},
                 {"verdict", verdict(curve)}};
    json.update(conditions_json(conditions));
    for (const LoadComparison& point : curve)
        json["points"].push_back({{"concurrency", point.grouped.concurrency},
                                  {"grouped", point_json(point.grouped)},
                                  {"single", point_json(point.single)}});
    save_json(options.json_file, json);
    if (terminal.json) {
        write_json(terminal.out, json);
        return exit_fine;
    }
    terminal.out << machine_text()
                 << fmt::format(
                        "requests of one row; groups of up to {}, waiting {:g} ms at most, against "
                        "one request per run\n",
                        options.max_batch, options.max_delay_ms);
    print_conditions(terminal.out, conditions);
    TextTable table({"callers", "alone p50 ms", "p99 ms", "per s", "grouped p50 ms", "p99 ms",
                     "per s", "rows per run", "ratio"});
    for (const LoadComparison& point : curve) table.add(point_text(point));
    table.print(terminal.out);
    terminal.out << "  " << verdict(curve) << '\n';
    return exit_fine;
}

}  // namespace lapidary::cli
