// SPDX-License-Identifier: Apache-2.0
#include "report/report_tables.h"

#include <algorithm>

#include <lapidary/profile/session_overhead.h>

namespace lapidary {
namespace {

constexpr std::size_t shown_origins = 12;

const TableColumn side_column{"side", "Side", CellKind::text, "Variant"};

TableCell count(std::size_t n) { return static_cast<std::int64_t>(n); }

template <typename T>
TableCell cell_of(const std::optional<T>& value) {
    if (!value) return {};
    return *value;
}

/// Nothing where a figure was not taken.
TableCell measured(double value) {
    if (value == 0) return {};
    return value;
}

std::vector<TableCell> measurement_row(const std::string& name, const Measurement& m) {
    const RunConfiguration& c = m.configuration;
    std::vector<TableCell> row{
        name,
        std::string(name_of(c.level)),
        std::int64_t{c.resources.threads},
        std::int64_t{c.resources.inter_threads},
        std::string(c.resources.mode == ExecutionMode::parallel ? "parallel" : "sequential"),
        std::string(c.resources.spinning ? "on" : "off"),
        c.batch > 0 ? TableCell(c.batch) : TableCell()};
    if (!m.error.empty()) {
        row.resize(23);
        row.push_back(m.error);
        return row;
    }
    const SampleSummary& w = m.wall;
    for (const double value : {w.median.median, w.median.low, w.median.high, w.mean, w.minimum,
                               w.maximum, w.p90, w.p95, w.p99, w.p999})
        row.push_back(value);
    row.push_back(measured(m.per_second));
    row.push_back(measured(m.cpu_ms.median));
    row.push_back(cell_of(m.fresh_load_ms()));
    row.push_back(measured(m.first_ms));
    row.push_back(cell_of(m.peak_mb));
    row.push_back(count(w.median.samples));
    row.push_back(w.note);
    return row;
}

}  // namespace

std::string origin_names(const Node& node, const Model* original) {
    if (!original) return {};
    std::string names;
    std::size_t shown = 0, all = 0;
    for (const NodeId id : node.origins) {
        if (!original->graph.is_alive(id)) continue;
        if (++all > shown_origins) continue;
        const Node& origin = original->graph.node(id);
        names += (shown++ ? ", " : "") +
                 (origin.name.empty() ? origin.qualified_op() + " #" + std::to_string(id.index)
                                      : origin.name);
    }
    if (all > shown) names += ", ... " + std::to_string(all - shown) + " more";
    return names;
}

Table node_table(const ReportContent& content, const ReportSide& side) {
    Table table{"nodes",
                {side_column,
                 {"node", "Node", CellKind::code, "Name of the step as it ran"},
                 {"operator", "Operator"},
                 {"kernel", "Kernel", CellKind::code, "What computed it"},
                 {"ms", "Time", CellKind::milliseconds_bar, "In the typical run"},
                 {"min_ms", "Least", CellKind::milliseconds, "Shortest call"},
                 {"max_ms", "Most", CellKind::milliseconds, "Longest call"},
                 {"share", "Share", CellKind::share, "Of the wall time of a run"},
                 {"calls", "Calls", CellKind::count, "Over all profiled runs"},
                 {"shapes", "Shapes", CellKind::code, "Inputs -> outputs"},
                 {"original_nodes", "Stands for", CellKind::code, "Nodes of the original model"}},
                {}};
    if (!side.profile) return table;
    for (const NodeTotal& node : summarize(*side.profile).nodes) {
        std::string origins;
        if (side.model && node.node && executed_graph(side).is_alive(node.node))
            origins = origin_names(executed_graph(side).node(node.node), content.original.get());
        table.rows.push_back({side.name, node.name, node.op, node.kernel, node.ms, node.min_ms,
                              node.max_ms, node.share, node.calls, node.shapes, origins});
    }
    return table;
}

Table operator_table(const ReportSide& side) {
    Table table{"operators",
                {side_column,
                 {"operator", "Operator"},
                 {"calls", "Calls", CellKind::count, "Per run"},
                 {"ms", "Time", CellKind::milliseconds_bar, "In the typical run"},
                 {"share", "Share", CellKind::share, "Of the wall time of a run"}},
                {}};
    if (!side.profile) return table;
    for (const OperatorTotal& op : summarize(*side.profile).operators)
        table.rows.push_back({side.name, op.op, op.count, op.self_ms, op.share});
    const SessionOverhead overhead = session_overhead(*side.profile);
    table.rows.push_back(
        {side.name, std::string(overhead_name), {}, overhead.run_ms, overhead.share});
    return table;
}

Table phase_table(const ReportSide& side) {
    Table table{"phases",
                {side_column,
                 {"phase", "Phase", CellKind::text, "Once per session"},
                 {"within", "Within", CellKind::text, "The phase that it is a part of"},
                 {"ms", "Time", CellKind::milliseconds, "Empty: not known"}},
                {}};
    if (!side.profile) return table;
    std::string outer;
    for (const PhaseTime& phase : phase_times(*side.profile)) {
        const TableCell ms = phase.ms ? TableCell(*phase.ms) : TableCell();
        if (phase.depth == 0) outer = phase.name;
        table.rows.push_back(
            {side.name, phase.name, phase.depth > 0 ? TableCell(outer) : TableCell(), ms});
    }
    table.rows.push_back({side.name,
                          std::string(overhead_name) + ", once",
                          {},
                          session_overhead(*side.profile).once_ms});
    return table;
}

Table measurement_table(const ReportContent& content) {
    Table table{
        "measurements",
        {side_column,
         {"level", "Level", CellKind::text, "Optimization level of the session"},
         {"intra_threads", "Threads", CellKind::count, "Inside an operator"},
         {"inter_threads", "Inter", CellKind::count, "Operators at a time, in the parallel mode"},
         {"mode", "Mode"},
         {"spinning", "Spinning"},
         {"batch", "Batch", CellKind::count, "Size of the first dimension"},
         {"median_ms", "Median", CellKind::milliseconds, "Wall time of a run"},
         {"low_ms", "From", CellKind::milliseconds, "Lower end of the 95 % interval of the median"},
         {"high_ms", "To", CellKind::milliseconds, "Upper end of the 95 % interval of the median"},
         {"mean_ms", "Mean", CellKind::milliseconds},
         {"min_ms", "Least", CellKind::milliseconds},
         {"max_ms", "Most", CellKind::milliseconds},
         {"p90_ms", "p90", CellKind::milliseconds, "90 of 100 runs took at most this"},
         {"p95_ms", "p95", CellKind::milliseconds},
         {"p99_ms", "p99", CellKind::milliseconds},
         {"p999_ms", "p99.9", CellKind::milliseconds},
         {"per_second", "Per second", CellKind::number, "Inferences: batch by median"},
         {"cpu_ms", "CPU", CellKind::milliseconds, "Of all threads, per run"},
         {"load_ms", "Load", CellKind::milliseconds,
          "From the file to the session, in a fresh process"},
         {"first_ms", "First run", CellKind::milliseconds},
         {"peak_mb", "Resident MB", CellKind::number,
          "Memory of a fresh process, pages of files included, 1e6 bytes"},
         {"samples", "Samples", CellKind::count},
         {"note", "Note", CellKind::text}},
        {}};
    for (const ReportSide& side : content.sides)
        if (side.measurement) table.rows.push_back(measurement_row(side.name, *side.measurement));
    if (content.sweep)
        for (const SweepCell& cell : content.sweep->cells) {
            Measurement m = cell.measurement;
            m.configuration = cell.configuration;
            if (cell.state != CellState::done && m.error.empty())
                m.error = cell.reason.empty() ? "not measured" : cell.reason;
            table.rows.push_back(measurement_row("sweep", m));
        }
    for (auto& row : table.rows) row.resize(table.columns.size());
    return table;
}

Table pass_table(const ReportSide& side) {
    Table table{"passes",
                {side_column,
                 {"pass", "Pass", CellKind::code},
                 {"level", "Level"},
                 {"applied", "Applied", CellKind::count, "Rewrites"},
                 {"missed", "Near misses", CellKind::count, "Places that almost matched"},
                 {"node_change", "Nodes", CellKind::number, "Change of the number of nodes"},
                 {"ms", "Time", CellKind::milliseconds},
                 {"skipped", "Why it did not run"}},
                {}};
    if (!side.passes) return table;
    for (const PassRun& run : side.passes->passes) {
        if (!run.skipped.empty())
            table.rows.push_back({side.name,
                                  run.pass,
                                  std::string(name_of(run.level)),
                                  {},
                                  {},
                                  {},
                                  {},
                                  run.skipped});
        else
            table.rows.push_back({side.name, run.pass, std::string(name_of(run.level)),
                                  count(run.applied), count(run.missed),
                                  static_cast<std::int64_t>(run.node_change),
                                  static_cast<double>(run.nanoseconds) / 1e6, std::string()});
    }
    return table;
}

Table rewrite_table(const ReportSide& side) {
    Table table{"rewrites",
                {side_column,
                 {"number", "No.", CellKind::count},
                 {"pass", "Pass", CellKind::code},
                 {"level", "Level"},
                 {"place", "Place"},
                 {"remark", "What it did"},
                 {"removed", "Nodes away", CellKind::count},
                 {"added", "Nodes new", CellKind::count}},
                {}};
    if (!side.passes) return table;
    std::int64_t number = 0;
    for (const AppliedRewrite& applied : side.passes->rewrites)
        table.rows.push_back({side.name, ++number, applied.rewrite.pass,
                              std::string(name_of(applied.level)), applied.place.text(),
                              applied.rewrite.remark, count(applied.rewrite.removed.size()),
                              count(applied.rewrite.added.size())});
    return table;
}

Table difference_table(const ReportContent& content, const Matching& matching) {
    const std::string a = content.sides[0].name, b = content.sides[1].name;
    Table table{"differences",
                {{"node", matching.by_origin ? "Original node" : "Node", CellKind::code},
                 {"operator", "Operator"},
                 {"a_ms", a, CellKind::milliseconds, "In the typical run"},
                 {"b_ms", b, CellKind::milliseconds, "In the typical run"},
                 {"change_ms", "Change", CellKind::change, "The second less the first"},
                 {"a_among", "Shared in A", CellKind::count,
                  "Original nodes that one step stands for: its time is divided among them"},
                 {"b_among", "Shared in B", CellKind::count,
                  "Original nodes that one step stands for: its time is divided among them"}},
                {}};
    for (const MatchedNode& node : matching.nodes)
        table.rows.push_back({node.name, node.op, cell_of(node.a_ms), cell_of(node.b_ms),
                              node.change(), count(node.a_among), count(node.b_among)});
    if (matching.a_rest_ms > 0 || matching.b_rest_ms > 0)
        table.rows.push_back({std::string("(no original node)"),
                              std::string(),
                              matching.a_rest_ms,
                              matching.b_rest_ms,
                              matching.b_rest_ms - matching.a_rest_ms,
                              {},
                              {}});
    return table;
}

Table operator_difference_table(const Matching& matching) {
    Table table{"operator_differences",
                {{"operator", "Operator"},
                 {"a_calls", "Calls in A", CellKind::count, "Per run"},
                 {"b_calls", "Calls in B", CellKind::count, "Per run"},
                 {"a_ms", "A", CellKind::milliseconds, "In the typical run"},
                 {"b_ms", "B", CellKind::milliseconds, "In the typical run"},
                 {"change_ms", "Change", CellKind::change, "B less A"}},
                {}};
    for (const MatchedOperator& op : matching.operators)
        table.rows.push_back({op.op, op.a_calls, op.b_calls, op.a_ms, op.b_ms, op.change()});
    return table;
}

Table output_table(const ReportContent& content) {
    Table table{"outputs",
                {{"output", "Output", CellKind::code},
                 {"matches", "Agrees"},
                 {"largest", "Largest difference", CellKind::number},
                 {"relative", "Of the largest magnitude", CellKind::number},
                 {"sqnr_db", "SQNR in dB", CellKind::number,
                  "Power of A's values over that of the difference"},
                 {"cosine", "Cosine", CellKind::number},
                 {"reason", "Why not"}},
                {}};
    for (const OutputComparison& output : content.outputs) {
        const Comparison& c = output.comparison;
        table.rows.push_back({output.name, std::string(c.matches ? "yes" : "no"), c.max_abs,
                              c.relative(), c.sqnr_db, c.cosine, c.reason});
    }
    return table;
}

}  // namespace lapidary
