// SPDX-License-Identifier: Apache-2.0
#include "passes/session/half_protection.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include <lapidary/tensor/float16.h>

#include "kernels/elementwise/chain_program.h"
#include "passes/session/bounded_chain.h"

namespace lapidary {
namespace {

constexpr std::array<std::pair<std::string_view, const char*>, 12> growing{
    {{"CumSum", "a running sum"},
     {"Exp", "an exponential"},
     {"Log", "the logarithm of what may be close to 0"},
     {"Pow", "a power"},
     {"Reciprocal", "a quotient by what may be close to 0"},
     {"ReduceL1", "a sum"},
     {"ReduceL2", "a sum of squares"},
     {"ReduceLogSum", "a sum"},
     {"ReduceLogSumExp", "a sum of exponentials"},
     {"ReduceProd", "a product of many"},
     {"ReduceSum", "a sum"},
     {"ReduceSumSquare", "a sum of squares"}}};

std::string outgrows(const char* what) {
    return std::string("protected: ") + what + " may leave the range of float16";
}

bool is_scalar(const Value& value) {
    return value.is_constant() && value.constant && value.constant->size() == 1;
}

/// What the last step of a chain gives; those before are held in float32.
std::string chain_problem(const Node& node) {
    const ChainProgram program = ChainProgram::of(node);
    const ChainProgram::Step& last = program.steps.back();
    const auto kind = static_cast<UnaryKind>(last.kind);
    if (!last.is_binary) {
        if (kind == UnaryKind::exp) return outgrows("an exponential");
        if (kind == UnaryKind::square || kind == UnaryKind::cube) return outgrows("a power");
        if (kind == UnaryKind::reciprocal || kind == UnaryKind::log)
            return outgrows("a function of what may be close to 0");
        return {};
    }
    if (static_cast<BinaryKind>(last.kind) == BinaryKind::pow) return outgrows("a power");
    if (static_cast<BinaryKind>(last.kind) == BinaryKind::div && last.b != ChainProgram::constant)
        return outgrows("a quotient by what may be close to 0");
    return {};
}

bool is_whole_number(DType dtype) { return dtype == DType::i64 || dtype == DType::i32; }

/// A Cast from whole numbers, or what makes floats of them in another way.
bool makes_floats_of_whole_numbers(const Graph& graph, const Node& node) {
    if (node.op_type == "Range") return true;
    if (node.qualified_op() == "lapidary::ElementwiseChain")
        return std::ranges::any_of(node.inputs, [&](ValueId v) {
            return v && is_whole_number(graph.value(v).type.dtype);
        });
    return node.op_type == "Cast" && node.inputs[0] &&
           is_whole_number(graph.value(node.inputs[0]).type.dtype);
}

/// Whatever it reads, what comes out is of another kind.
bool has_weights(const Graph& graph, const Node& node) {
    return std::ranges::any_of(node.inputs, [&](ValueId v) {
        return v && graph.value(v).is_constant() && graph.value(v).constant &&
               graph.value(v).constant->rank() > 1 && graph.value(v).type.dtype == DType::f32;
    });
}

/// Probabilities and the like that leave the model: small ones have few digits in float16, and a
/// Cast before the node costs what one behind it does.
bool ends_in_outputs(const Graph& graph, const Node& node) {
    static constexpr std::string_view ends[] = {"LogSoftmax", "Sigmoid", "Softmax", "Softplus",
                                                "lapidary::ElementwiseChain"};
    if (std::ranges::find(ends, std::string_view(node.qualified_op())) == std::end(ends))
        return false;
    const auto computed = std::ranges::count_if(
        node.inputs, [&](ValueId v) { return v && !graph.value(v).is_constant(); });
    return computed == 1 && std::ranges::all_of(node.outputs, [&](ValueId v) {
               return !v || (graph.value(v).output_uses > 0 && graph.value(v).uses.empty());
           });
}

}  // namespace

bool reads_floats(const Graph& graph, const Node& node) {
    return std::ranges::any_of(
        node.inputs, [&](ValueId v) { return v && graph.value(v).type.dtype == DType::f32; });
}

std::string HalfProtection::constant_problem(const Node& node, const HalfPorts& ports) const {
    for (std::size_t i : ports.inputs) {
        const Value& value = scope_.value(node.inputs[i]);
        if (std::string problem = half_constant_problem(value); !problem.empty()) return problem;
        if (!is_scalar(value)) continue;
        const float number = value.constant->data<float>()[0];
        if (number != 0 && static_cast<float>(Half(number)) == 0)
            return "protected: " + std::to_string(number) + " of " + value.name +
                   " would be 0 in float16";
    }
    return {};
}

std::string HalfProtection::problem_of(const Node& node, const HalfPorts& ports) const {
    if (is_chain(node)) {
        const ChainProgram program = ChainProgram::of(node);
        if (has_large_constants(program, half_) && !bounded_chain(program, half_))
            return "protected: one of its constants is infinite in 16 bits, and it has no room for "
                   "a step that bounds "
                   "the result";
    }
    if (half_ != DType::f16) return {};
    if (is_chain(node)) {
        if (std::string problem = chain_problem(node); !problem.empty()) return problem;
    }
    if (node.domain.empty()) {
        const auto found = std::ranges::find(growing, std::string_view(node.op_type),
                                             &std::pair<std::string_view, const char*>::first);
        if (found != growing.end()) return outgrows(found->second);
        if (node.op_type == "Div" && !scope_.constant(node.inputs.at(1)))
            return outgrows("a quotient by what may be close to 0");
        if (node.op_type == "Mul" && node.inputs.at(0) == node.inputs.at(1))
            return outgrows("a square");
    }
    if (ends_in_outputs(scope_.graph, node)) return "its results leave the model as float32";
    return constant_problem(node, ports);
}

void HalfProtection::add(NodeId id, HalfPorts& ports) {
    const Node& node = scope_.node(id);
    ports.problem = problem_of(node, ports);
    bool reads_protected = false, reads_others = false, reads_whole = false;
    for (std::size_t i : ports.inputs) {
        const Value& value = scope_.value(node.inputs[i]);
        if (value.is_constant()) continue;
        const NodeId writer = value.kind == ValueKind::node_output ? value.producer : NodeId();
        reads_whole = reads_whole || (writer && whole_.contains(writer));
        (writer && (stays_.contains(writer) || between_.contains(writer)) ? reads_protected
                                                                          : reads_others) = true;
    }
    const bool is_alone = reads_protected && !reads_others && !has_weights(scope_.graph, node);
    if (ports.problem.empty() && is_alone && reads_whole) {
        ports.problem =
            "protected: it computes with whole numbers, of which float16 holds those up to 2048 "
            "alone";
        whole_.insert(id);
    }
    if (ports.problem.empty() && is_alone) {
        between_.insert(id);
        order_.push_back(id);
    }
    if (!ports.problem.empty()) stay(id, ports.problem);
}

void HalfProtection::add_refused(NodeId id, std::string reason) {
    const Node& node = scope_.node(id);
    if (makes_floats_of_whole_numbers(scope_.graph, node)) whole_.insert(id);
    if (reads_floats(scope_.graph, node)) stay(id, std::move(reason));
    else stays_.insert(id);
}

void HalfProtection::stay(NodeId id, std::string reason) {
    stays_.insert(id);
    reasons_[id] = std::move(reason);
}

/// Of nodes that read protected values alone, those stay whose results protected nodes read.
const std::map<NodeId, std::string>& HalfProtection::settle() {
    for (std::size_t i = order_.size(); i-- > 0;) {
        if (!between_.contains(order_[i])) continue;
        const Node& node = scope_.node(order_[i]);
        const bool is_read = std::ranges::any_of(node.outputs, [&](ValueId v) {
            return v && std::ranges::any_of(scope_.value(v).uses, [&](const Use& use) {
                       return stays_.contains(use.node);
                   });
        });
        if (is_read) stay(node.id, "protected: it stands between nodes that are");
    }
    return reasons_;
}

}  // namespace lapidary
