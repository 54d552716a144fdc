// SPDX-License-Identifier: Apache-2.0
#include "cli/bench/bench_options.h"

#include <algorithm>
#include <map>
#include <ostream>

#include <fmt/format.h>

#include <lapidary/bench/bench.h>
#include <lapidary/onnx_io/model_io.h>

#include "cli/bench/bench_fresh.h"
#include "cli/output/conditions_output.h"
#include "cli/exit_code.h"
#include "cli/terminal.h"
#include "cli/models/model_argument.h"
#include "cli/output/value_text.h"

namespace lapidary::cli {
namespace {

namespace fs = std::filesystem;

/// One line of the result.
struct Row {
    std::string model;
    Level level = default_run_level;
    RunResources resources = fixed_resources();
    std::int64_t batch = 0;  // 0: the model has no such dimension
    Work work;
    UsualSizes sizes;
    BenchFigures figures;
    std::string error;  // why there are no figures
};

RunConditions conditions_of(const Row& row) {
    return {row.level, row.resources.threads, row.resources.inter_threads, row.sizes};
}

class PairedBench {
public:
    PairedBench(const BenchCommandOptions& options, Terminal& terminal)
        : options_(options), terminal_(terminal) {
        if (const auto info = find_peer(options.against); info && !info->runs_models)
            fail_input(std::string(info->title) +
                       " runs decoders token by token alone: add --decode");
        peer_ = peer_of(options);
    }

    /// After a cancel keeps the complete rows; throws cancelled if there are none.
    void run() {
        try {
            for (const std::string& name : options_.models) {
                const fs::path file =
                    model_file_of(name, options_.channel_block, scratch_.path(), progress());
                if (options_.batches.empty()) run_batch(name, file, {});
                for (const std::int64_t batch : options_.batches) run_batch(name, file, batch);
            }
        } catch (const Error& error) {
            if (error.code() != ErrorCode::cancelled || rows_.empty()) throw;
            cancelled_ = true;
        }
    }
    bool cancelled() const { return cancelled_; }

    const std::vector<Row>& rows() const { return rows_; }
    const BenchPeer* peer() const { return peer_.get(); }

private:
    Progress progress() const { return terminal_.progress(); }

    void run_batch(const std::string& name, const fs::path& file,
                   std::optional<std::int64_t> batch) {
        for (const Level level : options_.levels)
            for (const int inter : options_.inter)
                for (const int intra : options_.intra) {
                    Row row;
                    row.model = model_name(name);
                    row.level = level;
                    row.resources = fixed_resources(intra, inter);
                    run_row(row, file, batch);
                    rows_.push_back(std::move(row));
                }
    }

    void run_row(Row& row, const fs::path& file, std::optional<std::int64_t> batch) {
        try {
            const BenchConfiguration configuration{
                file,
                row.level,
                row.resources,
                inputs_of(file, batch, row),
                SessionPasses{session_passes_for(options_.session_passes, row.level), {}},
                options_.rules};
            row.batch = first_dimension(configuration.inputs);
            measure(configuration, row);
        } catch (const Error& error) {
            if (error.code() == ErrorCode::cancelled || options_.models.size() == 1) throw;
            row.error = error.what();
        }
    }

    NamedValues inputs_of(const fs::path& file, std::optional<std::int64_t> batch, Row& row) const {
        const Model model = load_model(file, {}, progress());
        GatheredInputs inputs = inputs_of_size(model, options_.inputs, batch, terminal_.cancel);
        row.work = work_of(model, inputs.values, progress());
        row.sizes = std::move(inputs.sizes);
        return std::move(inputs.values);
    }

