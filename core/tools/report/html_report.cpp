// SPDX-License-Identifier: Apache-2.0
#include <lapidary/report/html_report.h>

#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/files/atomic_file.h"
#include "report/report_graph.h"
#include "report/report_page_files.h"
#include "report/report_sections.h"
#include "report/report_table.h"
#include "report/report_tables.h"
#include "report/report_timeline.h"

namespace lapidary {
namespace {

using Json = nlohmann::ordered_json;

/// Nothing may come from elsewhere, whatever the content holds: no address is allowed at all.
constexpr std::string_view policy =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; "
    "base-uri 'none'; "
    "form-action 'none'";

void write_head(html::Writer& page, const ReportContent& content) {
    page.raw("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    page.raw("<meta http-equiv=\"Content-Security-Policy\" content=\"").raw(policy).raw("\">\n");
    page.raw(
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta "
        "name=\"color-scheme\" "
        "content=\"light dark\">\n");
    page.open("meta", {{"name", "generator"}, {"content", content.written_by}})
        .raw("\n<link rel=\"icon\" href=\"data:,\">\n");
    page.element("title", content.title)
        .raw("\n<style>\n")
        .raw(report_page::page_css)
        .raw("</style>\n</head>\n");
}

void write_header(html::Writer& page, const ReportContent& content) {
    page.raw("<header>\n<div class=\"bar\">").element("h1", content.title);
    page.raw(
        "<button id=\"theme\" type=\"button\" hidden title=\"Switch between light and "
        "dark\">Theme</button></div>\n");
    if (const std::string verdict = verdict_of(content); !verdict.empty())
        page.element("p", verdict, {{"class", "verdict"}});
    const MachineInfo& machine = content.machine;
    std::string place = machine.cpu;
    if (!machine.isa.empty()) place += ", " + machine.isa;
    if (machine.cores > 0)
        place += fmt::format(", {} {}", machine.cores, machine.cores == 1 ? "core" : "cores");
    if (machine.memory_gb > 0) place += fmt::format(", {:.0f} GB", machine.memory_gb);
    if (!machine.system.empty()) place += ", " + machine.system;
    page.open("p", {{"class", "machine"}}).text(place);
    if (!machine.date.empty())
        page.raw(" · ").element("time", machine.date, {{"datetime", machine.date}});
    if (!content.written_by.empty()) page.raw(" · ").text(content.written_by);
    page.close("p");
    if (const std::string conditions = text_of(content.conditions); !conditions.empty())
        page.element("p", "Runs with " + conditions, {{"class", "machine"}});
    page.raw(
        "<noscript><p class=\"note\">Scripts are off: summary, tables and pictures of figures are "
        "all here, the graphs "
        "and timelines are not drawn.</p></noscript>\n</header>\n");
}

void write_contents(html::Writer& page,
                    const std::vector<std::pair<std::string, std::string>>& sections) {
    page.raw("<nav aria-label=\"Sections\">");
    for (const auto& [id, title] : sections) page.element("a", title, {{"href", "#" + id}});
    page.raw("</nav>\n");
}

void write_canvas(html::Writer& page, std::string_view kind, std::size_t side,
                  std::string_view label) {
    page.open("div", {{"class", kind}, {"data-side", std::to_string(side)}, {"data-label", label}})
        .close("div")
        .raw("\n");
}

void write_side(html::Writer& page, const ReportContent& content, std::size_t index) {
    const ReportSide& side = content.sides[index];
    page.open("section", {{"id", fmt::format("side{}", index)}}).element("h2", side.name).raw("\n");
    if (!side.command.empty())
        page.raw("<p class=\"command\">This repeats it: ")
            .element("code", side.command)
            .raw("</p>\n");
    if (side.model) {
        page.raw("<details open><summary>Model</summary>\n");
        write_model_card(page, *side.model);
        page.raw("</details>\n");
        page.element("h3", side.executed ? "Graph as it ran" : "Graph");
        write_canvas(page, "graph", index, "Graph of " + side.name);
    }
    if (side.profile) {
        page.element("h3", "Timeline");
        if (!side.profile->note.empty()) page.element("p", side.profile->note, {{"class", "note"}});
        if (side.profile->dropped_events > 0)
            page.element("p",
                         fmt::format("{} events did not fit into the recording.",
                                     side.profile->dropped_events),
                         {{"class", "note"}});
        write_canvas(page, "timeline", index, "Timeline of " + side.name);
        page.element("h3", "Operators");
        write_table(page, operator_table(side), "Operators of " + side.name, most_rows, {"side"});
        page.element("h3", "Phases");
        write_table(page, phase_table(side), "Phases of " + side.name, most_rows, {"side"});
        page.element("h3", "Nodes");
        const Table nodes = node_table(content, side);
        std::vector<std::string> skip{"side"};
        if (!content.original) skip.push_back("original_nodes");
        write_table(page, nodes, "Nodes of " + side.name, most_rows, skip);
    }
    if (side.passes) {
        page.element("h3", "Passes");
        write_passes(page, side);
    }
    page.close("section").raw("\n");
}

bool has_measurements(const ReportContent& content) {
    for (const ReportSide& side : content.sides)
        if (side.measurement) return true;
    return false;
}

Json page_data(const ReportContent& content) {
    StringTable strings;
    Json sides = Json::array();
    for (const ReportSide& side : content.sides) {
        Json graph = graph_data(content, side, strings);
        Json timeline = side.profile ? timeline_data(*side.profile, strings) : Json();
        sides.push_back({{"graph", std::move(graph)}, {"timeline", std::move(timeline)}});
    }
    return {{"sides", std::move(sides)}, {"strings", strings.list()}};
}

}  // namespace

void write_html_report(const ReportContent& content, std::ostream& out) {
    html::Writer page(out);
    const std::optional<Matching> matching = match_sides(content);
    std::vector<std::pair<std::string, std::string>> sections{{"summary", "Summary"}};
    if (!content.advice.empty()) sections.emplace_back("checklist", "Checklist");
    if (!content.notes.empty()) sections.emplace_back("notes", "Notes");
    if (matching || !content.outputs.empty()) sections.emplace_back("comparison", "A against B");
    if (has_measurements(content)) sections.emplace_back("measurements", "Measurements");
    if (content.sweep) sections.emplace_back("sweep", "Settings");
    for (std::size_t i = 0; i < content.sides.size(); ++i)
        sections.emplace_back(fmt::format("side{}", i), content.sides[i].name);

    write_head(page, content);
    page.raw("<body>\n");
    write_header(page, content);
    write_contents(page, sections);
    page.raw("<main>\n<section id=\"summary\"><h2>Summary</h2>\n");
    write_summary_cards(page, content);
    page.raw("</section>\n");
    if (!content.advice.empty()) write_advice(page, content);
    if (!content.notes.empty())
        page.raw("<section id=\"notes\"><h2>Notes</h2>")
            .element("p", content.notes, {{"class", "notes"}})
            .raw("</section>\n");
    if (matching || !content.outputs.empty()) {
        page.raw("<section id=\"comparison\"><h2>A against B</h2>\n");
        if (!content.outputs.empty())
            write_table(page, output_table(content),
                        "Outputs of B against those of A, on the same inputs", most_rows);
        if (matching) write_comparison(page, content, *matching);
        page.raw("</section>\n");
    }
    if (has_measurements(content)) {
        page.raw("<section id=\"measurements\"><h2>Measurements</h2>\n");
        write_measurements(page, content);
        page.raw("</section>\n");
    }
    if (content.sweep) {
        page.raw("<section id=\"sweep\"><h2>Settings</h2>\n");
        write_sweep(page, *content.sweep);
        page.raw("</section>\n");
    }
    for (std::size_t i = 0; i < content.sides.size(); ++i) write_side(page, content, i);
    page.raw("</main>\n<script type=\"application/json\" id=\"data\">")
        .raw(html::script_json(page_data(content)))
        .raw("</script>\n");
    page.raw("<script>\n\"use strict\";\n(function () {\n");
    for (const std::string_view file : report_page::scripts) page.raw(file);
    page.raw("})();\n</script>\n</body>\n</html>\n");
}

void save_html_report(const ReportContent& content, const std::filesystem::path& path) {
    std::ostringstream page;
    write_html_report(content, page);
    AtomicFile file(path);
    file.write(page.view());
    file.commit();
}

}  // namespace lapidary
