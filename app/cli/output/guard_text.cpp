// SPDX-License-Identifier: Apache-2.0
#include "cli/output/guard_text.h"

#include <algorithm>
#include <ostream>

#include <fmt/format.h>

#include <lapidary/base/quantity_text.h>

#include "cli/output/comparison_text.h"
#include "cli/output/value_text.h"

namespace lapidary::cli {

void print_guard(std::ostream& out, const std::string& title, const GuardReport& report,
                 const std::string& compared) {
    out << title << '\n';
    std::vector<std::string> titles{"output", "type", "seed"};
    titles.insert(titles.end(), comparison_columns().begin(), comparison_columns().end());
    TextTable table(titles, {0, 1, titles.size() - 1});
    for (const GuardOutput& o : report.outputs) {
        std::vector<std::string> row{plain(o.name), plain(o.type), std::to_string(o.seed)};
        std::ranges::move(comparison_cells(o.comparison), std::back_inserter(row));
        table.add(std::move(row));
    }
    if (!report.outputs.empty()) table.print(out);
    for (const GuardOutput& o : report.outputs)
        if (!o.comparison.matches)
            out << "  " << plain(o.name) << ": " << plain(o.comparison.reason) << '\n';
    if (report.excess_precision)
        out << "  the result keeps f32 where the original rounds to half (drop_rounding_casts): "
               "twice what those "
               "roundings move an output by is allowed on top of atol\n";
    for (const GuardOutput& o : report.outputs)
        if (o.rounding > 0)
            out << fmt::format("  {}: its roundings to half move it by {:.3g}\n", plain(o.name),
                               o.rounding);
    for (const GuardOutput& o : report.outputs)
        if (o.moves)
            out << fmt::format(
                "  {}: in another order of its sums the original moves it by {:.3g}; twice that is "
                "allowed on top of "
                "atol\n",
                plain(o.name), *o.moves);
    for (const std::string& name : report.dropped)
        out << "  " << plain(name) << ": not compared, it was not kept\n";
    if (!report.failure.empty())
        out << "  the result does not run: " << plain(report.failure) << '\n';
    const auto agreeing = std::ranges::count_if(
        report.outputs, [](const GuardOutput& o) { return o.comparison.matches; });
    out << fmt::format("  {}{}{}: {} of {} with the original (rtol {:g}, atol {:g}, {})\n",
                       report.matches ? "PASSED" : "FAILED", compared.empty() ? "" : " ", compared,
                       agreeing,
                       count_text(std::ssize(report.outputs), "output agrees", "outputs agree"),
                       report.tolerance.rtol, report.tolerance.atol,
                       count_text(static_cast<std::int64_t>(report.runs), "run"));
    out << fmt::format(
        "  a run took {:.3f} ms, the original {:.3f} ms (one look at small inputs, no "
        "measurement)\n",
        report.result_ms, report.original_ms);
    if (report.lowered) out << "  precision  " << plain(text_of(*report.lowered)) << '\n';
}

Json guard_json(const GuardReport& report) {
    Json json = {{"matches", report.matches},
                 {"rtol", report.tolerance.rtol},
                 {"atol", report.tolerance.atol},
                 {"excess_precision", report.excess_precision},
                 {"runs", report.runs},
                 {"original_ms", json_number(report.original_ms)},
                 {"result_ms", json_number(report.result_ms)},
                 {"failure", report.failure},
                 {"not_kept", report.dropped},
                 {"outputs", Json::array()}};
    for (const GuardOutput& o : report.outputs) {
        Json output = comparison_json(o.comparison);
        output["name"] = o.name;
        output["type"] = o.type;
        output["seed"] = o.seed;
        output["rounding"] = json_number(o.rounding);
        output["moves"] = o.moves ? json_number(*o.moves) : Json();
        json["outputs"].push_back(std::move(output));
    }
    if (report.lowered) json["lowered_precision"] = lowered_json(*report.lowered);
    return json;
}

}  // namespace lapidary::cli