    void measure(const BenchConfiguration& configuration, Row& row) {
        const auto ours = open_own_engine(configuration, progress());
        std::unique_ptr<BenchEngine> theirs;
        if (peer_) theirs = peer_->open(configuration, terminal_.cancel);
        if (options_.against == "self") theirs = open_own_engine(configuration, progress());
        row.figures = measure_pair({ours.get(), theirs.get()}, configuration.resources.threads,
                                   options_.measuring, progress());
        if (theirs) row.figures.outputs = compare(configuration, *ours, *theirs);
        if (!options_.memory) return;
        const auto fresh = measure_fresh_processes(configuration, options_.against, peer_.get(),
                                                   scratch_, terminal_.cancel);
        if (!fresh) return;
        take_fresh(fresh->at(0), row.figures.ours);
        if (peer_) take_fresh(fresh->at(1), *row.figures.theirs);
    }

    /// If outputs differ beyond the tolerance, the difference between levels of the other engine
    /// shows how much the model amplifies rounding.
    OutputDifference compare(const BenchConfiguration& configuration, BenchEngine& ours,
                             BenchEngine& theirs) const {
        const NamedValues expected = theirs.outputs();
        const NamedValues found = ours.outputs();
        OutputDifference difference = compare_engines(found, expected, options_.measuring);
        if (difference.matches || !peer_ || configuration.level == Level::disabled)
            return difference;
        BenchConfiguration plain = configuration;
        plain.level = Level::disabled;
        const auto reference = peer_->open(plain, terminal_.cancel);
        const OutputDifference moved =
            compare_engines(reference->outputs(), expected, options_.measuring);
        if (moved.largest.empty()) return difference;
        std::map<std::string, double> further = moved.largest;
        // like guard(), allows twice the difference of the original itself
        for (auto& [name, most] : further) most *= 2;
        difference = compare_engines(found, expected, options_.measuring, further);
        difference.peer_moves = moved.relative;
        return difference;
    }

    static void take_fresh(const FreshFigures& fresh, EngineFigures& figures) {
        figures.load_ms = fresh.load_ms;
        figures.first_ms = fresh.first_ms;
        figures.peak_mb = fresh.peak_mb;
        figures.processes = fresh.processes;
    }

