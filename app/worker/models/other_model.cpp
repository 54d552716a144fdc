// SPDX-License-Identifier: Apache-2.0
#include "worker/models/other_model.h"

#include <algorithm>
#include <system_error>
#include <unordered_map>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph_edit.h>
#include <lapidary/onnx_io/model_io.h>

#include "worker/inputs/given_inputs.h"
#include "worker/inputs/input_files.h"

namespace lapidary::app {
namespace {

namespace fs = std::filesystem;

/// What a node is called: its name, or without one its first output, which no other node writes.
std::string name_of(const Graph& graph, const Node& node) {
    if (!node.name.empty()) return "node " + node.name;
    const auto named = std::ranges::find_if(node.outputs, [](ValueId v) { return bool(v); });
    return named == node.outputs.end() ? std::string() : "value " + graph.value(*named).name;
}

/// Nodes by name; those that share one are left out.
std::unordered_map<std::string, NodeId> nodes_by_name(const Graph& graph) {
    std::unordered_map<std::string, NodeId> nodes;
    for (const NodeId id : graph.nodes()) {
        std::string name = name_of(graph, graph.node(id));
        if (name.empty()) continue;
        const auto [at, fresh] = nodes.emplace(std::move(name), id);
        if (!fresh) at->second = {};
    }
    return nodes;
}

void require_inputs_of(const Model& one, const Model& other, const std::string& which) {
    for (const ValueId id : one.graph.inputs()) {
        const Value& input = one.graph.value(id);
        if (input.constant || input_called(other, input.name)) continue;
        fail_input("the two cannot run on the same inputs: " + quote(input.name) + " is one of " +
                   which + " alone, the inputs of the other are " + list_of_inputs(other.graph));
    }
}

}  // namespace

OtherModel other_model(const fs::path& file) {
    std::error_code problem;
    const fs::path absolute = fs::absolute(file, problem);
    const std::uint64_t bytes = problem ? 0 : fs::file_size(absolute, problem);
    if (problem)
        throw Error(ErrorCode::io_failure, "the file cannot be read: " + problem.message())
            .at(file.string());
    const std::u8string text = absolute.u8string();
    return {std::string(text.begin(), text.end()), bytes,
            fs::last_write_time(absolute, problem).time_since_epoch().count(), 0};
}

Model load_other(const OtherModel& other, const Model& opened, const Progress& progress) {
    const fs::path file = path_of_utf8(other.file);
    const OtherModel now = other_model(file);
    if ((other.bytes != 0 && other.bytes != now.bytes) ||
        (other.modified != 0 && other.modified != now.modified))
        throw Error(ErrorCode::io_failure, "the file changed after it was opened; open it again")
            .at(other.file);
    Model model = load_model(file, {.channel_block = other.channel_block}, progress);
    if (const std::string problem = channel_block_problem(model); !problem.empty())
        throw Error(ErrorCode::not_supported, problem).at(other.file);
    require_inputs_of(opened, model, "the open model");
    require_inputs_of(model, opened, quote(file.filename().string()));
    const auto known = nodes_by_name(opened.graph);
    GraphEdit edit(model.graph, "load_other");
    const std::vector<NodeId> nodes(model.graph.nodes().begin(), model.graph.nodes().end());
    const auto own = nodes_by_name(model.graph);
    for (const NodeId id : nodes) {
        const std::string name = name_of(model.graph, model.graph.node(id));
        const auto mine = own.find(name), same = known.find(name);
        const bool matched =
            mine != own.end() && mine->second && same != known.end() && same->second;
        // one that stands for none gets an id that the open model has not
        const auto none = static_cast<std::uint32_t>(opened.graph.node_slots() + id.index);
        edit.set_origins(id, {matched ? same->second : NodeId(none)});
    }
    edit.finish();
    return model;
}

}  // namespace lapidary::app
