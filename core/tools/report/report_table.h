// SPDX-License-Identifier: Apache-2.0
// A table of the report: the same rows as CSV, as JSON and on the page.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "report/html_writer.h"

namespace lapidary {

enum class CellKind : std::uint8_t {
    text,
    code,
    milliseconds,
    milliseconds_bar,
    change,
    share,
    count,
    number
};

struct TableColumn {
    std::string key;    // in files: "mean_ms"
    std::string title;  // on the page
    CellKind kind = CellKind::text;
    std::string help;  // a sentence that explains it; may be empty
};

/// Nothing, text, a number or a count.
using TableCell = std::variant<std::monostate, std::string, double, std::int64_t>;

inline constexpr std::size_t most_rows = 2000;  // of a table on a page

struct Table {
    std::string name;  // of the file without ending: "nodes"
    std::vector<TableColumn> columns;
    std::vector<std::vector<TableCell>> rows;
};

/// The value with its unit: "1.23 ms", "12.5 %".
std::string cell_text(const TableCell& cell, CellKind kind);

/// CSV (RFC 4180) with exact numbers.
std::string table_csv(const Table& table);
/// A list of objects by column key; NaN and infinities are null.
nlohmann::ordered_json table_json(const Table& table);
/// With sorting values for the page's script. Rows from `most_rows` on are left out, and a line
/// says so. `skip`: columns that are not shown.
void write_table(html::Writer& page, const Table& table, std::string_view label,
                 std::size_t most_rows, const std::vector<std::string>& skip = {});

}  // namespace lapidary
