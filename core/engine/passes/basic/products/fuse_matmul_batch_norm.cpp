// SPDX-License-Identifier: Apache-2.0
//   before:  y = BatchNormalization(reshapes(MatMul(x, W)))   also Gemm; reshapes: any Reshape,
//            Transpose, Squeeze ...
//   after:   y = reshapes(Gemm(x, W * s, t))
// Sound when the reshapes carry the columns of the product, whole and in order, to axis 1, which is
// followed by shapes.
#include <algorithm>

#include "base/at.h"
#include "ops/dimensions/dim_algebra.h"
#include "passes/basic/products/linear_operator.h"

namespace lapidary::passes {
using namespace pattern;
namespace {

/// Where `axis` of a tensor of shape `from` is in `to`, which holds the same elements in the same
/// order; -1: nowhere whole.
int carried_by_reshape(const SymbolicShape& from, const SymbolicShape& to, int axis) {
    const std::span<const Dim> before(from.data(), static_cast<std::size_t>(axis));
    for (std::size_t i = 0; i < to.size(); ++i) {
        if (!surely_equal(to[i], at(from, axis))) continue;
        if (!surely_equal(product(std::span<const Dim>(to.data(), i)), product(before))) continue;
        const auto rest = std::span<const Dim>(to).subspan(i + 1);
        if (surely_equal(product(rest), product(std::span<const Dim>(from).subspan(
                                            static_cast<std::size_t>(axis) + 1))))
            return static_cast<int>(i);
    }
    return -1;
}

int carried(const Scope& scope, const Node& node, int axis) {
    if (node.op_type == "Identity") return axis;
    const Type& from = scope.type(node.inputs[0]);
    const Type& to = scope.type(node.outputs[0]);
    if (!from.shape || !to.shape) return -1;
    if (node.op_type == "Transpose") {
        const auto rank = static_cast<std::int64_t>(from.shape->size());
        const auto perm = node.ints_attribute("perm");
        if (perm.empty()) return static_cast<int>(rank) - 1 - axis;
        const auto at = std::ranges::find(perm, axis);
        return at == perm.end() ? -1 : static_cast<int>(at - perm.begin());
    }
    return carried_by_reshape(*from.shape, *to.shape, axis);
}

bool is_reshape(const Node& node) {
    static const char* const names[] = {"Reshape",   "Transpose", "Squeeze",
                                        "Unsqueeze", "Flatten",   "Identity"};
    return node.domain.empty() && std::ranges::find(names, node.op_type) != std::end(names);
}

}  // namespace

PassBody fuse_matmul_batch_norm() {
    return {
        .rules = {{.pattern = batch_normalization(any("x")),
                   .rewrite = [](const Match& m, PassContext& context) {
                       const Scope& scope = m.scope();
                       std::vector<NodeId> chain;  // reshapes, from the BatchNormalization up
                       ValueId at = m.value("x");
                       const Node* product = scope.producer(at);
                       for (; product && is_reshape(*product) && scope.value(at).read_once();
                            at = product->inputs[0], product = scope.producer(at))
                           chain.push_back(product->id);
                       if (!product || !product->domain.empty() ||
                           (product->op_type != "MatMul" && product->op_type != "Gemm"))
                           return not_concerned();
                       if (!scope.value(at).read_once())
                           return declined("the product is also read elsewhere");
                       std::string why;
                       const auto linear = linear_operator(scope, *product, why);
                       if (!linear) return stopped_by(why);
                       if (linear->rank < 0) return declined("the product's rank is not known");
                       int axis = linear->rank - 1;
                       for (auto it = chain.rbegin(); it != chain.rend() && axis >= 0; ++it)
                           axis = carried(scope, scope.node(*it), axis);
                       if (axis != 1)
                           return declined(
                               "the channels of the BatchNormalization are not provably the "
                               "columns of the product");
                       const auto affine = batch_normalization_affine(m);
                       if (!affine)
                           return declined(
                               "the BatchNormalization's constants give no finite scale and shift");
                       if (static_cast<std::int64_t>(affine->scale.size()) != linear->channels)
                           return declined("the BatchNormalization has " +
                                           std::to_string(affine->scale.size()) +
                                           " channels, the product " +
                                           std::to_string(linear->channels) + " columns");
                       FoldedOperator folded = fold_after(context, *linear, *affine);
                       if (!folded.problem.empty()) return declined(folded.problem);

                       const std::string text =
                           "BatchNormalization went into the weights of " + product->op_type;
                       const NodeId root = m.root(), old_product = product->id;
                       if (chain.empty()) {
                           const NodeId matched[] = {old_product};
                           context.replace(root, folded.op, folded.inputs, folded.attributes,
                                           matched);
                           return applied(text);
                       }
                       // The reshapes are made again from the product down; the lowest takes the
                       // place of the BatchNormalization.
                       ValueId value =
                           context.node(folded.op, folded.inputs, folded.attributes, product->name);
                       for (std::size_t i = chain.size(); i-- > 0;) {
                           const Node& reshape = scope.node(chain[i]);
                           std::vector<ValueId> inputs = reshape.inputs;
                           inputs[0] = value;
                           std::vector<Attribute> attributes = reshape.attributes;
                           const std::string op_type = reshape.op_type, name = reshape.name;
                           if (i > 0) value = context.node(op_type, inputs, attributes, name);
                           else context.replace(root, op_type, inputs, attributes, chain);
                       }
                       const NodeId matched[] = {old_product};
                       context.erase_unused(matched);
                       return applied(text);
                   }}}};
}

}  // namespace lapidary::passes
