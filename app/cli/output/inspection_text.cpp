// SPDX-License-Identifier: Apache-2.0
#include "cli/output/inspection_text.h"

#include <algorithm>
#include <map>
#include <ostream>

#include <fmt/format.h>

#include "cli/output/source_text.h"
#include "cli/output/value_text.h"

namespace lapidary::cli {
namespace {

constexpr std::size_t most_histograms = 4, most_sources = 20, bar_columns = 40;
constexpr std::int64_t most_rows = 20, most_columns = 10, most_slabs = 8;
constexpr std::int64_t most_listed = 10'000;  // elements of a slice in JSON

std::string number(double value) { return fmt::format("{:.6g}", value); }

/// "1.2 %", "-" for none.
std::string share_text(std::int64_t count, std::int64_t elements) {
    if (count == 0) return "-";
    const double percent = 100.0 * static_cast<double>(count) / static_cast<double>(elements);
    return percent >= 0.1 ? fmt::format("{:.1f} %", percent) : fmt::format("{:.1g} %", percent);
}

std::string count_cell(std::int64_t count) { return count == 0 ? "-" : std::to_string(count); }

std::string beyond_cell(const BeyondType& beyond, std::int64_t elements) {
    return share_text(beyond.too_large + beyond.too_small, elements);
}

/// Of runs after the first.
std::string run_text(const InspectedValue& value) {
    return value.run == 0 ? std::string() : " of run " + std::to_string(value.run);
}

void print_histogram(std::ostream& out, const InspectedValue& value) {
    const TensorStatistics& s = *value.numbers;
    const std::int64_t most = *std::ranges::max_element(s.histogram);
    if (most == 0) return;
    out << "histogram  " << plain(value.full_name()) << run_text(value) << '\n';
    const double width = s.maximum / 2 - s.minimum / 2;
    TextTable table({"from", "to", "elements", ""}, {3});
    for (std::size_t i = 0; i < s.histogram.size(); ++i) {
        const auto edge = [&](std::size_t at) {
            return s.minimum +
                   2 * width * (static_cast<double>(at) / static_cast<double>(s.histogram.size()));
        };
        const auto bar = static_cast<std::size_t>(
            (s.histogram[i] * static_cast<std::int64_t>(bar_columns) + most - 1) / most);
        table.add({number(edge(i)), number(edge(i + 1)), std::to_string(s.histogram[i]),
                   std::string(bar, '#')});
    }
    table.print(out);
}

/// The elements [row, column) of a matrix that begins at `offset`, as a table.
void print_slab(std::ostream& out, const std::vector<std::string>& texts, std::int64_t offset,
                std::int64_t rows, std::int64_t columns) {
    const std::int64_t shown = std::min(columns, most_columns);
    std::vector<std::string> header{""};
    for (std::int64_t c = 0; c < shown; ++c) header.push_back(std::to_string(c));
    if (shown < columns) header.push_back("...");
    TextTable table(header);
    for (std::int64_t r = 0; r < std::min(rows, most_rows); ++r) {
        std::vector<std::string> row{std::to_string(r)};
        for (std::int64_t c = 0; c < shown; ++c)
            row.push_back(texts[static_cast<std::size_t>(offset + r * columns + c)]);
        if (shown < columns) row.push_back("");
        table.add(std::move(row));
    }
    table.print(out, "    ");
    if (rows > most_rows || columns > most_columns)
        out << "    ... " << rows << " x " << columns << " in all\n";
}

void print_table(std::ostream& out, const InspectedValue& value) {
    const Tensor& tensor = value.kept.tensor();
    out << "values  " << plain(value.full_name()) << run_text(value) << "  "
        << plain(value.kept.describe()) << '\n';
    if (tensor.size() == 0) return;
    const std::vector<std::string> texts = element_texts(tensor);
    const auto rank = static_cast<std::size_t>(tensor.rank());
    const std::int64_t columns = rank == 0 ? 1 : tensor.dim(rank - 1),
                       rows = rank < 2 ? 1 : tensor.dim(rank - 2);
    const std::int64_t slabs = tensor.size() / (rows * columns);
    for (std::int64_t slab = 0; slab < std::min(slabs, most_slabs); ++slab) {
        if (slabs > 1) {
            std::string place = ":,:]";
            std::int64_t rest = slab;
            for (std::size_t axis = rank - 2; axis-- > 0; rest /= tensor.dim(axis))
                place = std::to_string(rest % tensor.dim(axis)) + "," + place;
            out << "  [" << place << '\n';
        }
        print_slab(out, texts, slab * rows * columns, rows, columns);
    }
    if (slabs > most_slabs) out << "  ... " << slabs - most_slabs << " more\n";
}

Json statistics_json(const TensorStatistics& s) {
    const auto beyond = [](const BeyondType& b) -> Json {
        return {{"too_large", b.too_large}, {"too_small", b.too_small}};
    };
    return {{"minimum", json_number(s.minimum)},
            {"maximum", json_number(s.maximum)},
            {"mean", json_number(s.mean)},
            {"stddev", json_number(s.stddev)},
            {"zeros", s.zeros},
            {"nans", s.nans},
            {"infinities", s.infinities},
            {"beyond_float16", beyond(s.beyond_float16)},
            {"beyond_bfloat16", beyond(s.beyond_bfloat16)},
            {"histogram", s.histogram}};
}

Json kept_json(const Tensor& tensor) {
    Json json = {{"shape", std::vector<std::int64_t>(tensor.shape().begin(), tensor.shape().end())},
                 {"elements", Json::array()}};
    const Tensor listed = first_elements(tensor, most_listed);
    if (is_integer(tensor.dtype()) && tensor.dtype() != DType::u64)
        for (const std::int64_t v : to_int64s(listed)) json["elements"].push_back(v);
    else if (has_statistics(listed))
        for (const double v : to_doubles(listed)) json["elements"].push_back(json_number(v));
    else
        for (const std::string& text : element_texts(listed)) json["elements"].push_back(text);
    return json;
}

const std::vector<std::string> figure_titles{"min", "max",      "mean",       "std",        "zero",
                                             "NaN", "infinite", "beyond f16", "beyond bf16"};

/// Under figure_titles.
void add_figures(std::vector<std::string>& row, const InspectedValue& value) {
    if (!value.numbers) {
        row.insert(row.end(), figure_titles.size(), "-");
        return;
    }
    const TensorStatistics& s = *value.numbers;
    for (const double v : {s.minimum, s.maximum, s.mean, s.stddev}) row.push_back(number(v));
    row.insert(row.end(), {share_text(s.zeros, s.elements), count_cell(s.nans),
                           count_cell(s.infinities), beyond_cell(s.beyond_float16, s.elements),
                           beyond_cell(s.beyond_bfloat16, s.elements)});
}

bool has_several_runs(const Inspection& inspection) {
    return !inspection.values.empty() && inspection.values.back().run > 0;
}

/// The values in the order of the first run, each with its rows of all runs.
std::vector<const InspectedValue*> by_value(const Inspection& inspection) {
    std::map<std::string, std::size_t> place;
    std::vector<std::vector<const InspectedValue*>> groups;
    for (const InspectedValue& value : inspection.values) {
        const auto [at, is_new] = place.emplace(value.full_name(), groups.size());
        if (is_new) groups.emplace_back();
        groups[at->second].push_back(&value);
    }
    std::vector<const InspectedValue*> all;
    for (const auto& group : groups) all.insert(all.end(), group.begin(), group.end());
    return all;
}

/// Where the nodes that wrote the values come from, each node once; nothing where no file says so.
void print_sources(std::ostream& out, const Inspection& inspection) {
    TextTable table({"value", "comes from"}, {0, 1});
    std::size_t count = 0;
    std::string last;
    for (const InspectedValue& value : inspection.values) {
        if (value.source.lines.empty() && value.source.modules.empty()) continue;
        const std::string name = value.path + value.name;
        if (name == last || value.run > 0) continue;  // another iteration of it, or run
        last = name;
        if (++count <= most_sources) table.add({plain(name), source_text(value.source)});
    }
    if (count == 0) return;
    table.print(out, "");
    if (count > most_sources) out << "... " << count - most_sources << " more\n";
}

}  // namespace

void print_inspection(std::ostream& out, const Inspection& inspection, bool has_tables) {
    const bool has_runs = has_several_runs(inspection);
    std::vector<std::string> titles{"value", "role", "by", "type"};
    if (has_runs) titles.insert(titles.begin() + 1, "run");
    titles.insert(titles.end(), figure_titles.begin(), figure_titles.end());
    TextTable table(titles, has_runs ? std::vector<std::size_t>{0, 2, 3, 4}
                                     : std::vector<std::size_t>{0, 1, 2, 3});
    std::size_t histograms = 0;
    for (const InspectedValue* const value : by_value(inspection)) {
        std::vector<std::string> row{plain(value->full_name())};
        if (has_runs)
            row.push_back(value->role == ValueRole::constant ? "-" : std::to_string(value->run));
        row.push_back(std::string(name_of(value->role)));
        row.push_back(value->op.empty()
                          ? "-"
                          : plain(value->node.empty() ? value->op : value->node + " " + value->op));
        row.push_back(plain(value->type));
        add_figures(row, *value);
        histograms += value->numbers.has_value();
        table.add(std::move(row));
    }
    table.print(out, "");
    if (inspection.left_out > 0)
        out << "... " << inspection.left_out << " more, which --iteration or fewer names reach\n";
    for (const InspectedValue& value : inspection.values)
        if (value.numbers && histograms <= most_histograms) print_histogram(out, value);
    print_sources(out, inspection);
    for (const InspectedValue& value : inspection.values)
        if (has_tables && value.kept.is_tensor()) print_table(out, value);
}

Json inspection_json(const Inspection& inspection, bool has_tables) {
    Json json = {{"values", Json::array()}, {"left_out", inspection.left_out}};
    const bool has_runs = has_several_runs(inspection);
    for (const InspectedValue& value : inspection.values) {
        Json entry = {{"name", value.full_name()},   {"value", value.name},
                      {"body", value.path},          {"iterations", value.iterations},
                      {"role", name_of(value.role)}, {"node", value.node},
                      {"operator", value.op},        {"type", value.type}};
        if (has_runs && value.role != ValueRole::constant) entry["run"] = value.run;
        if (value.dtype != DType::undefined) {
            entry["element_type"] = name_of(value.dtype);
            entry["shape"] = std::vector<std::int64_t>(value.shape.begin(), value.shape.end());
        }
        if (!value.source.is_empty()) entry["source"] = source_json(value.source);
        if (value.numbers) entry["statistics"] = statistics_json(*value.numbers);
        if (has_tables && value.kept.is_tensor()) entry["slice"] = kept_json(value.kept.tensor());
        json["values"].push_back(std::move(entry));
    }
    return json;
}

void print_watched(std::ostream& out, const Inspection& watched) {
    std::vector<std::string> titles{"value", "token", "type"};
    titles.insert(titles.end(), figure_titles.begin(), figure_titles.end());
    TextTable table(titles, {0, 2});
    for (const InspectedValue* const value : by_value(watched)) {
        std::vector<std::string> row{plain(value->full_name()), std::to_string(value->run),
                                     plain(value->type)};
        add_figures(row, *value);
        table.add(std::move(row));
    }
    table.print(out, "");
    if (watched.left_out > 0) out << "... " << watched.left_out << " more\n";
}

Json watched_json(const Inspection& watched) {
    Json json = Json::array();
    for (const InspectedValue& value : watched.values) {
        Json entry = {{"name", value.full_name()}, {"token", value.run}, {"type", value.type}};
        if (value.numbers) {
            const TensorStatistics& s = *value.numbers;
            entry["minimum"] = json_number(s.minimum);
            entry["maximum"] = json_number(s.maximum);
            entry["mean"] = json_number(s.mean);
            entry["stddev"] = json_number(s.stddev);
            entry["zeros"] = s.zeros;
            entry["nans"] = s.nans;
            entry["infinities"] = s.infinities;
        }
        json.push_back(std::move(entry));
    }
    return json;
}

}  // namespace lapidary::cli
