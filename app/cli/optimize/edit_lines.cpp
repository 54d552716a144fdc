// SPDX-License-Identifier: Apache-2.0
#include "cli/optimize/edit_lines.h"

#include <algorithm>
#include <cstdint>
#include <span>

#include <lapidary/base/error.h>
#include <lapidary/internal/text_file.h>

namespace lapidary::cli {
namespace {

constexpr std::uint64_t most_script_bytes = 16u << 20;

}  // namespace

EditScript read_edit_lines(const std::filesystem::path& file,
                           const std::vector<std::string>& lines) {
    EditScript script;
    if (!file.empty()) {
        try {
            script = parse_edit_script(load_text(file, most_script_bytes));
        } catch (Error& error) {
            error.at(file.string());
            throw;
        }
        script.folder = file.parent_path();
    }
    int number = script.lines.empty() ? 0 : script.lines.back().line;
    for (const std::string& line : lines) script.lines.push_back(parse_edit_line(line, ++number));
    return script;
}

bool has_same_interface(const Model& a, const Model& b) {
    const auto names = [](const Graph& graph, std::span<const ValueId> ids) {
        std::vector<std::string> list;
        for (const ValueId id : ids) list.push_back(graph.value(id).name);
        return list;
    };
    const std::vector<std::string> outputs = names(a.graph, a.graph.outputs());
    const std::vector<std::string> left = names(b.graph, b.graph.outputs());
    return names(a.graph, a.graph.inputs()) == names(b.graph, b.graph.inputs()) &&
           std::ranges::all_of(left, [&](const std::string& name) {
               return std::ranges::find(outputs, name) != outputs.end();
           });
}

}  // namespace lapidary::cli
