// SPDX-License-Identifier: Apache-2.0
#include "cli/guard_text.h"

#include <algorithm>
#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/value_text.h"

namespace lapidary::cli {

void print_guard(std::ostream& out, const std::string& title, const GuardReport& report) {
    out << title << '\n';
    TextTable table({"output", "type", "max abs", "max rel", "SQNR dB", "cosine", "seed", "result"}, {0, 1, 7});
    for (const GuardOutput& o : report.outputs) {
        const Comparison& c = o.comparison;
        table.add({plain(o.name), plain(o.type), fmt::format("{:.3g}", c.max_abs), fmt::format("{:.3g}", c.max_rel), fmt::format("{:.1f}", c.sqnr_db),
                   fmt::format("{:.6f}", c.cosine), std::to_string(o.seed), c.matches ? "ok" : fmt::format("DIFFERS in {} of {}", c.mismatches, c.elements)});
    }
    if (!report.outputs.empty()) table.print(out);
    for (const GuardOutput& o : report.outputs)
        if (!o.comparison.matches) out << "  " << plain(o.name) << ": " << plain(o.comparison.reason) << '\n';
    if (report.excess_precision)
        out << "  the result keeps f32 where the original rounds to half (drop_rounding_casts): twice what those roundings move an output by is allowed on top of atol\n";
    for (const GuardOutput& o : report.outputs)
        if (o.rounding > 0) out << fmt::format("  {}: its roundings to half move it by {:.3g}\n", plain(o.name), o.rounding);
    for (const std::string& name : report.dropped) out << "  " << plain(name) << ": not compared, it was not kept\n";
    if (!report.failure.empty()) out << "  the result does not run: " << plain(report.failure) << '\n';
    const auto agreeing = std::ranges::count_if(report.outputs, [](const GuardOutput& o) { return o.comparison.matches; });
    out << fmt::format("  {}: {} of {} outputs agree with the original (rtol {:g}, atol {:g}, {} {})\n", report.matches ? "PASSED" : "FAILED", agreeing,
                       report.outputs.size(), report.tolerance.rtol, report.tolerance.atol, report.runs, report.runs == 1 ? "run" : "runs");
    out << fmt::format("  run {:.3f} ms, the original {:.3f} ms\n", report.result_ms, report.original_ms);
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
        const Comparison& c = o.comparison;
        json["outputs"].push_back({{"name", o.name},
                                   {"type", o.type},
                                   {"seed", o.seed},
                                   {"matches", c.matches},
                                   {"reason", c.reason},
                                   {"elements", c.elements},
                                   {"mismatches", c.mismatches},
                                   {"rounding", json_number(o.rounding)},
                                   {"max_abs", json_number(c.max_abs)},
                                   {"max_rel", json_number(c.max_rel)},
                                   {"sqnr_db", json_number(c.sqnr_db)},
                                   {"cosine", json_number(c.cosine)}});
    }
    return json;
}

}  // namespace lapidary::cli
