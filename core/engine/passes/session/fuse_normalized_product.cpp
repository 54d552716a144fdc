// SPDX-License-Identifier: Apache-2.0
//   before:  n, _, _, sum = SkipLayerNormalization(x, skip, gamma, beta, bias); y =
//            Product(Reshape(n), weight, c, r)
//   after:   y, sum = lapidary::NormalizedProduct(x, skip, gamma, beta, bias, weight, c, r)
//            {epsilon, flattens, ...}
// For one row, such as a new token. Each block of a device's product then normalizes the row
// itself, which takes less time than a separate kernel. The Reshape may make rows of all axes but
// the last.
#include <algorithm>
#include <optional>
#include <vector>

#include <lapidary/graph/graph_edit.h>

#include "passes/session/joined_origins.h"
#include "rewrite/pass.h"
#include "rewrite/session_domain.h"

namespace lapidary::passes {
namespace {

/// The norm and its readers.
struct NormAndProduct {
    NodeId norm, view, product;  // view: none, mostly
};

ValueId input_or_none(const Node& n, std::size_t i) {
    return i < n.inputs.size() ? n.inputs[i] : ValueId();
}
bool has_written(const Node& n, std::size_t i) { return i < n.outputs.size() && n.outputs[i]; }

bool is_skip_norm(const Node& n) {
    return n.domain == "com.microsoft" && n.op_type == "SkipLayerNormalization" &&
           has_written(n, 0);
}
bool is_joinable_product(const Node& n) {
    const bool is_plain = n.domain.empty() && (n.op_type == "MatMul" || n.op_type == "Gemm");
    return is_plain || n.qualified_op() == "com.microsoft::FusedGemm" ||
           (n.domain == session_domain && n.op_type == "Product");
}

/// The product that is the only reader of the norm, directly or behind a view, as its left operand.
std::optional<NormAndProduct> joined_reader(const Graph& graph, const Node& norm) {
    NormAndProduct joined{norm.id, {}, {}};
    ValueId value = norm.outputs[0];
    for (int step = 0; step < 2; ++step) {
        const Value& v = graph.value(value);
        if (!v.read_once() || v.uses[0].input != 0) return std::nullopt;
        const Node& reader = graph.node(v.uses[0].node);
        if (is_joinable_product(reader)) {
            joined.product = reader.id;
            return joined;
        }
        if (step > 0 || !reader.domain.empty() || reader.op_type != "Reshape") return std::nullopt;
        joined.view = reader.id;
        value = reader.outputs[0];
    }
    return std::nullopt;
}

std::string joined_norm_problem(const Graph& graph, const Node& norm) {
    if (has_written(norm, 1) || has_written(norm, 2)) return "its mean or its deviation is read";
    for (std::size_t i : {2, 3, 4}) {
        const ValueId factor = input_or_none(norm, i);
        if (factor && !graph.value(factor).constant)
            return "input " + std::to_string(i) + " is not constant";
    }
    const auto &shape = graph.value(norm.inputs[0]).type.shape,
               &skip = graph.value(norm.inputs[1]).type.shape;
    if (!shape || !skip) return "the shape of what it adds up is not known";
    for (std::size_t i = 1; i < std::min(shape->size(), skip->size()); ++i)
        if ((*skip)[skip->size() - i] == Dim(1) && (*shape)[shape->size() - i] != Dim(1))
            return "what it adds repeats along an axis that is not the first";
    std::int64_t rows = 1;
    for (std::size_t i = 0; i + 1 < shape->size(); ++i)
        rows *= (*shape)[i].is_known() ? (*shape)[i].value() : 1;
    return rows > 1 ? "it normalizes " + std::to_string(rows) + " rows at least" : std::string();
}

/// Why the view does not merge all axes but the last into rows; empty: it does, or there is none.
std::string joined_view_problem(const Graph& graph, const NormAndProduct& joined) {
    if (!joined.view) return {};
    const Tensor& scale = *graph.value(graph.node(joined.norm).inputs[2]).constant;
    const auto& to = graph.value(graph.node(joined.view).outputs[0]).type.shape;
    return to && to->size() == 2 && to->back() == Dim(scale.size())
               ? std::string()
               : "it is reshaped to something else than rows";
}

std::string joined_product_problem(const Graph& graph, const Node& norm, const Node& product) {
    for (const char* name : {"transA", "transB", "transBatchA"})
        if (product.int_attribute(name, 0) != 0) return "an operand of the product is transposed";
    const Value& b = graph.value(product.inputs[1]);
    if (!b.constant || b.constant->rank() != 2)
        return "the product's right operand is no constant matrix";
    if (b.constant->dtype() != graph.value(norm.inputs[0]).type.dtype)
        return "the product is of another type";
    if (!product.op_type.ends_with("Gemm") || !input_or_none(product, 2)) return {};
    const Value& c = graph.value(product.inputs[2]);
    const std::int64_t columns = b.constant->dim(1);
    const bool is_row = c.constant && c.constant->rank() > 0 && c.constant->size() == columns &&
                        c.constant->shape().back() == columns;
    return is_row && product.float_attribute("beta", 1.0f) == 1
               ? std::string()
               : "the product's bias is no row of it";
}

std::string joined_problem(const Graph& graph, const NormAndProduct& joined) {
    const Node& norm = graph.node(joined.norm);
    if (std::string problem = joined_norm_problem(graph, norm); !problem.empty()) return problem;
    if (std::string problem = joined_view_problem(graph, joined); !problem.empty()) return problem;
    return joined_product_problem(graph, norm, graph.node(joined.product));
}

std::vector<Attribute> normalized_attributes(const Node& norm, const Node& product, bool flattens) {
    std::vector<Attribute> attributes{attr("epsilon", norm.float_attribute("epsilon", 1e-12f))};
    if (flattens) attributes.push_back(attr("flattens", 1));
    for (const Attribute& a : product.attributes)
        if (a.name == "alpha" || a.name.starts_with("activation")) attributes.push_back(a);
    return attributes;
}

void fuse(PassContext& context, const NormAndProduct& joined) {
    const Graph& graph = context.graph();
    GraphEdit& edit = context.edit();
    const Node norm = graph.node(joined.norm), product = graph.node(joined.product);
    const NodeId fused[] = {joined.norm, joined.product};
    std::vector<NodeId> origins = joined_origins(graph, fused);
    NodeSpec spec;
    spec.op_type = "NormalizedProduct";
    spec.domain = session_domain;
    spec.version = 1;
    spec.name = product.name;
    spec.attributes = normalized_attributes(norm, product, bool(joined.view));
    for (std::size_t i = 0; i < 5; ++i) spec.inputs.push_back(input_or_none(norm, i));
    for (std::size_t i = 1; i < 4; ++i) spec.inputs.push_back(input_or_none(product, i));
    spec.outputs = {product.outputs[0], has_written(norm, 3) ? norm.outputs[3] : ValueId()};
    edit.set_output(joined.product, 0, {});
    if (has_written(norm, 3)) edit.set_output(joined.norm, 3, {});
    edit.erase(joined.product);
    if (joined.view) edit.erase(joined.view);
    edit.erase(joined.norm);
    edit.set_origins(edit.add_node(std::move(spec)), std::move(origins));
}

void fuse_normalized(PassContext& context) {
    const Graph& graph = context.graph();
    for (NodeId id : context.nodes()) {
        if (!graph.is_alive(id) || !is_skip_norm(graph.node(id))) continue;
        const std::optional<NormAndProduct> joined = joined_reader(graph, graph.node(id));
        if (!joined) continue;
        if (!context.may_rewrite()) return;
        if (std::string problem = joined_problem(graph, *joined); !problem.empty()) {
            context.miss(id, std::move(problem));
            continue;
        }
        std::string remark =
            "SkipLayerNormalization + " + graph.node(joined->product).op_type + " in one kernel";
        fuse(context, *joined);
        context.record(std::move(remark));
    }
}

}  // namespace

PassBody fuse_normalized_product() { return {.run = fuse_normalized}; }

}  // namespace lapidary::passes
