// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <ostream>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <lapidary/bench.h>
#include <lapidary/cost_rollback.h>
#include <lapidary/model_io.h>
#include <lapidary/model_summary.h>
#include <lapidary/samples.h>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/json_output.h"
#include "cli/value_text.h"

namespace lapidary::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view sample_prefix = "sample:";

/// Files that live as long as the command.
class ScratchFolder {
public:
    ScratchFolder() {
        std::string name = (fs::temp_directory_path() / "lapidary-bench-XXXXXX").string();
        if (!::mkdtemp(name.data())) fail(ErrorCode::io_failure, name + ": the folder cannot be made");
        path_ = name;
    }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
    ~ScratchFolder() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    const fs::path& path() const { return path_; }

private:
    fs::path path_;
};

/// What a run has to do at least.
struct Work {
    double gflop = 0;      // arithmetic of the model as loaded, 2 per multiply-add; 0 where sizes are unknown
    double weight_mb = 0;  // read in every run
};

/// One line of the result.
struct Row {
    std::string model;
    Level level = Level::all;
    int intra = 1, inter = 1;
    std::int64_t batch = 0;  // 0: the model has no such dimension
    Work work;
    BenchFigures figures;
    std::string error;       // why there are no figures
};

/// The symbols that stand first in the inputs' shapes.
std::map<std::string, std::int64_t> first_dimension_sizes(const Model& model, std::int64_t batch) {
    std::map<std::string, std::int64_t> sizes;
    for (const ValueId id : model.graph.inputs())
        if (const Value& input = model.graph.value(id); !input.constant && input.type.shape && !input.type.shape->empty())
            if (const Dim& first = (*input.type.shape)[0]; first.is_symbolic()) sizes[first.symbol()] = batch;
    if (sizes.empty()) fail_input("--batch: no input has a first dimension that is free");
    return sizes;
}

std::int64_t first_dimension(const NamedValues& inputs) {
    return !inputs.empty() && inputs[0].second.is_tensor() && inputs[0].second.tensor().rank() > 0 ? inputs[0].second.tensor().dim(0) : 0;
}

/// Operations of LSTM, GRU and RNN: X [S,B,I] by W [D,G*H,I] and, S times, [B,H] by R [D,G*H,H].
std::optional<double> recurrent_work(const Graph& graph, const Node& node) {
    double weights = 0;
    for (const std::size_t input : {1u, 2u}) {
        const Type& type = graph.value(node.inputs.at(input)).type;
        if (!type.is_static()) return std::nullopt;
        weights += static_cast<double>(element_count(type.static_shape()));
    }
    const Type& x = graph.value(node.inputs.at(0)).type;
    if (!x.is_static() || x.shape->size() < 2) return std::nullopt;
    return 2 * weights * static_cast<double>(x.static_shape()[0] * x.static_shape()[1]);
}

/// Of operators that multiply matrices, subgraphs left out. gflop is 0 when the work of one of them is unknown.
Work work_of(const Model& model, const NamedValues& inputs, const Progress& progress) {
    static const std::set<std::string_view> recurrent{"LSTM", "GRU", "RNN"};
    static const std::set<std::string_view> products{"Conv", "ConvTranspose", "ConvInteger", "QLinearConv", "FusedConv", "MatMul", "MatMulInteger", "QLinearMatMul",
                                                     "Gemm", "FusedMatMul", "FusedGemm", "QGemm", "DynamicQuantizeMatMul", "MatMulIntegerToFloat", "Attention",
                                                     "MultiHeadAttention", "Einsum"};
    Work work;
    work.weight_mb = static_cast<double>(summarize(model).weight_bytes) / 1e6;
    const Model sized = sized_for(model, inputs, progress);
    std::optional<double> operations = 0;
    for (const NodeId id : sized.graph.nodes()) {
        const Node& node = sized.graph.node(id);
        std::optional<double> part = 0;
        if (recurrent.contains(node.op_type)) part = recurrent_work(sized.graph, node);
        else if (products.contains(node.op_type)) part = estimated_work(sized.graph, id);
        operations = operations && part ? std::optional<double>(*operations + *part) : std::nullopt;
    }
    work.gflop = operations.value_or(0) / 1e9;
    return work;
}

