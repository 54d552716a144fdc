// SPDX-License-Identifier: Apache-2.0
#include <string_view>

#include <fmt/format.h>

#include <lapidary/bench/bench.h>
#include <lapidary/internal/shown_text.h>

#include "cli/ci/ci_report.h"

namespace lapidary::cli {
namespace {

constexpr std::size_t most_cell_characters = 4096;

/// Text in a cell: no character of it is taken for Markdown or HTML.
std::string cell(std::string_view text) {
    std::string escaped;
    for (const char c : printable(text, most_cell_characters)) {
        if (c == '<') {
            escaped += "&lt;";
            continue;
        }
        if (c == '|' || c == '`' || c == '*' || c == '_' || c == '[' || c == '\\') escaped += '\\';
        escaped += c;
    }
    return escaped;
}

std::string_view mark_of(CiVerdict verdict) {
    return verdict == CiVerdict::worse || verdict == CiVerdict::broken ? "**" : "";
}

std::string model_table(const CiModelResult& model) {
    std::string text = fmt::format("\n### {}\n\n", cell(model.name));
    if (!model.note.empty()) text += cell(model.note) + "\n\n";
    text += "| check | verdict | now | baseline | change | limit |\n";
    text += "|---|---|--:|--:|--:|---|\n";
    for (const CiCheck& check : model.checks) {
        const CiFigureTexts texts = figure_texts(check);
        text +=
            fmt::format("| {} | {}{}{} | {} | {} | {} | {} |\n", title_of(check),
                        mark_of(check.verdict), name_of(check.verdict), mark_of(check.verdict),
                        cell(texts.now), cell(texts.then), cell(texts.change), cell(check.limit));
    }
    std::string reasons;
    for (const CiCheck& check : model.checks)
        if (check.verdict > CiVerdict::reported)
            reasons += fmt::format("- {}, {}: {}\n", title_of(check), name_of(check.verdict),
                                   cell(check.sentence));
    for (const std::string& warning : model.warnings)
        reasons += fmt::format("- warning: {}\n", cell(warning));
    return reasons.empty() ? text : text + '\n' + reasons;
}

}  // namespace

std::string ci_markdown(const CiResult& result) {
    const MachineInfo machine = machine_info();
    std::string text =
        fmt::format("## Models: {}\n\n{}\n", name_of(worst_of(result)), ci_counts_text(result));
    for (const CiModelResult& model : result.models) text += model_table(model);
    text += fmt::format("\n{}, {}, {} cores, Lapidary {}\n", cell(machine.cpu), cell(machine.isa),
                        machine.cores, LAPIDARY_VERSION);
    return text;
}

}  // namespace lapidary::cli
