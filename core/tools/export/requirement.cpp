// SPDX-License-Identifier: Apache-2.0
#include <lapidary/export/requirement.h>

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <lapidary/base/error.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/export/passport.h>

#include "export/release_operator.h"
#include "graph/traversal.h"
#include "ops/channel_block.h"

namespace lapidary {
namespace {

constexpr std::array<std::string_view, 2> onnx_domains{"", "ai.onnx.ml"};
constexpr std::array<std::string_view, 3> runtime_domains{
    "com.microsoft", "com.microsoft.experimental", nchwc_domain};

bool is_one_of(const auto& domains, std::string_view domain) {
    return std::ranges::find(domains, domain) != domains.end();
}

/// An old file may not say which CPUs it is for.
std::string layout_sentence(const Model& model) {
    if (!channel_block_problem(model).empty())
        return "ONNX Runtime on a CPU of the vector width that its channels are laid out for";
    const auto passport = passport_of(model);
    std::string_view made_for = passport ? std::string_view(passport->layout) : std::string_view();
    if (made_for.starts_with("cpu ")) made_for.remove_prefix(4);
    return fmt::format("ONNX Runtime on a CPU that lays channels out in blocks of {}{}",
                       channel_block_of(model),
                       made_for.empty() ? std::string() : fmt::format(", as {} does", made_for));
}

}  // namespace

Requirement requirement_of(const Model& model) {
    Requirement found;
    bool laid_out = false;
    std::string custom;
    int minor = 0;  // of ONNX Runtime
    for_each_graph(model, [&](const Graph& graph, const std::string&) {
        for (const NodeId id : graph.nodes()) {
            const Node& node = graph.node(id);
            if (is_one_of(onnx_domains, node.domain) ||
                model.find_function(node.domain, node.op_type, node.overload))
                continue;
            ++found.operators[node.qualified_op()];
            laid_out |= node.domain == nchwc_domain;
            if (shares_its_bias(graph, node)) minor = minor_with_shared_bias;
            if (!is_one_of(runtime_domains, node.domain) && custom.empty()) custom = node.domain;
        }
    });
    if (!custom.empty()) {
        found.kind = Requirement::Kind::custom;
        found.sentence = "a program that was given the operators of " + quote(custom);
    } else if (laid_out) {
        found.kind = Requirement::Kind::layout;
        found.sentence = layout_sentence(model);
    } else if (!found.operators.empty()) {
        found.kind = Requirement::Kind::onnxruntime;
        found.sentence = minor == 0
                             ? std::string("ONNX Runtime on any platform")
                             : fmt::format("ONNX Runtime 1.{} or newer on any platform", minor);
    } else {
        found.sentence = fmt::format("any ONNX implementation of opset {}", model.opset());
    }
    return found;
}

}  // namespace lapidary
