// SPDX-License-Identifier: Apache-2.0
#include "cli/bench/bench_report.h"

#include <ostream>
#include <set>

#include <fmt/format.h>

#include <lapidary/internal/shown_text.h>
#include <lapidary/internal/text_file.h>

#include "cli/output/comparison_text.h"
#include "cli/output/conditions_output.h"
#include "cli/output/value_text.h"
#include "cli/run/compute_choice.h"

namespace lapidary::cli {
namespace {

double gflops_of(const BenchRow& row) {
    return row.work.gflop / row.measurement.wall.median.median * 1e3;
}

double share_of_peak(const BenchRow& row, double core_gflops) {
    const RunConfiguration& c = row.measurement.configuration;
    return gflops_of(row) /
           (core_gflops * std::max({c.resources.threads, c.resources.nodes_at_a_time(), 1}));
}

Json engine_json(const BenchRow& row, double core_gflops) {
    const Measurement& m = row.measurement;
    const SampleSummary& s = m.wall;
    Json json = {{"median_ms", json_number(s.median.median)},
                 {"ci_ms", interval_json(s.median)},
                 {"mean_ms", json_number(s.mean)},
                 {"min_ms", json_number(s.minimum)},
                 {"max_ms", json_number(s.maximum)},
                 {"p50_ms", json_number(s.p50)},
                 {"p90_ms", json_number(s.p90)},
                 {"p95_ms", json_number(s.p95)},
                 {"p99_ms", json_number(s.p99)},
                 {"p999_ms", json_number(s.p999)},
                 {"runs", s.runs},
                 {"per_second", json_number(m.per_second)},
                 {"cpu_ms", json_number(m.cpu_ms.median)},
                 {"load_ms", m.fresh_load_ms() ? json_number(*m.fresh_load_ms()) : Json()},
                 {"first_ms", json_number(m.first_ms)},
                 {"peak_mb", m.peak_mb ? json_number(*m.peak_mb) : Json(nullptr)},
                 {"fresh_processes", row.fresh_processes},
                 {"samples", s.median.samples},
                 {"dropped", m.dropped},
                 {"drift", json_number(s.drift)},
                 {"drifts", s.drifts},
                 {"noisy", s.noisy},
                 {"note", s.note}};
    json["gflops"] = json_number(gflops_of(row));
    json["share_of_peak"] = json_number(share_of_peak(row, core_gflops));
    json["weights_gbs"] = json_number(row.work.weight_mb / s.median.median);
    return json;
}

const char* execution_name(const RunConfiguration& c) {
    return c.resources.mode == ExecutionMode::parallel ? "parallel" : "sequential";
}

Json row_json(const BenchRow& row, double core_gflops) {
    const Measurement& m = row.measurement;
    const RunConfiguration& c = m.configuration;
    Json json = {{"model", row.model},
                 {"intra", c.resources.threads},
                 {"inter", c.resources.inter_threads},
                 {"execution", execution_name(c)},
                 {"compute", compute_entry(c.resources)},
                 {"batch", c.batch}};
    json.update(conditions_json(conditions_of(row)));
    if (!m.error.empty()) {
        json["error"] = m.error;
        return json;
    }
    json["quiet"] = !m.busy;
    json["work"] = {{"gflop", json_number(row.work.gflop)},
                    {"weight_mb", json_number(row.work.weight_mb)}};
    json["core_peak_gflops"] = json_number(core_gflops);
    json["ours"] = engine_json(row, core_gflops);
    if (row.choice) json["compute_choice"] = compute_json(*row.choice);
    if (row.lowered) json["lowered_precision"] = lowered_json(*row.lowered);
    const Difference& d = row.against_first;
    if (!d.sentence.empty())
        json["against_first"] = {{"ratio", json_number(d.ratio.median)},
                                 {"ci", interval_json(d.ratio)},
                                 {"pairs", d.ratio.samples},
                                 {"significant", d.significant},
                                 {"sentence", d.sentence}};
    return json;
}

}  // namespace

namespace {

/// Prints each size once, even if several rows have it.
void print_default_sizes(std::ostream& out, const std::vector<BenchRow>& rows) {
    std::set<std::string> reported;
    for (const BenchRow& row : rows)
        if (const std::string text = text_of_chosen(row.sizes);
            !text.empty() && reported.insert(text).second)
            print_chosen_sizes(out, row.sizes);
}

}  // namespace

Json bench_json(const BenchCommandOptions& options, const BenchResult& result) {
    Json json = {{"machine", machine_json()},
                 {"options",
                  {{"against", options.against},
                   {"seconds", options.measuring.seconds},
                   {"precision", options.measuring.precision},
                   {"runs", options.runs},
                   {"seed", options.inputs.seed},
                   {"dimensions", options.inputs.dimensions}}},
                 {"portions", result.portions},
                 {"configurations", Json::array()}};
    for (const BenchRow& row : result.rows)
        json["configurations"].push_back(row_json(row, result.core_gflops));
    return json;
}

void print_bench(std::ostream& out, const BenchResult& result) {
    out << machine_text();
    TextTable table({"model", "configuration", "peak", "ms", "+-", "mean", "p50", "p90", "p95",
                     "p99", "p99.9", "per s", "load", "first", "MB", "samples", "dropped"},
                    {0, 1});
    for (const BenchRow& row : result.rows) {
        const Measurement& m = row.measurement;
        if (!m.error.empty()) continue;
        const SampleSummary& s = m.wall;
        table.add({plain(row.model), plain(configuration_text(row)),
                   row.work.gflop > 0
                       ? fmt::format("{:.0f} %", 100 * share_of_peak(row, result.core_gflops))
                       : "-",
                   ms_text(s.median.median), spread_text(s.median), ms_text(s.mean), ms_text(s.p50),
                   ms_text(s.p90), ms_text(s.p95), ms_text(s.p99), ms_text(s.p999),
                   fmt::format("{:.4g}", m.per_second),
                   m.fresh_load_ms() ? ms_text(*m.fresh_load_ms()) : "-", ms_text(m.first_ms),
                   m.peak_mb ? fmt::format("{:.0f}", *m.peak_mb) : "-",
                   std::to_string(s.median.samples), std::to_string(m.dropped)});
    }
    table.print(out);
    print_default_sizes(out, result.rows);
    for (const BenchRow& row : result.rows) {
        const std::string name = plain(row.model) + ", " + plain(configuration_text(row));
        if (!row.measurement.error.empty())
            out << "  " << plain(row.model) << ": " << plain(row.measurement.error) << '\n';
        else if (!row.measurement.wall.note.empty())
            out << "  " << name << ": " << plain(row.measurement.wall.note) << '\n';
    }
    for (const BenchRow& row : result.rows) {
        if (row.choice) {
            out << "  " << plain(row.model) << ", --compute auto:\n";
            print_compute(out, *row.choice);
        }
        if (row.lowered) out << "  " << plain(text_of(*row.lowered)) << '\n';
    }
    for (const BenchRow& row : result.rows) {
        const Difference& d = row.against_first;
        if (d.sentence.empty()) continue;
        const bool named = d.significant;  // the sentence then begins with the name
        out << "  against the first, " << (named ? "" : plain(configuration_text(row)) + ": ")
            << plain(d.sentence) << '\n';
    }
    out << "  peak: share of the cores' 32-bit multiply-add speed by the model's arithmetic as "
           "loaded; +-: half the 95 "
           "% interval of the median; load: ms to load and compile in a separate process; first: "
           "ms of its first "
           "run; MB: most memory that it held, the program and what loading takes among it\n";
    if (result.portions > 1)
        out << "  measured in " << result.portions
            << " portions: memory does not hold all engines at a time; rows of two portions are no "
               "pairs\n";
}

void save_bench_csv(const std::filesystem::path& path, const BenchResult& result) {
    std::string file;
    file +=
        "model,level,intra,inter,execution,batch,sizes,median_ms,low_ms,high_ms,mean_ms,min_ms,max_"
        "ms,p50_ms,p90_ms,"
        "p95_ms,p99_ms,p999_ms,per_second,cpu_ms,load_ms,first_ms,peak_mb,samples,dropped,drift,"
        "note,error,compute\n";
    for (const BenchRow& row : result.rows) {
        const Measurement& m = row.measurement;
        const RunConfiguration& c = m.configuration;
        const SampleSummary& s = m.wall;
        file += fmt::format("{},{},{},{},{},{},{},", csv_field(row.model), name_of(c.level),
                            c.resources.threads, c.resources.inter_threads, execution_name(c),
                            c.batch, csv_field(text_of(RunConditions{{}, 0, 1, row.sizes})));
        if (m.error.empty()) {
            for (const double v : {s.median.median, s.median.low, s.median.high, s.mean, s.minimum,
                                   s.maximum, s.p50, s.p90, s.p95, s.p99, s.p999, m.per_second,
                                   m.cpu_ms.median, m.load_ms, m.first_ms})
                file += fmt::format("{},", v);
            file += (m.peak_mb ? fmt::format("{}", *m.peak_mb) : "") +
                    fmt::format(",{},{},{},", s.median.samples, m.dropped, s.drift);
        } else {
            file += std::string(19, ',');
        }
        file +=
            csv_field(s.note) + ',' + csv_field(m.error) + ',' + compute_entry(c.resources) + '\n';
    }
    save_text(path, file);
}

}  // namespace lapidary::cli
