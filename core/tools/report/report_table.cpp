// SPDX-License-Identifier: Apache-2.0
#include "report/report_table.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <lapidary/base/quantity_text.h>
#include <lapidary/internal/shown_text.h>

namespace lapidary {
namespace {

using Json = nlohmann::ordered_json;

double number_of(const TableCell& cell) {
    if (const auto* number = std::get_if<double>(&cell)) return *number;
    if (const auto* count = std::get_if<std::int64_t>(&cell)) return static_cast<double>(*count);
    return std::nan("");
}

std::string csv_cell(const TableCell& cell) {
    if (const auto* text = std::get_if<std::string>(&cell)) return csv_field(*text);
    if (const auto* count = std::get_if<std::int64_t>(&cell)) return std::to_string(*count);
    if (const auto* number = std::get_if<double>(&cell))
        return std::isfinite(*number) ? fmt::format("{}", *number) : "";
    return {};
}

Json json_cell(const TableCell& cell) {
    if (const auto* text = std::get_if<std::string>(&cell)) return *text;
    if (const auto* count = std::get_if<std::int64_t>(&cell)) return *count;
    if (const auto* number = std::get_if<double>(&cell); number && std::isfinite(*number))
        return *number;
    return nullptr;
}

bool is_number(CellKind kind) { return kind != CellKind::text && kind != CellKind::code; }

void write_cell(html::Writer& page, const TableCell& cell, CellKind kind, double largest) {
    const std::string text = cell_text(cell, kind);
    if (!is_number(kind)) {
        page.open("td");
        if (kind == CellKind::code) page.element("code", text);
        else page.text(text);
        page.close("td");
        return;
    }
    const double value = number_of(cell);
    page.raw("<td class=\"n\"");
    if (std::isfinite(value)) page.raw(fmt::format(" data-v=\"{:.6g}\"", value));
    if (kind == CellKind::milliseconds_bar && largest > 0 && std::isfinite(value))
        page.raw(
            fmt::format(" style=\"--part:{:.1f}%\"", 100 * std::clamp(value / largest, 0.0, 1.0)));
    page.raw(">").text(text).close("td");
}

}  // namespace

std::string cell_text(const TableCell& cell, CellKind kind) {
    if (const auto* text = std::get_if<std::string>(&cell)) return elided(*text);
    if (std::holds_alternative<std::monostate>(cell)) return "–";
    const double number = number_of(cell);
    if (!std::isfinite(number)) return "–";
    switch (kind) {
    case CellKind::milliseconds:
    case CellKind::milliseconds_bar: return time_text(number);
    case CellKind::change:
        return (number > 0 ? "+" : number < 0 ? "−" : "") + time_text(std::abs(number));
    case CellKind::share:
        return number != 0 && std::abs(number) < least_percent
                   ? percent_text(number)
                   : fmt::format("{:.1f} %", 100 * number);
    case CellKind::count: return fmt::format("{:.0f}", number);
    default: return fmt::format("{:.4g}", number);
    }
}

std::string table_csv(const Table& table) {
    std::string out;
    const auto line = [&](const auto& cells, const auto& text) {
        for (std::size_t i = 0; i < cells.size(); ++i) out += (i ? "," : "") + text(cells[i]);
        out += "\r\n";
    };
    line(table.columns, [](const TableColumn& column) { return csv_field(column.key); });
    for (const auto& row : table.rows) line(row, csv_cell);
    return out;
}

Json table_json(const Table& table) {
    Json rows = Json::array();
    for (const auto& row : table.rows) {
        Json object = Json::object();
        for (std::size_t i = 0; i < row.size(); ++i)
            object[table.columns[i].key] = json_cell(row[i]);
        rows.push_back(std::move(object));
    }
    return rows;
}

void write_table(html::Writer& page, const Table& table, std::string_view label,
                 std::size_t most_rows, const std::vector<std::string>& skip) {
    std::vector<std::size_t> shown;
    for (std::size_t i = 0; i < table.columns.size(); ++i)
        if (std::ranges::find(skip, table.columns[i].key) == skip.end()) shown.push_back(i);
    std::vector<double> largest(table.columns.size(), 0);
    for (const auto& row : table.rows)
        for (std::size_t i = 0; i < row.size(); ++i)
            if (const double value = number_of(row[i]); std::isfinite(value))
                largest[i] = std::max(largest[i], value);

    page.open("div", {{"class", "table"}});
    page.open("table", {{"class", "data"}}).element("caption", label).raw("<thead><tr>");
    for (const std::size_t i : shown) {
        const TableColumn& column = table.columns[i];
        page.open("th", {{"scope", "col"},
                         {"class", is_number(column.kind) ? "n" : ""},
                         {"title", column.help}})
            .text(column.title)
            .close("th");
    }
    page.raw("</tr></thead>\n<tbody>\n");
    for (std::size_t r = 0; r < std::min(table.rows.size(), most_rows); ++r) {
        page.raw("<tr>");
        for (const std::size_t i : shown)
            write_cell(page, table.rows[r][i], table.columns[i].kind, largest[i]);
        page.raw("</tr>\n");
    }
    page.raw("</tbody></table></div>\n");
    if (table.rows.size() > most_rows)
        page.element(
            "p",
            fmt::format("The first {} of {} rows. The others are in {}.csv of the report's tables.",
                        most_rows, table.rows.size(), table.name),
            {{"class", "note"}});
}

}  // namespace lapidary
