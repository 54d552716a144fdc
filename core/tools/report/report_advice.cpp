// SPDX-License-Identifier: Apache-2.0
// What is worth doing, and the near misses by the time that they concern.
#include <algorithm>

#include <fmt/format.h>

#include "report/report_sections.h"
#include "report/report_tables.h"

namespace lapidary {

Table advice_table(const ReportContent& content) {
    Table table{"checklist",
                {{"check", "Check"},
                 {"state", "State"},
                 {"gain", "Expected gain"},
                 {"finding", "Finding"},
                 {"command", "Command", CellKind::code},
                 {"group", "Group"}},
                {}};
    for (const Advice& advice : content.advice)
        table.rows.push_back({advice.title, std::string(name_of(advice.state)), advice.gain.text,
                              advice.finding, advice.command, advice.group});
    return table;
}

TimeShares shares_of(const ReportSide& side) {
    if (!side.profile || !side.model) return {};
    const Model& executed = side.executed ? *side.executed : *side.model;
    return measured_shares(summarize(*side.profile).nodes, executed.graph, side.model->graph);
}

Table near_miss_table(const ReportSide& side) {
    Table table{
        "near_misses",
        {{"side", "Side"},
         {"pass", "Pass", CellKind::code},
         {"places", "Places", CellKind::count},
         {"share", "Of the time", CellKind::share, "That the nodes matched so far take of a run"},
         {"short_of", "Short of", CellKind::count, "Conditions and operators that are missing"},
         {"reason", "Why not"},
         {"first_place", "First place", CellKind::code}},
        {}};
    if (!side.passes) return table;
    for (const NearMissGroup& group : group_near_misses(*side.passes, shares_of(side)))
        table.rows.push_back({side.name, group.pass, static_cast<std::int64_t>(group.misses.size()),
                              group.share ? TableCell(*group.share) : TableCell(),
                              static_cast<std::int64_t>(group.shortfall), group.reason,
                              side.passes->near_misses[group.misses.front()].node_text});
    return table;
}

void write_advice(html::Writer& page, const ReportContent& content) {
    page.raw("<section id=\"checklist\"><h2>Checklist</h2>\n");
    if (!content.sides.empty())
        page.element("p",
                     "What is worth doing with " + content.sides.back().name +
                         ", by what it gains. Each gain is measured or estimated, and says which.");
    Table table = advice_table(content);
    const auto gains_nothing = [](const std::vector<TableCell>& row) {
        return std::get<std::string>(row[1]) == name_of(AdviceState::no_gain);
    };
    const std::size_t left_out = std::erase_if(table.rows, gains_nothing);
    write_table(page, table, "What is worth doing", most_rows);
    if (left_out > 0)
        page.element("p",
                     fmt::format("{} more {} nothing here; the tables say why.", left_out,
                                 left_out == 1 ? "check gains" : "checks gain"),
                     {{"class", "note"}});
    page.raw("</section>\n");
}

}  // namespace lapidary
