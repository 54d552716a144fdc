// SPDX-License-Identifier: Apache-2.0
#include "cli/compare/recorded_check.h"

#include <algorithm>
#include <array>
#include <ostream>

#include <fmt/format.h>

#include <lapidary/base/quantity_text.h>

#include "cli/output/comparison_text.h"
#include "cli/output/source_text.h"
#include "cli/output/value_text.h"

namespace lapidary::cli {
namespace {

constexpr std::size_t most_named = 6;

/// "encoder.layer.0 (Linear)", with the call and the output where there are several.
std::string module_text(const Recording& recording, const CheckedModule& checked) {
    const RecordedModule& module = recording.modules[checked.module];
    std::string text = plain(module.path);
    const std::string name = module.class_name.substr(module.class_name.rfind('.') + 1);
    if (!name.empty()) text += " (" + plain(name) + ")";
    if (module.call > 0) text += fmt::format(", call {}", module.call + 1);
    if (module.outputs.size() > 1) text += ", output " + plain(module.outputs[checked.output].name);
    return text;
}

void print_counts(std::ostream& out, const RecordingCheck& check) {
    std::array<std::size_t, 5> counts{};
    for (const CheckedModule& module : check.modules)
        ++counts[static_cast<std::size_t>(module.state)];
    out << "modules  " << count_text(std::ssize(check.modules), "recorded output");
    const char* separator = ": ";
    for (std::size_t i = 0; i < counts.size(); ++i) {
        if (counts[i] == 0) continue;
        out << separator << counts[i] << ' ' << name_of(static_cast<RecordedState>(i));
        separator = ", ";
    }
    out << '\n';
}

void print_first(std::ostream& out, const Recording& recording, const RecordingCheck& check) {
    const CheckedModule& first = check.modules[*check.first];
    out << "first    " << module_text(recording, first) << " differs";
    if (first.comparison.max_abs > 0)
        out << fmt::format(" by {:.3g} of its largest element", first.comparison.relative());
    out << ": " << plain(first.comparison.reason) << '\n';
    const std::string& line = recording.modules[first.module].line;
    if (!line.empty()) out << "         called at " << plain(line) << '\n';
    out << "         in the model it is " << plain(first.value) << " of " << plain(first.node);
    if (const std::string source = source_text(first.source); !source.empty())
        out << ", from " << source;
    out << '\n';
    if (check.between.empty()) return;
    out << "         or a module before it that the model has no value of: ";
    for (std::size_t i = 0; i < std::min(check.between.size(), most_named); ++i)
        out << (i ? ", " : "") << module_text(recording, check.modules[check.between[i]]);
    if (check.between.size() > most_named)
        out << fmt::format(" and {} more", check.between.size() - most_named);
    out << '\n';
}

}  // namespace

void print_recording_check(std::ostream& out, const Recording& recording,
                           const RecordingCheck& check) {
    out << "recorded " << plain(recording.model) << ", " << plain(recording.framework) << '\n';
    print_counts(out, check);
    if (check.first) print_first(out, recording, check);
    if (check.first && check.outputs_agree())
        out << "         the outputs agree all the same: it was merged or replaced by the export\n";
    if (!check.first && !check.outputs_agree())
        out << "         every module that was compared agrees: the cause lies behind them, or in "
               "one that was not compared\n";
    for (const std::string& note : check.notes) out << "note     " << plain(note) << '\n';
}

Json recording_json(const Recording& recording, const RecordingCheck& check) {
    Json json = {{"framework", recording.framework},
                 {"model", recording.model},
                 {"modules", Json::array()},
                 {"between", check.between},
                 {"notes", check.notes}};
    if (check.first) json["first"] = *check.first;
    for (const CheckedModule& checked : check.modules) {
        const RecordedModule& module = recording.modules[checked.module];
        Json entry = {{"path", module.path},
                      {"class", module.class_name},
                      {"call", module.call},
                      {"output", module.outputs[checked.output].name},
                      {"state", name_of(checked.state)},
                      {"value", checked.value},
                      {"node", checked.node}};
        if (!module.line.empty()) entry["line"] = module.line;
        if (!checked.reason.empty()) entry["reason"] = checked.reason;
        if (!checked.source.is_empty()) entry["source"] = source_json(checked.source);
        if (checked.state == RecordedState::agrees || checked.state == RecordedState::differs) {
            entry["comparison"] = comparison_json(checked.comparison);
            entry["comparison"]["name"] = checked.value;
        }
        json["modules"].push_back(std::move(entry));
    }
    return json;
}

}  // namespace lapidary::cli
