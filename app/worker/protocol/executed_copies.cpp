// SPDX-License-Identifier: Apache-2.0
#include "worker/protocol/executed_copies.h"

#include <algorithm>

#include <lapidary/graph/graph_edit.h>

namespace lapidary::app {
namespace {

constexpr const char* cpu_memory = "CPU";
constexpr const char* copy_target = "to";

void require_fit(bool fits) {
    if (!fits)
        fail(ErrorCode::io_failure,
             "copies of the worker process do not fit the graph of this process");
}

}  // namespace

std::vector<ExecutedCopy> copies_of(const Graph& executed, const PlacementReport& placement) {
    std::vector<ExecutedCopy> copies;
    const auto is_copy = [&](NodeId node) {
        return std::ranges::find(placement.copies, node, &PlannedCopy::node) !=
               placement.copies.end();
    };
    for (const PlannedCopy& planned : placement.copies) {
        const Node& node = executed.node(planned.node);
        ExecutedCopy& copy = copies.emplace_back();
        copy.domain = node.domain;
        copy.op = node.op_type;
        copy.name = node.name;
        copy.to = node.string_attribute(copy_target, "");
        copy.reads_made = planned.to == cpu_memory;
        const Value& made = executed.value(copy.reads_made ? node.inputs[0] : node.outputs[0]);
        copy.made_name = made.name;
        copy.node = node.id.index;
        copy.made = made.id.index;
        copy.other = (copy.reads_made ? node.outputs[0] : node.inputs[0]).index;
        copy.producer = made.producer.index;
        copy.producer_output = made.producer_output;
        for (const Use& use : made.uses)
            if (!is_copy(use.node)) copy.readers.emplace_back(use.node.index, use.input);
    }
    std::ranges::sort(copies, {}, &ExecutedCopy::node);
    return copies;
}

void add_copies(Graph& graph, const std::vector<ExecutedCopy>& copies) {
    if (copies.empty()) return;
    GraphEdit edit(graph);
    for (const ExecutedCopy& copy : copies) {
        const ValueId other(copy.other);
        require_fit(copy.other < graph.value_slots());
        const ValueId made = edit.add_value(copy.made_name, graph.value(other).type);
        require_fit(made.index == copy.made);
        if (copy.reads_made) {
            const NodeId producer(copy.producer);
            require_fit(graph.is_alive(producer));
            edit.set_output(producer, copy.producer_output, made);
        }
        NodeSpec spec;
        spec.domain = copy.domain;
        spec.op_type = copy.op;
        spec.name = copy.name;
        spec.version = 1;
        spec.attributes = {{copy_target, copy.to, {}, {}}};
        spec.inputs = {copy.reads_made ? made : other};
        spec.outputs = {copy.reads_made ? other : made};
        const NodeId node = edit.add_node(std::move(spec));
        require_fit(node.index == copy.node);
        edit.set_origins(node, {});
        for (const auto& [reader, input] : copy.readers) {
            require_fit(graph.is_alive(NodeId(reader)));
            edit.set_input(NodeId(reader), input, made);
        }
    }
    edit.finish();
}

void write_copies(ByteWriter& out, const std::vector<ExecutedCopy>& copies) {
    out.number(std::uint64_t(copies.size()));
    for (const ExecutedCopy& copy : copies) {
        for (const std::string* text :
             {&copy.domain, &copy.op, &copy.name, &copy.to, &copy.made_name})
            out.text(*text);
        for (const std::uint32_t id :
             {copy.node, copy.made, copy.other, copy.producer, copy.producer_output})
            out.number(id);
        out.number(std::uint8_t(copy.reads_made));
        out.number(std::uint64_t(copy.readers.size()));
        for (const auto& [node, input] : copy.readers) {
            out.number(node);
            out.number(input);
        }
    }
}

std::vector<ExecutedCopy> read_copies(ByteReader& in) {
    std::vector<ExecutedCopy> copies;
    for (std::size_t n = in.count(); n > 0; --n) {
        ExecutedCopy& copy = copies.emplace_back();
        for (std::string* text : {&copy.domain, &copy.op, &copy.name, &copy.to, &copy.made_name})
            *text = in.text();
        for (std::uint32_t* id :
             {&copy.node, &copy.made, &copy.other, &copy.producer, &copy.producer_output})
            *id = in.number<std::uint32_t>();
        copy.reads_made = in.number<std::uint8_t>() != 0;
        for (std::size_t more = in.count(); more > 0; --more) {
            const auto node = in.number<std::uint32_t>();
            copy.readers.emplace_back(node, in.number<std::uint32_t>());
        }
    }
    return copies;
}

}  // namespace lapidary::app