class Bench {
public:
    Bench(const BenchCommandOptions& options, Terminal& terminal) : options_(options), terminal_(terminal) {
        if (options.against == "onnxruntime") peer_ = find_onnxruntime_peer(options.onnxruntime);
    }

    void run() {
        for (const std::string& name : options_.models) {
            const fs::path file = file_of(name);
            if (options_.batches.empty()) run_batch(name, file, {});
            for (const std::int64_t batch : options_.batches) run_batch(name, file, batch);
        }
    }

    const std::vector<Row>& rows() const { return rows_; }
    const OnnxRuntimePeer* peer() const { return peer_.get(); }

private:
    Progress progress() const { return {terminal_.cancel, {}}; }

    fs::path file_of(const std::string& name) {
        if (!name.starts_with(sample_prefix)) return name;
        const fs::path file = scratch_.path() / (name.substr(sample_prefix.size()) + ".onnx");
        if (!fs::exists(file)) save_model(build_sample(name.substr(sample_prefix.size())), file, {}, progress());
        return file;
    }

    void run_batch(const std::string& name, const fs::path& file, std::optional<std::int64_t> batch) {
        for (const int intra : options_.intra) {
            Row row;
            row.model = name.starts_with(sample_prefix) ? name.substr(sample_prefix.size()) : fs::path(name).stem().string();
            row.level = options_.level;
            row.intra = intra;
            row.inter = options_.inter;
            try {
                BenchConfiguration configuration{file, options_.level, intra, options_.inter, inputs_of(file, batch, row.work)};
                row.batch = first_dimension(configuration.inputs);
                measure(configuration, row);
            } catch (const Error& error) {
                if (error.code() == ErrorCode::cancelled || options_.models.size() == 1) throw;
                row.error = error.what();
            }
            rows_.push_back(std::move(row));
        }
    }

    NamedValues inputs_of(const fs::path& file, std::optional<std::int64_t> batch, Work& work) const {
        const Model model = load_model(file, {}, progress());
        InputOptions inputs = options_.inputs;
        if (batch) inputs.dimensions.merge(first_dimension_sizes(model, *batch));
        NamedValues values = gather_inputs(model, inputs).values;
        work = work_of(model, values, progress());
        return values;
    }

    void measure(const BenchConfiguration& configuration, Row& row) {
        const auto ours = open_own_engine(configuration, progress());
        std::unique_ptr<BenchEngine> theirs;
        if (peer_) theirs = peer_->open(configuration, terminal_.cancel);
        if (options_.against == "self") theirs = open_own_engine(configuration, progress());
        row.figures = measure_pair({ours.get(), theirs.get()}, configuration.intra_threads, options_.measuring, progress());
        if (theirs) row.figures.outputs = compare(configuration, *ours, *theirs);
        if (!options_.memory) return;
        measure_fresh_processes(configuration, row.figures);
    }

    /// Beyond tolerance, what ONNX Runtime moves by between levels tells how much of a difference the model amplifies.
    OutputDifference compare(const BenchConfiguration& configuration, BenchEngine& ours, BenchEngine& theirs) const {
        const NamedValues expected = theirs.outputs();
        OutputDifference difference = compare_engines(ours.outputs(), expected, options_.measuring);
        if (difference.matches || !peer_ || configuration.level == Level::disabled) return difference;
        BenchConfiguration plain = configuration;
        plain.level = Level::disabled;
        const auto reference = peer_->open(plain, terminal_.cancel);
        difference.peer_moves = compare_engines(reference->outputs(), expected, options_.measuring).relative;
        difference.matches = difference.relative > 0 && difference.relative <= 2 * difference.peer_moves;
        return difference;
    }

