// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <lapidary/base/quantity_text.h>
#include <lapidary/profile/session_overhead.h>

#include "graph/node_text.h"
#include "report/report_sections.h"
#include "report/report_table.h"

namespace lapidary {
namespace {

constexpr std::size_t most_operators = 14;
constexpr int row_height = 24, label_width = 230, plot_width = 520, width = 900;

struct Row {
    std::string label, title;
    double from = 0, to = 0;
    const char* kind = "total";
    std::string value;
};

std::string signed_text(double ms) {
    return (ms > 0 ? "+" : ms < 0 ? "−" : "") + time_text(std::abs(ms));
}

std::vector<Row> rows_of(const ReportContent& content, const Matching& matching) {
    const double a = summarize(*content.sides[0].profile).wall_ms,
                 b = summarize(*content.sides[1].profile).wall_ms;
    const auto whole = [&](std::size_t side, double ms) {
        return Row{content.sides[side].name + ", profiled",
                   "Wall time of the typical profiled run",
                   0,
                   ms,
                   "total",
                   time_text(ms)};
    };
    std::vector<Row> rows{whole(0, a)};
    double at = a, others = 0;
    const auto step = [&](const std::string& label, const std::string& title, double change) {
        rows.push_back(
            {label, title, at, at + change, change > 0 ? "slower" : "faster", signed_text(change)});
        at += change;
    };
    for (std::size_t i = 0; i < matching.operators.size(); ++i) {
        const MatchedOperator& op = matching.operators[i];
        if (op.op == overhead_name && i < most_operators)
            step("Session overhead",
                 fmt::format("Time of a run in which no kernel ran: {} in A, {} in B",
                             time_text(op.a_ms), time_text(op.b_ms)),
                 op.change());
        else if (i < most_operators)
            step(op.op,
                 fmt::format("{}: {} calls, {} in A; {} calls, {} in B", op.op, op.a_calls,
                             time_text(op.a_ms), op.b_calls, time_text(op.b_ms)),
                 op.change());
        else others += op.change();
    }
    if (matching.operators.size() > most_operators)
        step(fmt::format("{} other operators", matching.operators.size() - most_operators),
             "Together", others);
    if (std::abs(b - at) > 1e-6 * std::max(a, b))
        step("Kernels side by side", "What kernels that ran at the same time have in common",
             b - at);
    rows.push_back(whole(1, b));
    return rows;
}

}  // namespace

void write_waterfall(html::Writer& page, const ReportContent& content, const Matching& matching) {
    std::vector<Row> rows = rows_of(content, matching);
    double low = rows.front().to, high = low;
    for (const Row& row : rows) {
        low = std::min(low, row.to);
        high = std::max(high, row.to);
    }
    // Small changes of a large total could not be seen from zero on.
    const double start = high > 0 && (high - low) / high < 0.3
                             ? std::max(0.0, low - (high - low) * 0.5)
                             : std::min(0.0, low);
    const double span = high > start ? high - start : 1;
    const auto x = [&](double ms) {
        return label_width + plot_width * std::clamp((ms - start) / span, 0.0, 1.0);
    };
    const int height = row_height * static_cast<int>(rows.size());
    page.open("figure").element(
        "figcaption", "Where the time went or came from, by operator" +
                          (start > 0 ? ". The bars begin at " + time_text(start) : std::string()));
    page.open("svg",
              {{"class", "waterfall"},
               {"viewBox", fmt::format("0 0 {} {}", width, height)},
               {"role", "img"},
               {"aria-label", "Change of time by operator; the table below has the figures"}});
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Row& row = rows[i];
        const bool is_total = row.kind == std::string_view("total");
        const double top = static_cast<double>(row_height) * static_cast<double>(i);
        const double from = x(is_total ? start : std::min(row.from, row.to)),
                     to = x(std::max(row.from, row.to));
        page.raw("<g>").element("title", row.title);
        page.raw(fmt::format("<text class=\"name\" x=\"{}\" y=\"{:.0f}\">", label_width - 10,
                             top + 16))
            .text(shortened(row.label, 34))
            .raw("</text>");
        page.raw(fmt::format(
            "<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.0f}\" width=\"{:.1f}\" height=\"{}\"/>",
            row.kind, from, top + 4, std::max(to - from, 1.0), row_height - 8));
        if (i + 1 < rows.size())
            page.raw(
                fmt::format("<line class=\"link\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1:.0f}\" "
                            "y2=\"{2:.0f}\"/>",
                            x(row.to), top + row_height - 4, top + row_height + 4));
        page.raw(fmt::format("<text x=\"{:.1f}\" y=\"{:.0f}\">", std::max(to, x(row.to)) + 8,
                             top + 16))
            .text(row.value)
            .raw("</text></g>\n");
    }
    page.close("svg").close("figure");
}

}  // namespace lapidary
