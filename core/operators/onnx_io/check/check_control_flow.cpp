// SPDX-License-Identifier: Apache-2.0
// Counts from the ONNX operator definitions of If, Loop and Scan.
#include "onnx_io/check/check_control_flow.h"

#include <algorithm>

#include <lapidary/base/error.h>

namespace lapidary::onnx_io {
namespace {

const Attribute* find_attribute(const NodeSpec& node, std::string_view name) {
    const auto it = std::ranges::find(node.attributes, name, &Attribute::name);
    return it == node.attributes.end() ? nullptr : &*it;
}

/// The graph attribute, or null when a function passes it by reference.
GraphPtr body_of(const NodeSpec& node, std::string_view name) {
    const Attribute* a = find_attribute(node, name);
    if (a == nullptr) fail_model("attribute " + quote(name) + " is missing, expected a graph");
    if (std::holds_alternative<AttributeReference>(a->value)) return nullptr;
    const GraphPtr* graph = std::get_if<GraphPtr>(&a->value);
    if (graph == nullptr)
        fail_model("attribute " + quote(name) + ": expected a graph, found " +
                   std::string(kind_of(a->value)));
    return *graph;
}

void require_count(std::string_view graph, const char* what, std::size_t expected,
                   std::size_t found, const std::string& why) {
    if (expected == found) return;
    fail_model("graph " + quote(graph) + " has " + std::to_string(found) + " " + what +
               ", expected " + std::to_string(expected) + " (" + why + ")");
}

std::string count_text(std::size_t count, const char* what) {
    return std::to_string(count) + " " + what;
}

void check_if(const NodeSpec& node) {
    for (const char* name : {"then_branch", "else_branch"}) {
        const GraphPtr branch = body_of(node, name);
        if (!branch) continue;
        require_count(name, "outputs", node.outputs.size(), branch->outputs().size(),
                      "as the node");
        require_count(name, "inputs", 0, branch->inputs().size(),
                      "branches read the enclosing graph");
    }
}

void check_loop(const NodeSpec& node) {
    if (node.inputs.size() < 2)
        fail_model("Loop has " + count_text(node.inputs.size(), "inputs") + ", expected 2 or more");
    const GraphPtr body = body_of(node, "body");
    if (!body) return;
    const std::size_t carried = node.inputs.size() - 2;
    require_count("body", "inputs", carried + 2, body->inputs().size(),
                  "iteration number, condition and " + count_text(carried, "carried values"));
    if (node.outputs.size() < carried)
        fail_model("Loop has " + count_text(node.outputs.size(), "outputs") +
                   ", expected at least its " + count_text(carried, "carried values"));
    require_count("body", "outputs", node.outputs.size() + 1, body->outputs().size(),
                  "condition and the node's " + count_text(node.outputs.size(), "outputs"));
}

void check_scan(const NodeSpec& node) {
    const Attribute* count = find_attribute(node, "num_scan_inputs");
    if (count == nullptr) fail_model("attribute \"num_scan_inputs\" is missing");
    if (std::holds_alternative<AttributeReference>(count->value)) return;
    const auto* scanned = std::get_if<std::int64_t>(&count->value);
    if (scanned == nullptr)
        fail_model("attribute \"num_scan_inputs\": expected int, found " +
                   std::string(kind_of(count->value)));
    // Scan-8 takes the sequence lengths first.
    const std::size_t leading = node.version < 9 ? 1 : 0;
    const std::size_t given = node.inputs.size() - std::min(node.inputs.size(), leading);
    if (*scanned < 1 || static_cast<std::uint64_t>(*scanned) > given)
        fail_model("attribute \"num_scan_inputs\" is " + std::to_string(*scanned) +
                   ", expected 1 to " + std::to_string(given) + ", the number of inputs");
    const GraphPtr body = body_of(node, "body");
    if (!body) return;
    const std::size_t states = given - static_cast<std::size_t>(*scanned);
    require_count(
        "body", "inputs", given, body->inputs().size(),
        count_text(states, "states") + " and " + count_text(given - states, "scanned inputs"));
    require_count("body", "outputs", node.outputs.size(), body->outputs().size(), "as the node");
    if (node.outputs.size() < states)
        fail_model("Scan has " + count_text(node.outputs.size(), "outputs") +
                   ", expected at least its " + count_text(states, "states"));
}

}  // namespace

void check_control_flow(const NodeSpec& node) {
    if (!node.domain.empty()) return;
    if (node.op_type == "If") check_if(node);
    else if (node.op_type == "Loop") check_loop(node);
    else if (node.op_type == "Scan") check_scan(node);
}

}  // namespace lapidary::onnx_io
