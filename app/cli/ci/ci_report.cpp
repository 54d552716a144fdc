// SPDX-License-Identifier: Apache-2.0
#include "cli/ci/ci_report.h"

#include <ostream>

#include <fmt/format.h>

#include <lapidary/base/quantity_text.h>

#include "cli/bench/bench_models.h"
#include "cli/output/value_text.h"

namespace lapidary::cli {
namespace {

Json number_or_null(const std::optional<double>& figure) {
    return figure ? json_number(*figure) : Json();
}

Json interval_or_null(const std::optional<CiInterval>& interval) {
    if (!interval) return {};
    return Json::array({json_number(interval->first), json_number(interval->second)});
}

Json check_json(const CiCheck& check) {
    return {{"check", name_of(check.kind)},
            {"level", check.level ? Json(name_of(*check.level)) : Json()},
            {"verdict", name_of(check.verdict)},
            {"unit", check.unit},
            {"now", number_or_null(check.now)},
            {"interval", interval_or_null(check.interval)},
            {"baseline", number_or_null(check.then)},
            {"change", number_or_null(check.change)},
            {"change_interval", interval_or_null(check.change_interval)},
            {"limit", check.limit},
            {"sentence", check.sentence},
            {"seconds", json_number(check.seconds)}};
}

Json model_json(const CiModelResult& model) {
    Json json = {{"name", model.name},
                 {"model", model.argument},
                 {"threads", model.threads},
                 {"sizes", model.sizes},
                 {"baseline", model.baseline.string()},
                 {"has_baseline", model.has_baseline},
                 {"updated", model.is_updated},
                 {"note", model.note},
                 {"warnings", model.warnings},
                 {"checks", Json::array()}};
    for (const CiCheck& check : model.checks) json["checks"].push_back(check_json(check));
    return json;
}

/// Checks whose limit needs a baseline, which the figure becomes.
std::size_t count_of_baselines(const CiResult& result) {
    std::size_t count = 0;
    for (const CiModelResult& model : result.models)
        for (const CiCheck& check : model.checks)
            count += check.verdict == CiVerdict::reported && !check.limit.empty();
    return count;
}

std::string figure_text(const std::string& unit, double figure) {
    if (unit == "ms") return time_text(figure);
    return unit == "bytes" ? bytes_text(figure) : fmt::format("{:.4f}", figure);
}

}  // namespace

CiFigureTexts figure_texts(const CiCheck& check) {
    CiFigureTexts texts;
    if (check.now)
        texts.now = check.unit == "ms" && check.interval
                        ? time_text(*check.now, check.interval->first, check.interval->second)
                        : figure_text(check.unit, *check.now);
    if (check.then) texts.then = figure_text(check.unit, *check.then);
    if (check.change)
        texts.change =
            fmt::format("{:+.2f} {}", *check.change, check.unit == "share" ? "points" : "%");
    if (check.change_interval)
        texts.change = fmt::format("{:+.1f} % [{:+.1f}, {:+.1f}]", *check.change,
                                   check.change_interval->first, check.change_interval->second);
    return texts;
}

std::string ci_counts_text(const CiResult& result) {
    std::string text;
    const auto add = [&](CiVerdict verdict, std::string_view words) {
        if (const std::size_t count = count_of(result, verdict))
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, words);
    };
    add(CiVerdict::worse, "worse");
    add(CiVerdict::broken, "broken");
    add(CiVerdict::unresolved, "unresolved");
    add(CiVerdict::kept, "kept");
    const std::size_t new_figures = count_of_baselines(result);
    if (new_figures > 0)
        text +=
            fmt::format("{}{} measured for the baseline", text.empty() ? "" : ", ", new_figures);
    if (const std::size_t count = count_of(result, CiVerdict::reported) - new_figures)
        text += fmt::format("{}{} reported without a limit", text.empty() ? "" : ", ", count);
    if (result.cancelled) text += text.empty() ? "cancelled" : ", then cancelled";
    return text.empty() ? "nothing was checked" : text;
}

void print_ci(std::ostream& out, const CiResult& result) {
    TextTable table({"model", "check", "verdict", "now", "baseline", "change", "limit"},
                    {0, 1, 2, 6});
    for (const CiModelResult& model : result.models)
        for (const CiCheck& check : model.checks) {
            const CiFigureTexts texts = figure_texts(check);
            table.add({plain(model.name), title_of(check), std::string(name_of(check.verdict)),
                       texts.now, texts.then, texts.change, check.limit});
        }
    table.print(out, "");
    for (const CiModelResult& model : result.models) {
        if (!model.note.empty())
            out << "note  " << plain(model.name) << ": " << plain(model.note, 4096) << '\n';
        for (const std::string& warning : model.warnings)
            out << "warning  " << plain(model.name) << ": " << plain(warning, 4096) << '\n';
        for (const CiCheck& check : model.checks)
            if (check.verdict > CiVerdict::reported)
                out << fmt::format("{}  {}, {}: ", name_of(check.verdict), plain(model.name),
                                   title_of(check))
                    << plain(check.sentence, 4096) << '\n';
        if (model.is_updated) out << "wrote " << plain(model.baseline.string(), 4096) << '\n';
    }
    out << ci_counts_text(result) << '\n';
}

Json ci_json(const CiResult& result) {
    Json json = {{"file", result.file.string()},
                 {"machine", machine_json()},
                 {"verdict", name_of(worst_of(result))},
                 {"kept", count_of(result, CiVerdict::kept)},
                 {"reported", count_of(result, CiVerdict::reported)},
                 {"unresolved", count_of(result, CiVerdict::unresolved)},
                 {"broken", count_of(result, CiVerdict::broken)},
                 {"worse", count_of(result, CiVerdict::worse)},
                 {"cancelled", result.cancelled},
                 {"models", Json::array()}};
    for (const CiModelResult& model : result.models) json["models"].push_back(model_json(model));
    return json;
}

}  // namespace lapidary::cli