    const BenchCommandOptions& options_;
    Terminal& terminal_;
    ScratchFolder scratch_;
    std::unique_ptr<BenchPeer> peer_;
    std::vector<Row> rows_;
    bool cancelled_ = false;
};

// ---- the summary

struct Summary {
    std::map<int, std::vector<double>> ratios;  // by threads
    std::vector<const Row*> losers;             // slowest first
};

Summary summarize_rows(const std::vector<Row>& rows) {
    Summary summary;
    for (const Row& row : rows) {
        if (!row.error.empty() || !row.figures.theirs) continue;
        summary.ratios[row.resources.threads].push_back(row.figures.ratio.median);
        if (row.figures.ratio.median < 1) summary.losers.push_back(&row);
    }
    std::ranges::sort(summary.losers, {}, [](const Row* r) { return r->figures.ratio.median; });
    return summary;
}

// ---- JSON

Json versus_engine_json(const EngineFigures& figures, const Row& row) {
    const double gflops = row.work.gflop / figures.wall_ms.median * 1e3;
    Json json = {{"median_ms", json_number(figures.wall_ms.median)},
                 {"ci_ms", interval_json(figures.wall_ms)},
                 {"cpu_ms", json_number(figures.cpu_ms.median)},
                 {"load_ms", figures.peak_mb ? json_number(figures.load_ms) : Json()},
                 {"first_ms", json_number(figures.first_ms)},
                 {"peak_mb", nullptr},
                 {"fresh_processes", figures.processes},
                 {"samples", figures.wall_ms.samples},
                 {"dropped", figures.dropped}};
    if (figures.peak_mb) json["peak_mb"] = json_number(*figures.peak_mb);
    json["gflops"] = json_number(gflops);
    json["share_of_peak"] = json_number(gflops / (row.figures.peak_gflops * row.resources.threads));
    json["weights_gbs"] = json_number(row.work.weight_mb / figures.wall_ms.median);
    return json;
}

Json versus_row_json(const Row& row, const std::string& against) {
    Json json = {{"model", row.model},
                 {"intra", row.resources.threads},
                 {"inter", row.resources.inter_threads},
                 {"batch", row.batch}};
    json.update(conditions_json(conditions_of(row)));
    if (!row.error.empty()) {
        json["error"] = row.error;
        return json;
    }
    const BenchFigures& figures = row.figures;
    json["quiet"] = figures.quiet;
    json["work"] = {{"gflop", json_number(row.work.gflop)},
                    {"weight_mb", json_number(row.work.weight_mb)}};
    json["handover_ns"] =
        Json::array({json_number(figures.handover_ns[0]), json_number(figures.handover_ns[1])});
    json["core_peak_gflops"] = json_number(figures.peak_gflops);
    json["ours"] = versus_engine_json(figures.ours, row);
    if (!figures.theirs) return json;
    json[against] = versus_engine_json(*figures.theirs, row);
    json["ratio"] = {{"median", json_number(figures.ratio.median)},
                     {"ci", interval_json(figures.ratio)},
                     {"pairs", figures.ratio.samples}};
    json["cpu_ratio"] = {{"median", json_number(figures.cpu_ratio.median)},
                         {"ci", interval_json(figures.cpu_ratio)}};
    json["outputs_match"] = figures.outputs->matches;
    json["difference"] = json_number(figures.outputs->relative);
    json["onnxruntime_moves"] = json_number(figures.outputs->peer_moves);
    if (!figures.outputs->reason.empty()) json["reason"] = figures.outputs->reason;
    return json;
}

Json versus_json(const BenchCommandOptions& options, const std::vector<Row>& rows,
                 const BenchPeer* peer) {
    Json json = {{"machine", machine_json(options.against, peer ? peer->version() : "")},
                 {"options",
                  {{"against", options.against},
                   {"seconds", options.measuring.seconds},
                   {"precision", options.measuring.precision},
                   {"rtol", options.measuring.rtol},
                   {"atol", options.measuring.atol},
                   {"dimensions", options.inputs.dimensions}}},
                 {"configurations", Json::array()}};
    for (const Row& row : rows)
        json["configurations"].push_back(versus_row_json(row, options.against));
    if (options.against.empty()) return json;
    const Summary summary = summarize_rows(rows);
    json["geometric_mean"] = Json::object();
    for (const auto& [threads, ratios] : summary.ratios)
        json["geometric_mean"][std::to_string(threads)] =
            json_number(geometric_mean_of_ratios(ratios));
    json["losers"] = Json::array();
    for (const Row* row : summary.losers)
        json["losers"].push_back({{"model", row->model},
                                  {"intra", row->resources.threads},
                                  {"batch", row->batch},
                                  {"ratio", json_number(row->figures.ratio.median)}});
    return json;
}

// ---- text

std::vector<std::string> row_text(const Row& row) {
    std::vector<std::string> cells{plain(row.model), plain(text_of(conditions_of(row)))};
    const BenchFigures& f = row.figures;
    const auto add_engine = [&](const EngineFigures& e) {
        cells.push_back(ms_text(e.wall_ms.median));
        cells.push_back(spread_text(e.wall_ms));
        cells.push_back(e.peak_mb ? ms_text(e.load_ms) : "-");
        cells.push_back(ms_text(e.first_ms));
        cells.push_back(e.peak_mb ? fmt::format("{:.0f}", *e.peak_mb) : "-");
    };
    const double peak =
        row.work.gflop / f.ours.wall_ms.median * 1e3 / (f.peak_gflops * row.resources.threads);
    cells.push_back(row.work.gflop > 0 ? fmt::format("{:.0f} %", 100 * peak) : "-");
    add_engine(f.ours);
    if (f.theirs) {
        add_engine(*f.theirs);
        cells.push_back(fmt::format("{:.3f}", f.ratio.median));
        cells.push_back(fmt::format("{:.3f}..{:.3f}", f.ratio.low, f.ratio.high));
        cells.push_back(fmt::format("{} ({:.0e})", f.outputs->matches ? "agree" : "DIFFER",
                                    f.outputs->relative));
    }
    const std::size_t taken = f.ours.wall_ms.samples + (f.quiet ? f.ours.dropped : 0);
    cells.push_back(fmt::format("{}/{}{}", f.ours.dropped + (f.theirs ? f.theirs->dropped : 0),
                                f.theirs ? 2 * taken : taken, f.quiet ? "" : " busy"));
    return cells;
}

void print_ratios(std::ostream& out, const Summary& summary) {
    for (const auto& [threads, ratios] : summary.ratios)
        out << fmt::format("geometric mean of {} {}, {} {}: {:.3f}\n", ratios.size(),
                           ratios.size() == 1 ? "ratio" : "ratios", threads,
                           threads == 1 ? "thread" : "threads", geometric_mean_of_ratios(ratios));
    if (summary.losers.empty()) return;
    out << "slower than the other\n";
    for (const Row* row : summary.losers)
        out << fmt::format("  {:.3f}  {}, {} {}\n", row->figures.ratio.median, plain(row->model),
                           row->resources.threads,
                           row->resources.threads == 1 ? "thread" : "threads");
}

void print_rows(std::ostream& out, const BenchCommandOptions& options, const std::vector<Row>& rows,
                const BenchPeer* peer) {
    out << machine_text();
    if (peer)
        out << "against  " << peer_title(options.against) << ' ' << plain(peer->version()) << ", "
            << plain(peer->path().string()) << '\n';
    if (options.against == "self") out << "against  itself\n";
    std::vector<std::string> header{"model", "configuration", "peak",  "ms",
                                    "+-",    "load",          "first", "MB"};
    if (!options.against.empty()) {
        for (const char* name :
             {"their ms", "+-", "load", "first", "MB", "ratio", "95 %", "outputs"})
            header.emplace_back(name);
    }
    header.emplace_back("dropped");
    TextTable table(header, {0, 1});
    for (const Row& row : rows)
        if (row.error.empty()) table.add(row_text(row));
    table.print(out);
    bool is_busy = false;
    for (const Row& row : rows) {
        if (!row.error.empty())
            out << "  " << plain(row.model) << ", " << plain(text_of(conditions_of(row))) << ": "
                << plain(row.error) << '\n';
        else if (row.figures.outputs && !row.figures.outputs->matches)
            out << "  " << plain(row.model) << ": " << plain(row.figures.outputs->reason) << '\n';
        is_busy = is_busy || (row.error.empty() && !row.figures.quiet);
    }
    out << "  peak: share of the cores' 32-bit multiply-add speed by the model's arithmetic as "
           "loaded; ms, load, first "
           "and MB in front are ours\n";
    if (is_busy)
        out << "  busy: the machine had other work or ran slow during nearly all samples; none "
               "were dropped, trust the "
               "ratio of pairs only\n";
    if (!options.against.empty()) print_ratios(out, summarize_rows(rows));
}

}  // namespace

int run_versus(const BenchCommandOptions& options, Terminal& terminal) {
    PairedBench bench(options, terminal);
    bench.run();
    Json json = versus_json(options, bench.rows(), bench.peer());
    json["cancelled"] = bench.cancelled();
    save_json(options.json_file, json);
    if (terminal.json) write_json(terminal.out, json);
    else print_rows(terminal.out, options, bench.rows(), bench.peer());
    if (bench.cancelled()) {
        if (!terminal.json) terminal.err << "lapidary-cli: cancelled; what was measured is shown\n";
        return exit_cancelled;
    }
    for (const Row& row : bench.rows())
        if (!row.error.empty()) return exit_not_supported;
    for (const Row& row : bench.rows())
        if (row.figures.outputs && !row.figures.outputs->matches) return exit_check_failed;
    return exit_fine;
}

}  // namespace lapidary::cli
