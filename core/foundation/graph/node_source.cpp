// SPDX-License-Identifier: Apache-2.0
#include <lapidary/graph/node_source.h>

#include <algorithm>
#include <string_view>

#include "graph/merged_metadata.h"

namespace lapidary {
namespace {

std::string_view entry(const StringPairs& set, std::string_view key) {
    const auto found = std::ranges::find(
        set, key, [](const auto& pair) -> std::string_view { return pair.first; });
    return found == set.end() ? std::string_view() : std::string_view(found->second);
}

/// The texts of a list as Python prints it: ['', 'fc', "it's"].
std::vector<std::string> python_list(std::string_view text) {
    std::vector<std::string> items;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char quote = text[i];
        if (quote != '\'' && quote != '"') continue;
        std::string& item = items.emplace_back();
        for (++i; i < text.size() && text[i] != quote; ++i) {
            if (text[i] == '\\' && i + 1 < text.size()) ++i;
            item += text[i];
        }
    }
    return items;
}

/// "torch.nn.modules.linear.Linear" -> "Linear"
std::string short_class(std::string_view name) {
    return std::string(name.substr(name.rfind('.') + 1));  // npos + 1 is 0
}

/// Without what torch.export puts before the names of modules.
std::string plain_path(std::string name) {
    for (const std::string_view root : {"L['self'].", "L['self']", "L__self___", "L__self__"})
        if (name.starts_with(root)) return name.substr(root.size());
    return name;
}

/// Whether a module named `part` inside of those is left out. Each path repeats the ones around it,
/// so that a name of thousands of scopes would take memory by their square.
bool is_too_deep(const std::vector<SourceModule>& modules, std::string_view part) {
    return modules.size() == most_source_modules ||
           (!modules.empty() && modules.back().path.size() + part.size() > longest_source_path);
}

/// ": net.Net/fc: torch.nn.modules.linear.Linear/linear: aten.linear.default", whose last part is
/// the node itself; or "encoder/layer" without classes.
std::vector<SourceModule> modules_of_namespace(std::string_view text) {
    std::vector<SourceModule> modules;
    bool ends_with_node = false;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('/'), text.size());
        const std::string_view part = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        const std::size_t colon = part.find(": ");
        ends_with_node = colon != std::string_view::npos;
        const std::string name(part.substr(0, std::min(colon, part.size())));
        if (ends_with_node)
            modules.push_back({plain_path(name), short_class(part.substr(colon + 2))});
        else if (!name.empty() && !is_too_deep(modules, name))
            modules.push_back({modules.empty() ? name : modules.back().path + "." + name, {}});
    }
    if (ends_with_node) modules.pop_back();
    return modules;
}

std::vector<SourceModule> modules_of_set(const StringPairs& set) {
    const std::vector<std::string> names = python_list(entry(set, "pkg.torch.onnx.name_scopes"));
    const std::vector<std::string> classes =
        python_list(entry(set, "pkg.torch.onnx.class_hierarchy"));
    if (names.empty() || names.size() != classes.size())
        return modules_of_namespace(entry(set, "namespace"));
    std::vector<SourceModule> modules;
    for (std::size_t i = 0; i + 1 < names.size(); ++i)  // the last one is the node
        modules.push_back({plain_path(names[i]), short_class(classes[i])});
    return modules;
}

/// "/layer1/layer1.0/conv1/Conv" -> layer1, layer1.0, layer1.0.conv1. TorchScript repeats the name
/// of a container; TensorFlow puts the call of a function in front.
std::vector<SourceModule> modules_of_name(std::string_view name) {
    std::vector<SourceModule> modules;
    std::string last;  // the part before
    for (std::size_t end = 0; (end = name.find('/')) != std::string_view::npos;) {
        const std::string part(name.substr(0, end));
        name.remove_prefix(end + 1);
        if (part.empty() || part == "StatefulPartitionedCall" || part == "PartitionedCall")
            continue;
        if (is_too_deep(modules, part)) break;
        std::string path = modules.empty() ? std::string() : modules.back().path;
        if (!last.empty() && part.starts_with(last + "."))
            path.resize(path.size() - last.size());  // of which `part` begins with another copy
        else if (!path.empty()) path += '.';
        modules.push_back({path + part, {}});
        last = part;
    }
    return modules;
}

void keep_common(std::vector<SourceModule>& modules, const std::vector<SourceModule>& other) {
    const auto [end, unused] = std::ranges::mismatch(modules, other);
    modules.erase(end, modules.end());
}

void add_line(std::vector<SourceLine>& lines, SourceLine line) {
    if (line.line > 0 && std::ranges::find(lines, line) == lines.end())
        lines.push_back(std::move(line));
}

}  // namespace

NodeSource source_of(const Node& node) {
    NodeSource source;
    bool is_first = true;
    for (const StringPairs& set : metadata_sets(node.metadata)) {
        add_line(source.lines, line_of_stack_trace(entry(set, "pkg.torch.onnx.stack_trace")));
        std::vector<SourceModule> modules = modules_of_set(set);
        if (modules.empty()) continue;
        if (is_first) source.modules = std::move(modules);
        else keep_common(source.modules, modules);
        is_first = false;
    }
    if (source.lines.empty()) add_line(source.lines, line_of_stack_trace(node.doc));
    if (is_first) source.modules = modules_of_name(node.name);
    return source;
}

std::string NodeSource::module_text() const {
    if (modules.empty()) return {};
    const SourceModule& inner = modules.back();
    if (inner.class_name.empty()) return inner.path;
    return inner.path.empty() ? inner.class_name : inner.path + " (" + inner.class_name + ")";
}

std::string NodeSource::line_text() const {
    constexpr std::size_t most = 3;
    std::string text;
    for (std::size_t i = 0; i < std::min(lines.size(), most); ++i)
        text += (i ? ", " : "") + lines[i].text();
    if (lines.size() > most) text += " and " + std::to_string(lines.size() - most) + " more";
    return text;
}

}  // namespace lapidary