    void measure_fresh_processes(const BenchConfiguration& configuration, BenchFigures& figures) {
        const fs::path program = fs::read_symlink("/proc/self/exe");
        if (!program.filename().string().starts_with("lapidary-cli")) return;  // linked into another program
        const fs::path folder = scratch_.path() / "inputs";
        fs::remove_all(folder);
        fs::create_directory(folder);
        save_bench_inputs(configuration.inputs, folder);
        std::vector<std::string> command{program.string(), "bench", configuration.model.string(), "--level", std::string(name_of(configuration.level)),
                                         "--intra", std::to_string(configuration.intra_threads), "--inter", std::to_string(configuration.inter_threads),
                                         "--fresh-inputs", folder.string()};
        if (peer_) command.insert(command.end(), {"--onnxruntime", peer_->path().string()});
        std::vector<std::vector<std::string>> commands{command};
        commands.back().insert(commands.back().end(), {"--fresh", "lapidary"});
        if (peer_) {
            commands.push_back(command);
            commands.back().insert(commands.back().end(), {"--fresh", "onnxruntime"});
        }
        const std::vector<FreshFigures> fresh = run_fresh_processes(commands, terminal_.cancel);
        take_fresh(fresh.at(0), figures.ours);
        if (peer_) take_fresh(fresh.at(1), *figures.theirs);
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
    std::unique_ptr<OnnxRuntimePeer> peer_;
    std::vector<Row> rows_;
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
        summary.ratios[row.intra].push_back(row.figures.ratio.median);
        if (row.figures.ratio.median < 1) summary.losers.push_back(&row);
    }
    std::ranges::sort(summary.losers, {}, [](const Row* r) { return r->figures.ratio.median; });
    return summary;
}

// ---- JSON

Json interval_json(const MedianEstimate& estimate) { return Json::array({json_number(estimate.low), json_number(estimate.high)}); }

Json engine_json(const EngineFigures& figures, const Row& row) {
    const double gflops = row.work.gflop / figures.wall_ms.median * 1e3;
    Json json = {{"median_ms", json_number(figures.wall_ms.median)},
                 {"ci_ms", interval_json(figures.wall_ms)},
                 {"cpu_ms", json_number(figures.cpu_ms.median)},
                 {"load_ms", json_number(figures.load_ms)},
                 {"first_ms", json_number(figures.first_ms)},
                 {"peak_mb", nullptr},
                 {"fresh_processes", figures.processes},
                 {"samples", figures.wall_ms.samples},
                 {"dropped", figures.dropped}};
    if (figures.peak_mb) json["peak_mb"] = json_number(*figures.peak_mb);
    json["gflops"] = json_number(gflops);
    json["share_of_peak"] = json_number(gflops / (row.figures.peak_gflops * row.intra));
    json["weights_gbs"] = json_number(row.work.weight_mb / figures.wall_ms.median);
    return json;
}

Json row_json(const Row& row, const std::string& against) {
    Json json = {{"model", row.model}, {"level", name_of(row.level)}, {"intra", row.intra}, {"inter", row.inter}, {"batch", row.batch}};
    if (!row.error.empty()) {
        json["error"] = row.error;
        return json;
    }
    const BenchFigures& figures = row.figures;
    json["quiet"] = figures.quiet;
    json["work"] = {{"gflop", json_number(row.work.gflop)}, {"weight_mb", json_number(row.work.weight_mb)}};
    json["handover_ns"] = Json::array({json_number(figures.handover_ns[0]), json_number(figures.handover_ns[1])});
    json["core_peak_gflops"] = json_number(figures.peak_gflops);
    json["ours"] = engine_json(figures.ours, row);
    if (!figures.theirs) return json;
    json[against] = engine_json(*figures.theirs, row);
    json["ratio"] = {{"median", json_number(figures.ratio.median)}, {"ci", interval_json(figures.ratio)}, {"pairs", figures.ratio.samples}};
    json["cpu_ratio"] = {{"median", json_number(figures.cpu_ratio.median)}, {"ci", interval_json(figures.cpu_ratio)}};
    json["outputs_match"] = figures.outputs->matches;
    json["difference"] = json_number(figures.outputs->relative);
    json["onnxruntime_moves"] = json_number(figures.outputs->peer_moves);
    if (!figures.outputs->reason.empty()) json["reason"] = figures.outputs->reason;
    return json;
}

