// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include <lapidary/base/quantity_text.h>
#include <lapidary/inspect/difference_text.h>
#include <lapidary/internal/shown_text.h>

namespace lapidary {
namespace {

constexpr std::size_t most_named = 6;

/// "encoder.layer.0 (Linear)", with the call and the output where there are several.
std::string module_text(const Recording& recording, const CheckedModule& checked) {
    const RecordedModule& module = recording.modules[checked.module];
    std::string text = printable(module.path);
    const std::string name = module.class_name.substr(module.class_name.rfind('.') + 1);
    if (!name.empty()) text += " (" + printable(name) + ")";
    if (module.call > 0) text += fmt::format(", call {}", module.call + 1);
    if (module.outputs.size() > 1)
        text += ", output " + printable(module.outputs[checked.output].name);
    return text;
}

/// "agree" of several values, else name_of().
std::string state_text(RecordedState state, std::size_t count) {
    if (count != 1 && state == RecordedState::agrees) return "agree";
    if (count != 1 && state == RecordedState::differs) return "differ";
    return std::string(name_of(state));
}

/// The model and the framework, as far as the recording names them.
std::string origin_text(const Recording& recording) {
    std::string text = printable(recording.model);
    if (!text.empty() && !recording.framework.empty()) text += ", ";
    text += printable(recording.framework);
    return text.empty() ? "a run" : text;
}

std::string counts_text(const RecordingCheck& check) {
    std::array<std::size_t, 5> counts{};
    for (const CheckedModule& module : check.modules)
        ++counts[static_cast<std::size_t>(module.state)];
    std::string text = count_text(std::ssize(check.modules), "recorded output");
    const char* separator = ": ";
    for (std::size_t i = 0; i < counts.size(); ++i) {
        if (counts[i] == 0) continue;
        text += fmt::format("{}{} {}", separator, counts[i],
                            state_text(static_cast<RecordedState>(i), counts[i]));
        separator = ", ";
    }
    return text;
}

void add_first(std::vector<FoundLine>& lines, const Recording& recording,
               const RecordingCheck& check) {
    const CheckedModule& first = check.modules[*check.first];
    std::string text = module_text(recording, first) + " differs";
    if (first.comparison.max_abs > 0)
        text += fmt::format(" by {:.3g} of its largest element", first.comparison.relative());
    lines.push_back({"first", text + ": " + printable(first.comparison.reason)});
    const std::string& line = recording.modules[first.module].line;
    if (!line.empty()) lines.push_back({"", "called at " + printable(line)});
    text = "in the model it is " + printable(first.value) + " of " + printable(first.node);
    if (const std::string source = source_text(first.source); !source.empty())
        text += ", from " + source;
    lines.push_back({"", std::move(text)});
    if (check.between.empty()) return;
    text = "or a module before it that the model has no value of: ";
    for (std::size_t i = 0; i < std::min(check.between.size(), most_named); ++i)
        text += (i ? ", " : "") + module_text(recording, check.modules[check.between[i]]);
    if (check.between.size() > most_named)
        text += fmt::format(" and {} more", check.between.size() - most_named);
    lines.push_back({"", std::move(text)});
}

/// What outputs and values inside say together.
void add_verdict(std::vector<FoundLine>& lines, const RecordingCheck& check) {
    if (!check.has_compared()) {
        lines.push_back({"", printable(check.nothing_compared())});
        return;
    }
    if (check.first && check.outputs_agree() && check.has_compared_outputs())
        lines.push_back({"", "the outputs agree all the same: the difference does not reach them"});
    if (check.first || check.outputs_agree()) return;
    const bool has_other_elements =
        std::ranges::any_of(check.outputs, [](const CheckedRecordedOutput& output) {
            return !output.comparison.matches && output.comparison.elements > 0;
        });
    const bool has_agreeing = std::ranges::any_of(check.modules, [](const CheckedModule& module) {
        return module.state == RecordedState::agrees && module.comparison.elements > 0;
    });
    if (!has_other_elements) {
        for (const CheckedRecordedOutput& output : check.outputs)
            if (!output.comparison.matches)
                lines.push_back({"", "the output " + printable(output.name) +
                                         " has another type or shape than was recorded, so that "
                                         "none of its elements was compared: " +
                                         printable(output.comparison.reason)});
    } else if (has_agreeing) {
        lines.push_back({"",
                         "every module that was compared agrees: the cause lies behind them, "
                         "or in one that was not compared"});
    } else {
        lines.push_back(
            {"", "no value inside was compared: the cause may lie in all of the model"});
    }
}

/// The nodes that may be the cause; the value that differs is made by the last of them.
void add_suspects(std::vector<FoundLine>& lines, const RecordingCheck& check) {
    const std::size_t count = check.suspects.size();
    if (count == 0) return;
    const std::size_t shown = std::min(count, most_named);
    std::string text = count == 1 ? "" : "one of: ";
    for (std::size_t i = count - shown; i < count; ++i)
        text += (i == count - shown ? "" : ", ") + printable(check.suspects[i]);
    if (count > shown) text += fmt::format("; or of {} before them", count - shown);
    lines.push_back({"cause", std::move(text)});
}

}  // namespace

std::vector<FoundLine> lines_of(const Recording& recording, const RecordingCheck& check) {
    std::vector<FoundLine> lines{{"recorded", origin_text(recording)},
                                 {"modules", counts_text(check)}};
    if (check.first) add_first(lines, recording, check);
    add_verdict(lines, check);
    add_suspects(lines, check);
    for (const std::string& note : check.notes) lines.push_back({"note", printable(note)});
    return lines;
}

}  // namespace lapidary
