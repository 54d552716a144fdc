// SPDX-License-Identifier: Apache-2.0
#include "report/report_sections.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <lapidary/report/model_summary.h>
#include <lapidary/report/pipeline_json.h>
#include <lapidary/base/quantity_text.h>
#include <lapidary/profile/session_overhead.h>

#include "graph/node_text.h"
#include "report/report_table.h"
#include "report/report_tables.h"

namespace lapidary {
namespace {

void write_figure(html::Writer& page, std::string_view label, const std::string& value,
                  const std::string& detail) {
    page.open("div", {{"class", "figure"}})
        .element("span", label, {{"class", "label"}})
        .element("strong", value);
    if (!detail.empty()) page.element("span", detail, {{"class", "detail"}});
    page.close("div");
}

void write_side_card(html::Writer& page, const ReportSide& side, std::string_view slot) {
    page.open("article", {{"class", "card"}}).open("h3");
    if (!slot.empty()) page.element("span", slot, {{"class", "slot"}}).raw(" ");
    page.text(side.name).close("h3").open("div", {{"class", "figures"}});
    if (side.measurement && side.measurement->error.empty()) {
        const SampleSummary& wall = side.measurement->wall;
        write_figure(
            page, "Median", time_text(wall.median.median),
            fmt::format("95 %: {} to {}", time_text(wall.median.low), time_text(wall.median.high)));
        if (side.measurement->per_second > 0)
            write_figure(page, "Per second", fmt::format("{:.4g}", side.measurement->per_second),
                         "inferences");
        if (side.measurement->peak_mb)
            write_figure(page, "Resident memory",
                         fmt::format("{:.0f} MB", *side.measurement->peak_mb),
                         "of a fresh process, pages of files included");
    }
    if (side.profile) {
        const ProfileSummary summary = summarize(*side.profile);
        write_figure(page, "Profiled run", time_text(summary.wall_ms),
                     fmt::format("median of {}, {}", side.profile->runs,
                                 count_text(side.profile->threads, "thread")));
        const SessionOverhead overhead = session_overhead(*side.profile);
        write_figure(page, "Session overhead", time_text(overhead.run_ms),
                     fmt::format("of a run; {} once", time_text(overhead.once_ms)));
        if (side.process)
            write_figure(page, "Process", bytes_text(static_cast<double>(side.process->total())),
                         "while it runs, as the memory command reports it");
        if (side.profile->peak_bytes > 0)
            write_figure(page, "Activations held",
                         bytes_text(static_cast<double>(side.profile->peak_bytes)),
                         "the most at once");
    }
    if (side.model) {
        const std::size_t nodes = count_nodes(side.model->graph);
        const std::string steps =
            side.executed
                ? count_text(static_cast<std::int64_t>(side.executed->graph.node_count()), "step") +
                      " as run"
                : std::string();
        write_figure(page, "Nodes", std::to_string(nodes),
                     side.passes ? fmt::format("of {}{}{}", side.passes->nodes_before,
                                               steps.empty() ? "" : ", ", steps)
                                 : steps);
    }
    page.close("div");
    if (side.measurement && !side.measurement->error.empty())
        page.element("p", "Not measured: " + side.measurement->error, {{"class", "bad"}});
    if (side.profile) page.element("p", summarize(*side.profile).verdict);
    page.close("article");
}

void write_row(html::Writer& page, std::string_view name, const std::string& value) {
    if (value.empty()) return;
    page.raw("<tr>")
        .element("th", name, {{"scope", "row"}})
        .open("td")
        .text(value)
        .raw("</td></tr>\n");
}

std::string ports_text(const std::vector<std::pair<std::string, Type>>& ports) {
    std::string text;
    for (std::size_t i = 0; i < std::min<std::size_t>(ports.size(), 40); ++i)
        text +=
            (i ? "\n" : "") + shortened(ports[i].first, 160) + ": " + to_string(ports[i].second);
    if (ports.size() > 40) text += fmt::format("\n... {} more", ports.size() - 40);
    return text;
}

/// How often each time was measured, as bars of one common scale.
void write_distribution(html::Writer& page, const ReportContent& content) {
    constexpr int bins = 80, width = 800, height = 56;
    double low = 0, high = 0;
    bool is_first = true;
    for (const ReportSide& side : content.sides) {
        if (!side.measurement || side.measurement->samples_ms.size() < 5) continue;
        std::vector<double> sorted = side.measurement->samples_ms;
        std::ranges::sort(sorted);
        low = is_first ? sorted.front() : std::min(low, sorted.front());
        const double near_all = sorted[std::min(sorted.size() - 1, sorted.size() * 98 / 100)];
        high = is_first ? near_all : std::max(high, near_all);
        is_first = false;
    }
    if (is_first || !(high > low)) return;
    page.open("figure").element("figcaption",
                                fmt::format("Samples between {} and {}; the line is the median",
                                            time_text(low), time_text(high)));
    for (std::size_t s = 0; s < content.sides.size(); ++s) {
        const ReportSide& side = content.sides[s];
        if (!side.measurement || side.measurement->samples_ms.size() < 5) continue;
        std::vector<int> counts(bins, 0);
        for (const double ms : side.measurement->samples_ms)
            if (ms <= high)
                ++counts[static_cast<std::size_t>(
                    std::clamp(static_cast<int>((ms - low) / (high - low) * bins), 0, bins - 1))];
        const int most = std::max(*std::ranges::max_element(counts), 1);
        page.open("svg", {{"class", "distribution"},
                          {"viewBox", fmt::format("0 0 {} {}", width, height + 16)},
                          {"role", "img"},
                          {"aria-label", "Distribution of the times of " + side.name}});
        for (int i = 0; i < bins; ++i) {
            if (counts[static_cast<std::size_t>(i)] == 0) continue;
            const double bar =
                std::max(1.0, double(height) * counts[static_cast<std::size_t>(i)] / most);
            page.raw(fmt::format(
                "<rect class=\"side{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" "
                "height=\"{:.1f}\"/>",
                s, double(width) * i / bins, height - bar, double(width) / bins - 1, bar));
        }
        const double median =
            width *
            std::clamp((side.measurement->wall.median.median - low) / (high - low), 0.0, 1.0);
        page.raw(fmt::format(
            "<line class=\"median\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"0\" y2=\"{1}\"/>", median,
            height));
        page.raw(fmt::format("<text x=\"0\" y=\"{}\">", height + 13))
            .text(side.name)
            .raw("</text></svg>\n");
    }
    page.close("figure");
}

}  // namespace

std::string verdict_of(const ReportContent& content) {
    std::string text;
    if (content.difference) text = content.difference->sentence;
    for (const ReportSide& side : content.sides) {
        if (!side.profile || content.sides.size() > 1) continue;
        text += (text.empty() ? "" : " ") + summarize(*side.profile).verdict;
    }
    for (const OutputComparison& output : content.outputs)
        if (!output.comparison.matches)
            return text + (text.empty() ? "" : " ") + "The outputs differ: " + output.name + ", " +
                   output.comparison.reason;
    if (text.empty() && content.sides.size() == 1 && content.sides[0].measurement &&
        content.sides[0].measurement->error.empty()) {
        const MedianEstimate& median = content.sides[0].measurement->wall.median;
        text = "A run takes " + time_text(median.median, median.low, median.high) + ".";
    }
    return text;
}

void write_summary_cards(html::Writer& page, const ReportContent& content) {
    page.open("div", {{"class", "cards"}});
    for (std::size_t s = 0; s < content.sides.size(); ++s)
        write_side_card(page, content.sides[s], content.sides.size() < 2 ? "" : s == 0 ? "A" : "B");
    page.close("div");
}

void write_model_card(html::Writer& page, const Model& model) {
    const ModelSummary summary = summarize(model);
    page.raw("<table class=\"card-table\"><tbody>\n");
    write_row(page, "File", model.path.filename().string());
    write_row(page, "Size",
              summary.file_bytes
                  ? bytes_text(static_cast<double>(summary.file_bytes)) +
                        (summary.external_bytes
                             ? " and " + bytes_text(static_cast<double>(summary.external_bytes)) +
                                   " beside it"
                             : "")
                  : "");
    write_row(page, "Graph", model.graph.name());
    write_row(
        page, "Producer",
        model.producer_name + (model.producer_version.empty() ? "" : " " + model.producer_version));
    std::string opsets;
    for (const auto& [domain, version] : model.opset_imports)
        opsets += (opsets.empty() ? "" : ", ") +
                  (domain.empty() ? std::string("ai.onnx") : domain) + " " +
                  std::to_string(version);
    write_row(page, "Opsets", opsets + fmt::format(" (IR {})", model.ir_version));
    write_row(page, "Inputs", ports_text(summary.inputs));
    write_row(page, "Outputs", ports_text(summary.outputs));
    write_row(page, "Parameters",
              fmt::format("{} ({})", summary.parameters,
                          bytes_text(static_cast<double>(summary.weight_bytes))));
    std::vector<std::pair<std::string, std::int64_t>> operators(summary.operators.begin(),
                                                                summary.operators.end());
    std::ranges::stable_sort(operators,
                             [](const auto& a, const auto& b) { return a.second > b.second; });
    std::string text = count_text(static_cast<std::int64_t>(summary.nodes), "node") + ": ";
    for (std::size_t i = 0; i < std::min<std::size_t>(operators.size(), 30); ++i)
        text += fmt::format("{}{} {}", i ? ", " : "", operators[i].second, operators[i].first);
    if (operators.size() > 30) text += fmt::format(", {} other kinds", operators.size() - 30);
    write_row(page, "Operators", text);
    std::string warnings;
    for (std::size_t i = 0; i < std::min<std::size_t>(summary.warnings.size(), 12); ++i)
        warnings += (i ? "\n" : "") +
                    (summary.warnings[i].where.empty() ? "" : summary.warnings[i].where + ": ") +
                    summary.warnings[i].message;
    if (summary.warnings.size() > 12)
        warnings += fmt::format("\n... {} more", summary.warnings.size() - 12);
    write_row(page, "Warnings", warnings);
    page.raw("</tbody></table>\n");
}

void write_measurements(html::Writer& page, const ReportContent& content) {
    write_distribution(page, content);
    ReportContent sides;
    sides.sides = content.sides;
    for (const ReportSide& side : content.sides)
        if (side.measurement && !side.measurement->wall.note.empty())
            page.element("p", side.name + ": " + side.measurement->wall.note, {{"class", "note"}});
    write_table(page, measurement_table(sides), "Measured times", most_rows);
}

void write_comparison(html::Writer& page, const ReportContent& content, const Matching& matching) {
    write_waterfall(page, content, matching);
    write_table(page, operator_difference_table(matching), "Operators, A against B", most_rows);
    page.element(
        "p",
        matching.by_origin
            ? "Nodes are matched by the nodes of the original model that they stand for; the "
              "time of a node that stands for several is divided among them."
            : "The two models have no common origin: nodes are matched by name and operator.",
        {{"class", "note"}});
    write_table(page, difference_table(content, matching), "Nodes, A against B", most_rows);
}

void write_passes(html::Writer& page, const ReportSide& side) {
    const PipelineReport& report = *side.passes;
    const PassTotals totals = totals_of(report);
    const auto nodes = [](auto count) {
        return count_text(static_cast<std::int64_t>(count), "node");
    };
    const auto rewrites = [](auto count) {
        return count_text(static_cast<std::int64_t>(count), "rewrite");
    };
    page.element("p", fmt::format("Level {}: {} became {} in {} ({}).", name_of(report.level),
                                  nodes(report.nodes_before), report.nodes_after,
                                  rewrites(totals.level_rewrites),
                                  time_text(static_cast<double>(report.nanoseconds) / 1e6)));
    if (totals.session_rewrites > 0)
        page.element("p", fmt::format("Passes of the session, on its own copy: {} became {} in {}.",
                                      nodes(report.nodes_after), totals.session_nodes,
                                      rewrites(totals.session_rewrites)));
    Table table = pass_table(side);
    std::erase_if(table.rows, [](const std::vector<TableCell>& row) {
        return !std::holds_alternative<std::int64_t>(row[3]) || std::get<std::int64_t>(row[3]) == 0;
    });
    write_table(page, table, "Passes that applied", most_rows, {"side", "skipped"});
    write_table(page, rewrite_table(side), "Rewrites", most_rows, {"side"});
    if (!report.near_misses.empty())
        write_table(page, near_miss_table(side), "Near misses, by pass and reason", most_rows,
                    {"side"});
}

}  // namespace lapidary
