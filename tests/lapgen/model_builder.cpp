// SPDX-License-Identifier: Apache-2.0
#include "lapgen/model_builder.h"

#include <algorithm>

#include <lapidary/base/error.h>
#include <lapidary/ops/infer.h>

#include "ops/inference/infer_node.h"
#include "passes/opset/convert_opset.h"
#include "rewrite/constant_math.h"

namespace lapidary::lapgen {

ModelBuilder::ModelBuilder(std::uint64_t seed, std::int64_t opset, bool exact)
    : random_(seed), opset_(opset), exact_(exact), edit_(model_.graph) {
    model_.ir_version = 8;
    model_.opset_imports[""] = opset;
    model_.producer_name = "lapgen";
    edit_.set_default_version(opset);
}

ValueId ModelBuilder::input(SymbolicShape shape) {
    const ValueId id = edit_.add_input("input_" + std::to_string(model_.graph.inputs().size()),
                                       Type::tensor(DType::f32, std::move(shape)));
    offer(id);
    return id;
}

ValueId ModelBuilder::weights(Shape shape, double scale) {
    std::normal_distribution<double> normal(0, scale);
    std::vector<double> values(static_cast<std::size_t>(element_count(shape)));
    for (double& v : values) v = exact_ ? static_cast<double>(number(-2, 2)) : normal(random_);
    return edit_.add_initializer("weight",
                                 tensor_of_doubles(float_type_, std::move(shape), values));
}

ValueId ModelBuilder::scalar(double value) {
    return edit_.add_initializer("scalar", tensor_of_doubles(float_type_, {}, {value}));
}

ValueId ModelBuilder::ints(const std::vector<std::int64_t>& values) {
    return edit_.add_initializer(
        "ints", Tensor::of<std::int64_t>({static_cast<std::int64_t>(values.size())}, values));
}

ValueId ModelBuilder::add(std::string_view op, std::vector<ValueId> inputs,
                          std::vector<Attribute> attributes, std::size_t outputs) {
    NodeSpec spec;
    spec.op_type = op;
    spec.inputs = std::move(inputs);
    spec.attributes = std::move(attributes);
    for (std::size_t i = 0; i < outputs; ++i) spec.outputs.push_back(edit_.add_value({}));
    const std::vector<ValueId> values = spec.outputs;
    const NodeId id = edit_.add_node(std::move(spec));
    const Node& node = model_.graph.node(id);
    std::vector<Type> types;
    std::vector<const Tensor*> constants;
    for (ValueId v : node.inputs) {
        types.push_back(v ? type(v) : Type());
        constants.push_back(
            v && model_.graph.value(v).is_constant() ? &*model_.graph.value(v).constant : nullptr);
    }
    try {
        const std::vector<Type> inferred = infer_node_types(node, types, constants);
        for (std::size_t i = 0; i < outputs; ++i) {
            std::int64_t elements = 1;
            if (!inferred[i].shape) fail_model("unknown rank");
            for (const Dim& d : *inferred[i].shape)
                elements *= std::max<std::int64_t>(d.value(), 1);
            if (elements > 1 << 15 || inferred[i].shape->size() > 6) fail_model("too large");
            edit_.set_type(values[i], inferred[i]);
        }
    } catch (const Error&) {
        edit_.erase(id);
        edit_.finish();
        return {};
    }
    for (ValueId v : values)
        if (outputs == 1 || (type(v).dtype == float_type_ && chance(0.6))) offer(v);
    return values[0];
}

ValueId ModelBuilder::any() {
    std::vector<ValueId> floats;
    std::ranges::copy_if(pool_, std::back_inserter(floats),
                         [&](ValueId v) { return type(v).dtype == float_type_; });
    const auto last = static_cast<std::int64_t>(floats.size()) - 1;
    return floats[static_cast<std::size_t>(std::max(number(0, last), number(0, last)))];
}

ValueId ModelBuilder::of_rank(int wanted, bool fixed) {
    std::vector<ValueId> fit;
    std::ranges::copy_if(pool_, std::back_inserter(fit), [&](ValueId v) {
        return type(v).dtype == float_type_ && rank(v) == wanted && (!fixed || type(v).is_static());
    });
    if (fit.empty()) return {};
    const auto last = static_cast<std::int64_t>(fit.size()) - 1;
    return fit[static_cast<std::size_t>(std::max(number(0, last), number(0, last)))];
}

Model ModelBuilder::finish() {
    std::vector<ValueId> outputs;
    for (ValueId v : pool_) {
        const Value& value = model_.graph.value(v);
        if (value.kind != ValueKind::node_output || value.output_uses > 0) continue;
        if (value.is_unused() || chance(0.04)) outputs.push_back(v);
    }
    if (outputs.empty()) outputs.push_back(pool_.back());
    for (ValueId v : outputs) edit_.add_output(v);
    edit_.finish();
    for (NodeId id : model_.graph.nodes()) {
        const Node& node = model_.graph.node(id);
        if (node.domain.empty()) continue;
        std::int64_t& version = model_.opset_imports[node.domain];
        version = std::max({version, node.version, std::int64_t{1}});
    }
    infer_types(model_);
    Model made = model_;
    const auto is_of_other_opset = [&](NodeId id) {
        const Node& node = made.graph.node(id);
        return node.domain.empty() && node.version != opset_;
    };
    // Cases spell nodes of older opsets out, too; a file has one opset.
    if (std::ranges::any_of(made.graph.nodes(), is_of_other_opset)) convert_opset(made, opset_);
    return made;
}

}  // namespace lapidary::lapgen
