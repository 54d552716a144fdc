// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include <lapidary/base/quantity_text.h>

#include "report/report_sections.h"
#include "report/report_table.h"

namespace lapidary {
namespace {

/// What a row of the heat map has in common: all but the threads.
std::string row_label(const RunConfiguration& c) {
    std::string text = c.batch > 0 ? fmt::format("batch {}", c.batch) : "batch as given";
    text += ", " + std::string(name_of(c.level));
    if (c.resources.mode == ExecutionMode::parallel)
        text += fmt::format(", parallel with {}", c.resources.inter_threads);
    if (!c.resources.spinning) text += ", no spinning";
    return text;
}

std::string cell_title(const SweepCell& cell) {
    const Measurement& m = cell.measurement;
    return fmt::format("{}, {}: {} to {}, p95 {}, {:.4g} per second",
                       count_text(cell.configuration.resources.threads, "thread"),
                       row_label(cell.configuration), time_text(m.wall.median.low),
                       time_text(m.wall.median.high), time_text(m.wall.p95), m.per_second);
}

/// Time per inference: what cells of different batches have in common.
double each_ms(const SweepCell& cell) {
    return cell.measurement.wall.median.median /
           static_cast<double>(std::max<std::int64_t>(cell.configuration.batch, 1));
}

void write_scaling(html::Writer& page, const SweepResult& sweep) {
    std::set<int> threads;
    for (const OperatorScaling& op : sweep.scaling)
        for (const auto& [count, ms] : op.ms) threads.insert(count);
    if (threads.empty()) return;
    Table table{"scaling", {{"operator", "Operator"}}, {}};
    for (const int count : threads)
        table.columns.push_back({fmt::format("ms_{}", count),
                                 fmt::format("{} {}", count, count == 1 ? "thread" : "threads"),
                                 CellKind::milliseconds, "Of a run, the median of those profiled"});
    table.columns.push_back({"efficiency", "Efficiency", CellKind::share,
                             "Speed-up at the most threads, by their number"});
    table.columns.push_back(
        {"stops_at", "Stops at", CellKind::count, "Threads beyond which it gains less than 5 %"});
    for (const OperatorScaling& op : sweep.scaling) {
        std::vector<TableCell> row(table.columns.size());
        row[0] = op.op;
        std::size_t column = 0;
        for (const int count : threads) {
            ++column;
            if (const auto found = std::ranges::find(op.ms, count, &std::pair<int, double>::first);
                found != op.ms.end())
                row[column] = found->second;
        }
        row[column + 1] = op.efficiency;
        if (op.stops_at > 0) row[column + 2] = std::int64_t{op.stops_at};
        table.rows.push_back(std::move(row));
    }
    write_table(page, table, "How operators scale with threads", 200);
}

}  // namespace

void write_sweep(html::Writer& page, const SweepResult& sweep) {
    std::set<int> threads;
    std::map<std::string, std::map<int, std::size_t>> rows;
    std::vector<std::string> order;
    double least = 0, most = 0;
    for (std::size_t i = 0; i < sweep.cells.size(); ++i) {
        const SweepCell& cell = sweep.cells[i];
        const std::string label = row_label(cell.configuration);
        if (!rows.contains(label)) order.push_back(label);
        rows[label][cell.configuration.resources.threads] = i;
        threads.insert(cell.configuration.resources.threads);
        if (cell.state != CellState::done) continue;
        least = least == 0 ? each_ms(cell) : std::min(least, each_ms(cell));
        most = std::max(most, each_ms(cell));
    }
    if (!sweep.recommendation.sentence.empty())
        page.element("p", sweep.recommendation.sentence, {{"class", "verdict"}});
    if (!sweep.complete)
        page.element("p", "The sweep was not finished: cells without a time were not measured.",
                     {{"class", "note"}});
    page.open("div", {{"class", "table"}})
        .open("table", {{"class", "heat"}})
        .element("caption", "Median time of a run; colours by time per inference")
        .raw("<thead><tr><th scope=\"col\">Threads</th>");
    for (const int count : threads) page.element("th", std::to_string(count), {{"scope", "col"}});
    page.raw("</tr></thead><tbody>\n");
    for (const std::string& label : order) {
        page.raw("<tr>").element("th", label, {{"scope", "row"}});
        for (const int count : threads) {
            const auto found = rows[label].find(count);
            if (found == rows[label].end()) {
                page.raw("<td></td>");
                continue;
            }
            const SweepCell& cell = sweep.cells[found->second];
            if (cell.state != CellState::done) {
                page.element("td", "–",
                             {{"title", cell.reason.empty() ? "not measured" : cell.reason}});
                continue;
            }
            const double heat = most > least ? (each_ms(cell) - least) / (most - least) : 0;
            const bool is_best =
                sweep.recommendation.cell == static_cast<std::ptrdiff_t>(found->second);
            page.open("td", {{"class", is_best ? "best" : ""},
                             {"style", fmt::format("--heat:{:.0f}%", 100 * heat)},
                             {"title", cell_title(cell)}});
            page.text(time_text(cell.measurement.wall.median.median) + (is_best ? " ★" : ""))
                .close("td");
        }
        page.raw("</tr>\n");
    }
    page.raw("</tbody></table></div>\n");
    write_scaling(page, sweep);
}

}  // namespace lapidary
