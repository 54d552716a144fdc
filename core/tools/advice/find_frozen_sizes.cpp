// SPDX-License-Identifier: Apache-2.0
// Sizes that an export made numbers of although the inputs leave them free, and nodes that compute
// shapes which a constant could say.
#include <algorithm>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "advice/export_search.h"
#include "ops/dimensions/dim_algebra.h"
#include "ops/operator_traits.h"

namespace lapidary {
namespace {

bool is_onnx(const Node& node, std::string_view op) {
    return node.domain.empty() && node.op_type == op;
}

/// The axis of `shape` that lies `back` axes before the last; null: it has fewer.
const Dim* from_back(const SymbolicShape& shape, std::size_t back) {
    return back < shape.size() ? &shape[shape.size() - 1 - back] : nullptr;
}

/// What two sizes clash in: the free one, and the number that it has to be.
struct Clash {
    std::string name;
    std::int64_t size = 0;
};

std::optional<Clash> clash_of(const ExportSearch& search, const Dim& a, const Dim& b,
                              std::int64_t least) {
    for (const auto& [free, fixed] : {std::pair(&a, &b), std::pair(&b, &a)})
        if (search.is_free(*free) && fixed->is_known() && fixed->value() >= least)
            return Clash{free->symbol(), fixed->value()};
    return std::nullopt;
}

/// Sizes of two operands that broadcast to each other, but for the last `skipped` axes.
std::optional<Clash> broadcast_clash(const ExportSearch& search, const SymbolicShape& a,
                                     const SymbolicShape& b, std::size_t skipped = 0) {
    for (std::size_t back = skipped; back < std::min(a.size(), b.size()); ++back)
        if (const auto clash = clash_of(search, *from_back(a, back), *from_back(b, back), 2))
            return clash;
    return std::nullopt;
}

void look_at_operands(ExportSearch& search, const Node& node) {
    for (std::size_t i = 0; i < node.inputs.size(); ++i)
        for (std::size_t j = i + 1; j < node.inputs.size(); ++j) {
            const SymbolicShape* a = search.shape_of(search.graph(), node.inputs[i]);
            const SymbolicShape* b = search.shape_of(search.graph(), node.inputs[j]);
            if (!a || !b) continue;
            if (const auto clash = broadcast_clash(search, *a, *b))
                return search.add(ExportDefect::frozen_dimension, node, "at_broadcast",
                                  {clash->name, std::to_string(clash->size)});
        }
}

void look_at_expand(ExportSearch& search, const Node& node) {
    const SymbolicShape* shape = search.shape_of(search.graph(), node.inputs.at(0));
    const auto target = search.integers_of(search.graph(), node.inputs.at(1));
    if (!shape || !target) return;
    const SymbolicShape wanted(target->begin(), target->end());
    if (const auto clash = broadcast_clash(search, *shape, wanted))
        search.add(ExportDefect::frozen_dimension, node, "at_broadcast",
                   {clash->name, std::to_string(clash->size)});
}

void look_at_concat(ExportSearch& search, const Node& node) {
    std::vector<const SymbolicShape*> shapes;
    for (const ValueId input : node.inputs)
        if (const SymbolicShape* shape = search.shape_of(search.graph(), input))
            shapes.push_back(shape);
    if (shapes.size() < 2) return;
    const auto rank = static_cast<std::int64_t>(shapes.front()->size());
    const std::int64_t axis = node.int_attribute("axis", 0);
    for (std::int64_t i = 0; i < rank; ++i) {
        if (i == axis || i == axis + rank) continue;
        const auto k = static_cast<std::size_t>(i);
        for (const SymbolicShape* other : shapes) {
            if (other->size() != shapes.front()->size()) return;
            for (const SymbolicShape* one : shapes)
                if (const auto clash = clash_of(search, (*one)[k], (*other)[k], 1))
                    return search.add(ExportDefect::frozen_dimension, node, "at_concat",
                                      {clash->name, std::to_string(clash->size)});
        }
    }
}

void look_at_product(ExportSearch& search, const Node& node) {
    const SymbolicShape* a = search.shape_of(search.graph(), node.inputs.at(0));
    const SymbolicShape* b = search.shape_of(search.graph(), node.inputs.at(1));
    if (!a || !b || a->size() < 2 || b->size() < 2) return;
    const bool is_gemm = is_onnx(node, "Gemm");
    const bool turns_a = is_gemm && node.int_attribute("transA", 0) != 0,
               turns_b = is_gemm && node.int_attribute("transB", 0) != 0;
    auto clash =
        clash_of(search, *from_back(*a, turns_a ? 1 : 0), *from_back(*b, turns_b ? 0 : 1), 1);
    if (!clash && !is_gemm) clash = broadcast_clash(search, *a, *b, 2);
    if (clash)
        search.add(ExportDefect::frozen_dimension, node, "at_product",
                   {clash->name, std::to_string(clash->size)});
}

/// States of recurrent operators that are constants of one batch.
void look_at_states(ExportSearch& search, const Node& node) {
    const SymbolicShape* x = search.shape_of(search.graph(), node.inputs.at(0));
    if (!x || x->size() != 3) return;
    const bool batch_first = node.int_attribute("layout", 0) != 0;
    for (std::size_t i = 5; i < std::min<std::size_t>(node.inputs.size(), 7); ++i) {
        const SymbolicShape* state = search.shape_of(search.graph(), node.inputs[i]);
        if (!state || state->size() != 3) continue;
        if (const auto clash =
                clash_of(search, (*x)[batch_first ? 0 : 1], (*state)[batch_first ? 0 : 1], 1))
            return search.add(ExportDefect::frozen_dimension, node, "at_state",
                              {clash->name, std::to_string(clash->size)});
    }
}

/// The sizes that a Reshape with a constant target has to lay out anew.
struct Layout {
    Dim left = Dim(1);  // of the input, without axes that are copied by 0
    std::int64_t numbers = 1;
    bool infers = false;  // has a -1
    bool keeps_first = false;
};

std::optional<Layout> layout_of(const Node& node, const SymbolicShape& shape,
                                const std::vector<std::int64_t>& target) {
    Layout layout;
    const bool copies = node.int_attribute("allowzero", 0) == 0;
    std::vector<bool> taken(shape.size());
    for (std::size_t i = 0; i < target.size(); ++i) {
        if (target[i] == -1) layout.infers = true;
        else if (target[i] == 0 && copies && i < shape.size()) taken[i] = true;
        else if (target[i] > 0) layout.numbers *= target[i];
        else return std::nullopt;
    }
    layout.keeps_first = !taken.empty() && taken.front();
    for (std::size_t i = 0; i < shape.size(); ++i)
        if (!taken[i]) layout.left = multiply(layout.left, shape[i]);
    return layout;
}

std::string text_of(const std::vector<std::int64_t>& target) {
    std::string text = "[";
    for (std::size_t i = 0; i < target.size(); ++i)
        text += (i ? ", " : "") + std::to_string(target[i]);
    return text + "]";
}

/// A free size may well be a multiple of a small number: frames in pairs, pixels in fours.
constexpr std::int64_t least_multiple = 8;

void look_at_reshape(ExportSearch& search, const Node& node) {
    const SymbolicShape* shape = search.shape_of(search.graph(), node.inputs.at(0));
    const auto target = search.integers_of(search.graph(), node.inputs.at(1));
    if (!shape || shape->empty() || !target || target->empty()) return;
    const auto layout = layout_of(node, *shape, *target);
    if (!layout || !search.is_free(layout->left)) return;
    const Dim& first = shape->front();
    const bool is_batch = !layout->keeps_first && shape->size() > 1 && target->front() > 0 &&
                          first.is_symbolic() && search.batch_names().contains(first.symbol());
    if (!layout->infers || is_batch) {
        const auto defect = is_batch ? ExportDefect::baked_batch : ExportDefect::frozen_dimension;
        return search.add(defect, node, is_batch ? "at_reshape" : "at_target",
                          {is_batch ? first.symbol() : layout->left.symbol(), text_of(*target)});
    }
    if (exact_divide(layout->left, Dim(layout->numbers))) return;
    std::int64_t known = 1;  // sizes that are numbers
    for (const Dim& dim : *shape)
        if (dim.is_known() && dim.value() > 0) known *= dim.value();
    const std::int64_t multiple = layout->numbers / std::gcd(layout->numbers, known);
    if (multiple >= least_multiple)
        search.add(ExportDefect::frozen_dimension, node, "at_multiple",
                   {layout->left.symbol(), std::to_string(multiple)});
}

/// Whether a constant could give the result of the node its shape: at most one size of a Reshape is
/// not known and not that of the same axis of its input, no size of others.
bool has_sayable_shape(const ExportSearch& search, const Node& node) {
    const SymbolicShape* result = search.shape_of(search.graph(), node.outputs.at(0));
    if (!result) return false;
    const bool is_reshape = is_onnx(node, "Reshape");
    const SymbolicShape* input =
        is_reshape ? search.shape_of(search.graph(), node.inputs.at(0)) : nullptr;
    if (is_reshape && !input) return false;
    int open = 0;
    for (std::size_t i = 0; i < result->size(); ++i) {
        const Dim& dim = (*result)[i];
        if (dim.is_known()) continue;
        const bool is_copied =
            is_reshape && i < input->size() && dim.is_symbolic() && surely_equal(dim, (*input)[i]);
        if (!is_copied) ++open;
    }
    return open <= (is_reshape ? 1 : 0);
}

}  // namespace

void find_frozen_dimensions(ExportSearch& search) {
    if (search.free_names().empty()) return;
    for (const NodeId id : search.graph().nodes()) {
        const Node& node = search.graph().node(id);
        if (!node.domain.empty() || node.inputs.size() < 2) continue;
        if (node.op_type == "Expand") look_at_expand(search, node);
        else if (node.op_type == "Concat") look_at_concat(search, node);
        else if (node.op_type == "MatMul" || node.op_type == "Gemm") look_at_product(search, node);
        else if (node.op_type == "LSTM" || node.op_type == "GRU" || node.op_type == "RNN")
            look_at_states(search, node);
        else if (traits_of(node).is_elementwise() &&
                 traits_of(node).layout != OperatorLayout::unary)
            look_at_operands(search, node);
    }
}

void find_frozen_reshapes(ExportSearch& search) {
    if (search.free_names().empty()) return;
    for (const NodeId id : search.graph().nodes())
        if (const Node& node = search.graph().node(id);
            is_onnx(node, "Reshape") && node.inputs.size() == 2)
            look_at_reshape(search, node);
}

void find_shape_arithmetic(ExportSearch& search) {
    const Graph& graph = search.graph();
    std::set<ValueId> computed;
    for (const NodeId id : nodes_of_shapes(graph))
        for (const ValueId output : graph.node(id).outputs)
            if (output) computed.insert(output);
    if (computed.empty()) return;
    for (const NodeId id : graph.nodes()) {
        const Node& node = graph.node(id);
        const bool reads_at_0 = is_onnx(node, "ConstantOfShape"),
                   reads_at_1 =
                       is_onnx(node, "Reshape") || is_onnx(node, "Expand") || is_onnx(node, "Tile"),
                   reads_at_3 = is_onnx(node, "Resize");
        const std::size_t at = reads_at_0 ? 0 : reads_at_1 ? 1 : 3;
        if (!(reads_at_0 || reads_at_1 || reads_at_3) || node.inputs.size() <= at ||
            !computed.contains(node.inputs[at]) || !has_sayable_shape(search, node))
            continue;
        search.add(ExportDefect::shape_arithmetic, node, "at",
                   {to_string(*search.shape_of(graph, node.outputs.at(0)))});
    }
}

}  // namespace lapidary
