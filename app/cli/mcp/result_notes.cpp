// SPDX-License-Identifier: Apache-2.0
#include "cli/mcp/result_notes.h"

#include <set>
#include <string_view>

#include <lapidary/base/error.h>

#include "cli/mcp/tool_list.h"

namespace lapidary::cli::mcp {
namespace {

using Result = nlohmann::json;

const Result* part_of(const Result& object, const char* name) {
    if (!object.is_object()) return nullptr;
    const auto at = object.find(name);
    return at == object.end() ? nullptr : &*at;
}

std::string text_part(const Result& object, const char* name) {
    const Result* part = part_of(object, name);
    return part && part->is_string() ? part->get<std::string>() : std::string();
}

bool flag_part(const Result& object, const char* name) {
    const Result* part = part_of(object, name);
    return part && part->is_boolean() && part->get<bool>();
}

/// What the guard found, of the first output that differs.
std::string reason_of(const Result& guard) {
    if (const std::string failure = text_part(guard, "failure"); !failure.empty())
        return "it does not run: " + failure;
    std::string reason = "its outputs differ from the original's";
    const Result* outputs = part_of(guard, "outputs");
    if (!outputs || !outputs->is_array()) return reason;
    for (const Result& output : *outputs)
        if (!flag_part(output, "matches"))
            return reason + " (" + quote(text_part(output, "name")) + ": " +
                   text_part(output, "reason") + ")";
    return reason;
}

std::string names_in_words(const std::set<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
    return text;
}

/// "sweep" of "lapidary-cli sweep net.onnx"; empty: it is no command of this program.
std::string command_in(const std::string& line) {
    constexpr std::string_view program = "lapidary-cli ";
    if (!line.starts_with(program)) return {};
    return line.substr(program.size(), line.find(' ', program.size()) - program.size());
}

}  // namespace

std::string difference_note(const Result& result) {
    const Result* guard = part_of(result, "guard");
    if (!guard || !guard->is_object() || flag_part(*guard, "matches")) return {};
    const std::string reason = reason_of(*guard), output = text_part(result, "output");
    if (flag_part(result, "written"))
        return quote(output, 4096) + " was written all the same, but " + reason +
               ": edits that may change results do so.";
    if (output.empty() || flag_part(result, "dry_run"))
        return "Nothing was written; of what would be, " + reason + ".";
    return quote(output, 4096) + " was not written: " + reason + ".";
}

std::string commands_note(const Result& result) {
    const Result* checks = part_of(result, "checks");
    if (!checks || !checks->is_array()) return {};
    std::set<std::string> with_tool, without_tool;
    for (const Result& check : *checks) {
        const std::string command = command_in(text_part(check, "command"));
        if (command.empty()) continue;
        std::set<std::string> names;
        for (const Tool& tool : tools())
            if (tool.command == command) names.emplace(tool.name);
        if (names.empty()) without_tool.insert(command);
        else with_tool.insert(command + " (" + names_in_words(names) + ")");
    }
    std::string note;
    if (!with_tool.empty())
        note = "Commands below, and the tools that run them: " + names_in_words(with_tool) + ".";
    if (!without_tool.empty())
        note += (note.empty() ? "" : " ") + std::string("No tool runs these, a person may: ") +
                names_in_words(without_tool) + ".";
    return note;
}

}  // namespace lapidary::cli::mcp
