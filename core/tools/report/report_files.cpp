// SPDX-License-Identifier: Apache-2.0
#include <system_error>

#include <nlohmann/json.hpp>

#include <lapidary/base/error.h>
#include <lapidary/report/html_report.h>
#include <lapidary/profile/session_overhead.h>

#include "base/files/atomic_file.h"
#include "report/pipeline_tree.h"
#include "report/report_sections.h"
#include "report/report_tables.h"

namespace lapidary {
namespace {

using Json = nlohmann::ordered_json;

void save_text(const std::filesystem::path& path, const std::string& text) {
    AtomicFile file(path);
    file.write(text);
    file.commit();
}

/// The rows of both sides under one header.
template <typename TableOf>
Table of_all_sides(const ReportContent& content, TableOf table_of) {
    Table all;
    for (const ReportSide& side : content.sides) {
        Table table = table_of(side);
        all.name = table.name;
        all.columns = table.columns;
        all.rows.insert(all.rows.end(), table.rows.begin(), table.rows.end());
    }
    return all;
}

std::vector<Table> tables_of(const ReportContent& content) {
    std::vector<Table> tables;
    tables.push_back(
        of_all_sides(content, [&](const ReportSide& side) { return node_table(content, side); }));
    tables.push_back(
        of_all_sides(content, [](const ReportSide& side) { return operator_table(side); }));
    tables.push_back(
        of_all_sides(content, [](const ReportSide& side) { return phase_table(side); }));
    tables.push_back(measurement_table(content));
    tables.push_back(
        of_all_sides(content, [](const ReportSide& side) { return pass_table(side); }));
    tables.push_back(
        of_all_sides(content, [](const ReportSide& side) { return rewrite_table(side); }));
    if (const auto matching = match_sides(content)) {
        tables.push_back(difference_table(content, *matching));
        tables.push_back(operator_difference_table(*matching));
    }
    tables.push_back(
        of_all_sides(content, [](const ReportSide& side) { return near_miss_table(side); }));
    tables.push_back(output_table(content));
    tables.push_back(advice_table(content));
    std::erase_if(tables, [](const Table& table) { return table.rows.empty(); });
    return tables;
}

Json side_json(const ReportSide& side) {
    Json json = {{"name", side.name}, {"command", side.command}};
    if (side.profile) {
        const ProfileSummary summary = summarize(*side.profile);
        json["profile"] = {{"verdict", summary.verdict},
                           {"wall_ms", summary.wall_ms},
                           {"kernel_ms", summary.kernel_ms},
                           {"session_overhead_ms", session_overhead(*side.profile).run_ms},
                           {"runs", side.profile->runs},
                           {"threads", side.profile->threads},
                           {"peak_bytes", side.profile->peak_bytes},
                           {"weight_bytes", side.profile->weight_bytes}};
    }
    if (side.model)
        json["model"] = {{"file", side.model->path.filename().string()},
                         {"nodes", count_nodes(side.model->graph)}};
    if (side.passes) json["level"] = name_of(side.passes->level);
    if (side.measurement) json["samples_ms"] = side.measurement->samples_ms;
    if (side.passes)
        json["optimization"] = pipeline_tree(*side.passes, side.model.get(), shares_of(side));
    return json;
}

Json report_json(const ReportContent& content, const std::vector<Table>& tables) {
    const MachineInfo& machine = content.machine;
    Json json = {{"title", content.title},
                 {"notes", content.notes},
                 {"written_by", content.written_by},
                 {"verdict", verdict_of(content)},
                 {"machine",
                  {{"cpu", machine.cpu},
                   {"isa", machine.isa},
                   {"cores", machine.cores},
                   {"memory_gb", machine.memory_gb},
                   {"system", machine.system},
                   {"date", machine.date}}}};
    if (content.conditions.threads > 0) json["threads"] = content.conditions.threads;
    if (content.conditions.inter_threads > 1)
        json["inter_threads"] = content.conditions.inter_threads;
    json["sizes"] = named_sizes(content.conditions.sizes);
    json["sides"] = Json::array();
    for (const ReportSide& side : content.sides) json["sides"].push_back(side_json(side));
    if (content.difference)
        json["difference"] = {
            {"ratio", content.difference->ratio.median},
            {"interval", {content.difference->ratio.low, content.difference->ratio.high}},
            {"significant", content.difference->significant},
            {"sentence", content.difference->sentence}};
    if (content.sweep) json["recommendation"] = content.sweep->recommendation.sentence;
    json["tables"] = Json::object();
    for (const Table& table : tables) json["tables"][table.name] = table_json(table);
    return json;
}

}  // namespace

void save_report_tables(const ReportContent& content, const std::filesystem::path& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error)
        fail(ErrorCode::io_failure,
             quote(folder.string(), 4096) + " could not be made: " + error.message());
    const std::vector<Table> tables = tables_of(content);
    for (const Table& table : tables) save_text(folder / (table.name + ".csv"), table_csv(table));
    save_text(
        folder / "report.json",
        report_json(content, tables).dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

}  // namespace lapidary
