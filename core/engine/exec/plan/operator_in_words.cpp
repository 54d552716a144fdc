// SPDX-License-Identifier: Apache-2.0
#include "exec/plan/operator_in_words.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "rewrite/session_domain.h"
#include "kernels/elementwise/chain_program.h"

namespace lapidary {
namespace {

constexpr std::size_t most_named = 4;  // operators of a chain; more are counted

std::string_view unary_name(std::uint8_t kind) {
    static constexpr auto words = std::to_array<std::string_view>({
#define X(kind) #kind,
        LAPIDARY_UNARY_KINDS(X)
#undef X
    });
    static constexpr std::pair<std::string_view, std::string_view> operators[] = {
        {"gelu_tanh", "FastGelu"}, {"silu", "Swish"}, {"affine", "Mul + Add"},
        {"power_half", "Pow"},     {"square", "Pow"}, {"cube", "Pow"}};
    const std::string_view word = words[kind];
    for (const auto& [ours, theirs] : operators)
        if (ours == word) return theirs;
    return word;
}

/// "leaky_relu" is "LeakyRelu"; names of operators stay.
std::string camel_case(std::string_view word) {
    std::string name;
    bool upper = true;
    for (char c : word) {
        if (c == '_') upper = true;
        else
            name += upper && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c,
                upper = false;
    }
    return name;
}

std::string chain_in_words(const Node& node) {
    static constexpr std::array<const char*, 9> binary{"Add", "Sub",   "Mul", "Div", "Min",
                                                       "Max", "PRelu", "Pow", "Mod"};
    static_assert(binary.size() == static_cast<std::size_t>(BinaryKind::count));
    std::vector<std::string> names;
    for (const ChainProgram::Step& step : ChainProgram::of(node).steps) {
        // added for storage in 16 bits, not an operator of the model
        if (!step.is_binary && step.kind == static_cast<std::uint8_t>(UnaryKind::keep_finite))
            continue;
        const std::string name =
            step.is_binary ? binary[step.kind] : camel_case(unary_name(step.kind));
        if (names.empty() || names.back() != name) names.push_back(name);
    }
    std::string text;
    const std::size_t shown = names.size() > most_named ? most_named - 1 : names.size();
    for (std::size_t i = 0; i < shown; ++i) text += (i ? " + " : "") + names[i];
    if (shown < names.size()) text += " + " + std::to_string(names.size() - shown) + " more";
    return text;
}

bool reads(const Node& node, std::size_t input) {
    return input < node.inputs.size() && node.inputs[input];
}

/// "Conv + Add + Relu (channels last)"
std::string convolution_in_words(const Node& node) {
    const std::string activation = node.string_attribute("activation", "");
    return node.op_type.substr(std::string_view("ChannelsLast").size()) +
           (reads(node, 3) ? " + Add" : "") + (activation.empty() ? "" : " + " + activation) +
           " (channels last)";
}

}  // namespace

std::string operator_in_words(const Node& node) {
    if (node.domain != session_domain) return node.qualified_op();
    const std::string& op = node.op_type;
    if (op == "Copy") return op;  // a copy between kinds of memory, not a fused operator
    if (op == "MultiCast")
        return node.inputs.size() == 1
                   ? "Cast"
                   : "Cast of " + std::to_string(node.inputs.size()) + " tensors";
    std::string text = op;
    if (op == "ElementwiseChain") text = chain_in_words(node);
    else if (op == "Product")
        text = std::string("MatMul") + (reads(node, 2) ? " + Add" : "") +
               (reads(node, 3) ? " + Add" : "");
    else if (op == "NormalizedProduct")
        text = std::string("SkipLayerNormalization + MatMul") + (reads(node, 6) ? " + Add" : "") +
               (reads(node, 7) ? " + Add" : "");
    else if (op == "ChannelsLastPool")
        return node.string_attribute("pool", "") + " (channels last)";
    else if (op.starts_with("ChannelsLast")) return convolution_in_words(node);
    else if (op == "DotProductAttention") text = "MatMul + Softmax + MatMul";
    else if (op == "DynamicQuantizeMatMul" && reads(node, 5)) text += " + Add";
    else if (op == "ByteTable") text = node.string_attribute("operators", "");
    else if (op == "QLinearConvSum") text = "QLinearConv + QLinearAdd";
    else if (op == "ConvIntegerToFloat")
        text = node.string_attribute("operators", std::string("ConvInteger + Cast + Mul") +
                                                      (reads(node, 5) ? " + Add" : ""));
    if (const std::string activation = node.string_attribute("activation", ""); !activation.empty())
        text += " + " + activation;
    return text + " (fused)";
}

}  // namespace lapidary
