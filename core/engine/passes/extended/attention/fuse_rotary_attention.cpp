// SPDX-License-Identifier: Apache-2.0
//   before:  GroupQueryAttention(RotaryEmbedding(x * Wq), RotaryEmbedding(x * Wk), x * Wv, ...)
//            MatMul or MatMulNBits, constant weights
//   after:   GroupQueryAttention(x * [Wq Wk Wv], _, _, ..., cos, sin, position_ids) {do_rotary: 1}
// The positions go along as an input: the operator by itself would count from the end of each
// cache, which need not be what the model's position ids say.
#include <algorithm>

#include "passes/extended/attention/joined_constants.h"
#include "rewrite/pass.h"

namespace lapidary::passes {
namespace {

const Node* producer_of(const Scope& scope, ValueId value, const char* op, const char* domain) {
    const Node* node = scope.producer(value);
    return node && node->op_type == op && node->domain == domain ? node : nullptr;
}

/// Why a rotation cannot be fused into the attention; empty: it can.
std::string rotation_problem(const Scope& scope, const Node& rotation) {
    if (rotation.int_attribute("is_packed_batching", 0) != 0)
        return rotation.describe() + " is of packed batches";
    if (rotation.float_attribute("scale", 1.0f) != 1.0f) return rotation.describe() + " scales";
    if (const int rank = scope.rank(rotation.inputs[0]); rank != 3)
        return rotation.describe() + " rotates a value of rank " + std::to_string(rank) +
               ", needs 3";
    const std::int64_t part = rotation.int_attribute("rotary_embedding_dim", 0);
    if (part != 0 && part != 2 * scope.dim(rotation.inputs[2], 1))
        return rotation.describe() + " rotates " + std::to_string(part) +
               " items with caches for " + std::to_string(2 * scope.dim(rotation.inputs[2], 1));
    return {};
}

/// Why two rotations are not equal; empty: they are.
std::string rotations_differ(const Node& q, const Node& k) {
    for (std::size_t i : {2u, 3u})
        if (q.inputs[i] != k.inputs[i]) return "queries and keys are rotated by different caches";
    if (q.inputs[1] != k.inputs[1]) return "queries and keys are rotated by different positions";
    if (q.int_attribute("interleaved", 0) != k.int_attribute("interleaved", 0))
        return "queries and keys are rotated differently";
    return {};
}

/// Why the widths of rotated heads and of values are not those of the attention's heads; empty:
/// they are.
std::string width_problem(const Scope& scope, const Node& q, const Node& k, const Node& attention) {
    const std::int64_t width = scope.dim(q.outputs[0], 2),
                       heads = attention.int_attribute("num_heads", 0);
    const std::int64_t rotated = 2 * scope.dim(q.inputs[2], 1);
    if (width < 0 || heads < 1 || rotated > width / heads)
        return "the rotary cache is wider than a head";
    if (rotated != width / heads && q.int_attribute("rotary_embedding_dim", 0) == 0)
        return "the rotary cache is narrower than a head";
    const std::int64_t kv_width = attention.int_attribute("kv_num_heads", 0) * (width / heads);
    for (ValueId v : {k.outputs[0], attention.inputs[2]})
        if (width % heads != 0 || scope.dim(v, 2) != kv_width)
            return "\"" + scope.value(v).name + "\" is " + std::to_string(scope.dim(v, 2)) +
                   " wide, the heads need " + std::to_string(kv_width);
    return {};
}

std::string rotary_problem(const Scope& scope, const Node& q, const Node& k,
                           const Node& attention) {
    if (std::string problem = rotations_differ(q, k); !problem.empty()) return problem;
    for (const Node* r : {&q, &k})
        if (std::string problem = rotation_problem(scope, *r); !problem.empty()) return problem;
    const auto& positions = scope.type(q.inputs[1]).shape;
    if (!positions || positions->size() != 2) return "the positions are no ids [batch, rows]";
    for (std::size_t i : {7u, 8u, 9u})
        if (i < attention.inputs.size() && attention.inputs[i])
            return attention.describe() + " has a rotary cache already";
    return width_problem(scope, q, k, attention);
}

/// Concatenates input `index` of the three products. False: they are neither all constant nor all
/// absent.
bool join_input(const Scope& scope, const std::vector<const Node*>& products, std::size_t index,
                std::size_t axis, std::optional<Tensor>& out) {
    std::vector<const Tensor*> parts;
    std::size_t absent = 0;
    for (const Node* p : products) {
        if (index >= p->inputs.size() || !p->inputs[index]) ++absent;
        else if (const Tensor* t = scope.constant(p->inputs[index])) parts.push_back(t);
    }
    if (absent == products.size()) return true;
    if (parts.size() != products.size()) return false;
    out = attention::joined(parts, axis);
    return out.has_value();
}

/// The products of Q, K and V, and the inputs of the product that replaces them.
struct RotaryProducts {
    std::vector<const Node*> nodes;
    bool blocks = false;                           // MatMulNBits
    std::vector<std::optional<Tensor>> constants;  // joined, by input
    std::vector<Attribute> attributes;
};

/// Finds three products of the same value without other readers. Returns why there are none, or
/// empty.
std::string find_products(const Scope& scope, const std::vector<ValueId>& results,
                          RotaryProducts& out) {
    for (ValueId v : results) {
        const Node* plain = producer_of(scope, v, "MatMul", "");
        const Node* quantized = producer_of(scope, v, "MatMulNBits", "com.microsoft");
        if (!plain && !quantized)
            return "\"" + scope.value(v).name + "\" is no MatMul or MatMulNBits";
        out.nodes.push_back(plain ? plain : quantized);
        if (out.nodes.size() > 1 && out.blocks != (plain == nullptr))
            return "only some of Q, K and V are quantized products";
        out.blocks = plain == nullptr;
        if (out.nodes.back()->inputs[0] != out.nodes[0]->inputs[0])
            return "Q, K and V are products of different values";
        if (!scope.value(v).read_once())
            return "the product \"" + scope.value(v).name + "\" is also read elsewhere";
    }
    return {};
}

/// Why `product` is not quantized like `first`; empty: it is.
std::string block_problem(const Node& product, const Node& first) {
    static constexpr std::pair<const char*, std::int64_t> settings[] = {
        {"K", 0}, {"bits", 4}, {"block_size", 0}, {"accuracy_level", 0}};
    for (const auto& [name, fallback] : settings)
        if (product.int_attribute(name, fallback) != first.int_attribute(name, fallback))
            return "Q, K and V are quantized with different " + std::string(name);
    if (product.int_attribute("weight_prepacked", 0) != 0)
        return "the weights of " + product.describe() + " are packed for one machine";
    if (product.inputs.size() > 4 && product.inputs[4])
        return product.describe() + " has group indices";
    return {};
}

/// Constants and attributes of the one product; else why they do not fit.
std::string join_products(const Scope& scope, RotaryProducts& products) {
    auto& [nodes, blocks, constants, attributes] = products;
    constants.resize(6);
    if (!blocks) {
        if (!join_input(scope, nodes, 1, 1, constants[1]) || !constants[1] ||
            constants[1]->rank() != 2)
            return "the weights of Q, K and V are no matrices of constants that fit side by side";
        return {};
    }
    std::int64_t columns = 0;
    for (const Node* p : nodes) {
        columns += p->int_attribute("N", 0);
        if (std::string problem = block_problem(*p, *nodes[0]); !problem.empty()) return problem;
    }
    for (std::size_t i : {1u, 2u, 3u, 5u})
        if (!join_input(scope, nodes, i, 0, constants[i]))
            return "input " + std::to_string(i) +
                   " of the quantized products is not constant in all three, or does not fit";
    for (const Attribute& a : nodes[0]->attributes)
        if (a.name != "N") attributes.push_back(a);
    attributes.push_back(attr("N", columns));
    return {};
}

/// The attention with the rotation of `q` in it, over one product; its queries are [Q K V] side by
/// side.
void write_rotary_attention(PassContext& context, const Node& attention, const Node& q,
                            const Node& k, RotaryProducts& products) {
    const auto& nodes = products.nodes;
    std::vector<ValueId> product_inputs{nodes[0]->inputs[0]};
    static constexpr const char* names[] = {"", "qkv_weight", "qkv_scales", "qkv_zero_points",
                                            "", "qkv_bias"};
    for (std::size_t i = 1; i < products.constants.size(); ++i)
        product_inputs.push_back(
            products.constants[i] ? context.constant(names[i], *products.constants[i]) : ValueId());
    while (!product_inputs.back()) product_inputs.pop_back();
    const std::vector<NodeId> matched{attention.id, q.id,         k.id,
                                      nodes[0]->id, nodes[1]->id, nodes[2]->id};
    std::vector<ValueId> inputs = attention.inputs;
    inputs.resize(std::max<std::size_t>(10, inputs.size()));
    inputs[1] = inputs[2] = {};
    inputs[7] = q.inputs[2];
    inputs[8] = q.inputs[3];
    inputs[9] = q.inputs[1];
    std::vector<Attribute> attributes;
    for (const Attribute& a : attention.attributes)
        if (a.name != "do_rotary" && a.name != "rotary_interleaved") attributes.push_back(a);
    attributes.push_back(attr("do_rotary", 1));
    if (const std::int64_t pairs = q.int_attribute("interleaved", 0))
        attributes.push_back(attr("rotary_interleaved", pairs));
    const NodeId target = attention.id;
    inputs[0] = context.node(products.blocks ? "com.microsoft::MatMulNBits" : "MatMul",
                             std::move(product_inputs), std::move(products.attributes));
    context.replace(target, "com.microsoft::GroupQueryAttention", std::move(inputs),
                    std::move(attributes), matched);
}

Outcome fuse(PassContext& context, const Node& attention) {
    const Scope& scope = context.scope();
    const Node *q = producer_of(scope, attention.inputs[0], "RotaryEmbedding", "com.microsoft"),
               *k = producer_of(scope, attention.inputs[1], "RotaryEmbedding", "com.microsoft");
    if (!q && !k) return not_concerned();
    if (!q || !k)
        return declined(std::string("only ") + (q ? "Q" : "K") +
                        " comes from a RotaryEmbedding, expected Q and K");
    if (std::string problem = rotary_problem(scope, *q, *k, attention); !problem.empty())
        return declined(std::move(problem));
    RotaryProducts products;
    if (std::string problem =
            find_products(scope, {q->inputs[0], k->inputs[0], attention.inputs[2]}, products);
        !problem.empty())
        return declined(std::move(problem));
    for (ValueId v : {attention.inputs[0], attention.inputs[1]})
        if (!scope.value(v).read_once())
            return declined("the rotated value \"" + scope.value(v).name +
                            "\" is also read elsewhere");
    if (std::string problem = join_products(scope, products); !problem.empty())
        return declined(std::move(problem));
    write_rotary_attention(context, attention, *q, *k, products);
    return applied("rotation and three products went into GroupQueryAttention and one product");
}

}  // namespace

PassBody fuse_rotary_attention() {
    return {.run = [](PassContext& context) {
        for (NodeId id : context.nodes()) {
            if (!context.graph().is_alive(id)) continue;
            const Node& node = context.graph().node(id);
            if (node.op_type != "GroupQueryAttention" || node.domain != "com.microsoft" ||
                node.int_attribute("do_rotary", 0) != 0)
                continue;
            if (node.inputs.size() < 7 || !node.inputs[1] || !node.inputs[2]) continue;
            if (!context.may_rewrite()) return;
            Outcome outcome = fuse(context, node);
            if (outcome.done) context.record(std::move(outcome.text));
            else if (!outcome.text.empty()) context.miss(id, std::move(outcome.text));
        }
    }};
}

}  // namespace lapidary::passes