Json result_json(const BenchCommandOptions& options, const std::vector<Row>& rows, const OnnxRuntimePeer* peer) {
    const MachineInfo machine = machine_info();
    Json json = {{"machine",
                  {{"cpu", machine.cpu}, {"isa", machine.isa}, {"cores", machine.cores}, {"memory_gb", machine.memory_gb}, {"system", machine.system},
                   {"date", machine.date}, {"lapidary", LAPIDARY_VERSION}, {"onnxruntime", peer ? Json(peer->version()) : Json(nullptr)}}},
                 {"options", {{"against", options.against}, {"seconds", options.measuring.seconds}, {"precision", options.measuring.precision},
                              {"rtol", options.measuring.rtol}, {"atol", options.measuring.atol}, {"dimensions", options.inputs.dimensions}}},
                 {"configurations", Json::array()}};
    for (const Row& row : rows) json["configurations"].push_back(row_json(row, options.against));
    if (options.against.empty()) return json;
    const Summary summary = summarize_rows(rows);
    json["geometric_mean"] = Json::object();
    for (const auto& [threads, ratios] : summary.ratios) json["geometric_mean"][std::to_string(threads)] = json_number(geometric_mean_of_ratios(ratios));
    json["losers"] = Json::array();
    for (const Row* row : summary.losers)
        json["losers"].push_back({{"model", row->model}, {"intra", row->intra}, {"batch", row->batch}, {"ratio", json_number(row->figures.ratio.median)}});
    return json;
}

// ---- text

std::string ms_text(double ms) { return fmt::format("{:.{}f}", ms, ms < 1 ? 4 : ms < 100 ? 3 : 1); }
std::string spread_text(const MedianEstimate& e) { return fmt::format("{:.1f} %", 50 * (e.high - e.low) / e.median); }

std::vector<std::string> row_text(const Row& row) {
    std::vector<std::string> cells{plain(row.model), row.batch ? std::to_string(row.batch) : "-", std::to_string(row.intra)};
    const BenchFigures& f = row.figures;
    const auto add_engine = [&](const EngineFigures& e) {
        cells.push_back(ms_text(e.wall_ms.median));
        cells.push_back(spread_text(e.wall_ms));
        cells.push_back(ms_text(e.load_ms));
        cells.push_back(ms_text(e.first_ms));
        cells.push_back(e.peak_mb ? fmt::format("{:.0f}", *e.peak_mb) : "-");
    };
    const double peak = row.work.gflop / f.ours.wall_ms.median * 1e3 / (f.peak_gflops * row.intra);
    cells.push_back(row.work.gflop > 0 ? fmt::format("{:.0f} %", 100 * peak) : "-");
    add_engine(f.ours);
    if (f.theirs) {
        add_engine(*f.theirs);
        cells.push_back(fmt::format("{:.3f}", f.ratio.median));
        cells.push_back(fmt::format("{:.3f}..{:.3f}", f.ratio.low, f.ratio.high));
        cells.push_back(fmt::format("{} ({:.0e})", f.outputs->matches ? "agree" : "DIFFER", f.outputs->relative));
    }
    const std::size_t taken = f.ours.wall_ms.samples + (f.quiet ? f.ours.dropped : 0);
    cells.push_back(fmt::format("{}/{}{}", f.ours.dropped + (f.theirs ? f.theirs->dropped : 0), f.theirs ? 2 * taken : taken, f.quiet ? "" : " busy"));
    return cells;
}

