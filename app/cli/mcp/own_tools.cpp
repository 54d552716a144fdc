// SPDX-License-Identifier: Apache-2.0
#include "cli/mcp/own_tools.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <sstream>

#include <lapidary/base/error.h>

#include "cli/command_line.h"
#include "cli/mcp/tool_list.h"

namespace lapidary::cli::mcp {
namespace {

constexpr std::size_t usual_items = 100, usual_bytes = 16'000;

Json member(const char* type, const char* description) {
    return {{"type", type}, {"description", description}};
}

Json describe(const char* name, const char* description, const Json& properties,
              const char* required) {
    return {{"name", name},
            {"description", description},
            {"inputSchema",
             {{"type", "object"},
              {"properties", properties},
              {"required", Json::array({required})},
              {"additionalProperties", false}}},
            {"annotations", {{"readOnlyHint", true}, {"openWorldHint", false}}}};
}

/// A member of the arguments that is a number from 0 on.
std::int64_t number_in(const Json& arguments, const char* name, std::int64_t otherwise) {
    const auto at = arguments.find(name);
    if (at == arguments.end() || at->is_null()) return otherwise;
    const bool is_whole = at->is_number_integer() &&
                          !(at->is_number_unsigned() &&
                            at->get<std::uint64_t>() > std::numeric_limits<std::int64_t>::max());
    if (!is_whole || at->get<std::int64_t>() < 0)
        fail_input("the argument " + quote(name) + " is " + at->dump().substr(0, 100) +
                   ", expected a whole number from 0 on");
    return at->get<std::int64_t>();
}

std::string text_in(const Json& arguments, const char* name) {
    const auto at = arguments.find(name);
    if (at == arguments.end() || at->is_null()) return {};
    if (!at->is_string())
        fail_input("the argument " + quote(name) + " is " + at->type_name() + ", expected a text");
    return at->get<std::string>();
}

Json tool_answer(const std::string& text) {
    return {{"isError", false}, {"content", Json::array({{{"type", "text"}, {"text", text}}})}};
}

Json help_of_tool(const Json& arguments) {
    const std::string name = text_in(arguments, "tool");
    const Tool* const tool = find_tool(name);
    if (!tool) {
        std::string known;
        for (const Tool& other : tools())
            known += (known.empty() ? "" : ", ") + std::string(other.name);
        fail_input("there is no tool " + quote(name) + "; those with help are " + known);
    }
    return tool_answer("The tool " + name +
                       " is the command below. Its arguments are the options "
                       "without dashes, with _ in place of -, as far as the tool has them.\n\n" +
                       command_help(std::string(tool->command)));
}

Json part_of_result(const Json& arguments, ToolCalls& calls) {
    const std::int64_t number = number_in(arguments, "result", 0);
    const auto from = static_cast<std::size_t>(number_in(arguments, "from", 0));
    const std::string place = text_in(arguments, "part");
    auto count = static_cast<std::size_t>(number_in(arguments, "count", 0));
    const bool is_counted = count > 0;
    if (!is_counted) count = usual_items;
    Json part = calls.part_of_result(number, place, from, count);
    const bool is_text = part.contains("of") && part["value"].is_string();
    if (is_text && !is_counted) part = calls.part_of_result(number, place, from, usual_bytes);
    // What is long in itself is cut as answers are, within the same result.
    Json value = std::move(part["value"]);
    const BoundedAnswer answer = bounded(value);
    part["value"] = answer.value;
    std::string note;
    for (const CutPart& cut : answer.cuts) {
        if (note.size() > 1000) {
            note += "; and more";
            break;
        }
        note += (note.empty() ? "Cut inside of this part: " : "; ") + std::string("value") +
                cut.place + " shows " + std::to_string(cut.shown) + " of " +
                std::to_string(cut.all);
    }
    if (!answer.fits) {
        part["value"] = nullptr;
        note = "This part is too long for one answer: name a smaller one by the argument part.";
    }
    Json result = tool_answer(part.dump(-1, ' ', false, Json::error_handler_t::replace));
    if (!note.empty()) result["content"].push_back({{"type", "text"}, {"text", note}});
    return result;
}

void require_known(const Json& arguments, const std::vector<std::string>& known) {
    if (!arguments.is_object())
        fail_input(std::string("the arguments are ") + arguments.type_name() +
                   ", expected an object");
    std::string list;
    for (const std::string& name : known) list += (list.empty() ? "" : ", ") + name;
    for (const auto& [name, value] : arguments.items())
        if (std::ranges::find(known, name) == known.end())
            fail_input("there is no argument " + quote(name) + "; known: " + list);
    if (!arguments.contains(known.front()))
        fail_input("the argument " + quote(known.front()) + " is needed");
}

}  // namespace

Json own_tool_descriptions() {
    return Json::array(
        {describe("result",
                  "More of an answer that was cut: a part of a result by its place, a list piece "
                  "by piece.",
                  {{"result", member("integer", "The number that the answer named")},
                   {"part", member("string",
                                   "A JSON pointer, such as /nodes or /nodes/3; the "
                                   "whole result unless given")},
                   {"from", member("integer",
                                   "The first item of a list, or byte of a text; 0 "
                                   "unless given")},
                   {"count", member("integer",
                                    "Items of a list, 100 unless given; bytes of a "
                                    "text, 16000 unless given")}},
                  "result"),
         describe("help", "All that the command behind a tool says of itself, with examples.",
                  {{"tool", member("string", "The name of the tool")}}, "tool")});
}

std::optional<Json> call_own_tool(const std::string& name, const Json& arguments,
                                  ToolCalls& calls) {
    if (name == "help") {
        require_known(arguments, {"tool"});
        return help_of_tool(arguments);
    }
    if (name == "result") {
        require_known(arguments, {"result", "part", "from", "count"});
        return part_of_result(arguments, calls);
    }
    return std::nullopt;
}

std::string command_help(const std::string& command) {
    const char* const words[] = {"lapidary-cli", command.c_str(), "--help"};
    std::ostringstream out, err;
    run_command_line(3, words, out, err);
    return out.str();
}

}  // namespace lapidary::cli::mcp