void print_rows(std::ostream& out, const BenchCommandOptions& options, const std::vector<Row>& rows, const OnnxRuntimePeer* peer) {
    const MachineInfo machine = machine_info();
    out << fmt::format("machine  {}, {}, {} cores, {}, {}\n", machine.cpu, machine.isa, machine.cores, machine.system, machine.date);
    if (peer) out << "against  ONNX Runtime " << plain(peer->version()) << ", " << plain(peer->path().string()) << '\n';
    if (options.against == "self") out << "against  itself\n";
    std::vector<std::string> header{"model", "batch", "threads", "peak", "ms", "+-", "load", "first", "MB"};
    if (!options.against.empty()) {
        for (const char* name : {"their ms", "+-", "load", "first", "MB", "ratio", "95 %", "outputs"}) header.emplace_back(name);
    }
    header.emplace_back("dropped");
    TextTable table(header);
    for (const Row& row : rows)
        if (row.error.empty()) table.add(row_text(row));
    table.print(out);
    bool is_busy = false;
    for (const Row& row : rows) {
        if (!row.error.empty()) out << "  " << plain(row.model) << ", " << row.intra << " threads: " << plain(row.error) << '\n';
        else if (row.figures.outputs && !row.figures.outputs->matches) out << "  " << plain(row.model) << ": " << plain(row.figures.outputs->reason) << '\n';
        is_busy = is_busy || (row.error.empty() && !row.figures.quiet);
    }
    out << "  peak: share of the cores' 32-bit multiply-add speed by the model's arithmetic as loaded; ms, load, first and MB in front are ours\n";
    if (is_busy) out << "  busy: the machine had other work or ran slow during nearly all samples; none were dropped, trust the ratio of pairs only\n";
    if (options.against.empty()) return;
    const Summary summary = summarize_rows(rows);
    for (const auto& [threads, ratios] : summary.ratios)
        out << fmt::format("geometric mean of {} {}, {} {}: {:.3f}\n", ratios.size(), ratios.size() == 1 ? "ratio" : "ratios", threads,
                           threads == 1 ? "thread" : "threads", geometric_mean_of_ratios(ratios));
    if (summary.losers.empty()) return;
    out << "slower than the other\n";
    for (const Row* row : summary.losers)
        out << fmt::format("  {:.3f}  {}, {} {}\n", row->figures.ratio.median, plain(row->model), row->intra, row->intra == 1 ? "thread" : "threads");
}

int run_fresh(const BenchCommandOptions& options, Terminal& terminal) {
    const BenchConfiguration configuration{options.models.at(0), options.level, options.intra.at(0), options.inter, load_bench_inputs(options.fresh_inputs)};
    const auto engine = options.fresh == "onnxruntime" ? find_onnxruntime_peer(options.onnxruntime)->open(configuration, terminal.cancel)
                                                       : open_own_engine(configuration, {terminal.cancel, {}});
    terminal.out << fresh_figures_text(measure_fresh(*engine)) << '\n';
    return exit_fine;
}

}  // namespace

int run_bench(const BenchCommandOptions& options, Terminal& terminal) {
    if (!options.fresh.empty()) return run_fresh(options, terminal);
    Bench bench(options, terminal);
    bench.run();
    if (!options.json_file.empty()) {
        std::ofstream file(options.json_file);
        write_json(file, result_json(options, bench.rows(), bench.peer()));
        if (!file.flush()) fail(ErrorCode::io_failure, options.json_file.string() + ": the file could not be written");
    }
    if (terminal.json) write_json(terminal.out, result_json(options, bench.rows(), bench.peer()));
    else print_rows(terminal.out, options, bench.rows(), bench.peer());
    for (const Row& row : bench.rows())
        if (!row.error.empty()) return exit_not_supported;
    for (const Row& row : bench.rows())
        if (row.figures.outputs && !row.figures.outputs->matches) return exit_check_failed;
    return exit_fine;
}

}  // namespace lapidary::cli
