// SPDX-License-Identifier: Apache-2.0
//   before:  c = Constant() {value...}         after:  c is an initializer
// ONNX Runtime does so while it loads, at every level.
#include <lapidary/error.h>

#include "rewrite/pass.h"

namespace lapidary::passes {
namespace {

std::optional<Tensor> constant_of(const Node& node) {
    for (const Attribute& a : node.attributes) {
        if (a.name == "value")
            if (const auto* t = std::get_if<Tensor>(&a.value)) return *t;
        if (a.name == "sparse_value")
            if (const auto* s = std::get_if<SparseTensor>(&a.value)) return s->to_dense();
        if (a.name == "value_float") return Tensor::scalar(std::get<float>(a.value));
        if (a.name == "value_int") return Tensor::scalar(std::get<std::int64_t>(a.value));
        if (a.name == "value_string") return Tensor::scalar(std::get<std::string>(a.value));
        const auto list = [](const auto& v) { return Tensor::of({static_cast<std::int64_t>(v.size())}, v); };
        if (a.name == "value_floats") return list(std::get<std::vector<float>>(a.value));
        if (a.name == "value_ints") return list(std::get<std::vector<std::int64_t>>(a.value));
        if (a.name == "value_strings") return list(std::get<std::vector<std::string>>(a.value));
    }
    return std::nullopt;
}

}  // namespace

PassBody lift_constants() {
    return {.run = [](PassContext& context) {
        if (!context.may_rewrite()) return;
        GraphEdit& edit = context.edit();
        std::size_t count = 0;
        for (NodeId id : context.nodes()) {
            const Node& node = context.graph().node(id);
            if (node.op_type != "Constant" || !node.domain.empty()) continue;
            std::optional<Tensor> tensor = constant_of(node);
            if (!tensor) continue;
            const ValueId old = edit.take_outputs(id).at(0);
            edit.erase(id);
            const std::string name = context.graph().value(old).name;
            const bool declared = context.graph().value(old).declared;
            const ValueId fixed = edit.add_initializer(name + "_constant", std::move(*tensor));
            edit.replace_uses(old, fixed);
            edit.erase_value(old);
            edit.rename(fixed, name);
            edit.set_declared(fixed, declared);
            ++count;
        }
        if (count > 0)
            context.record("made " + std::to_string(count) +
                           (count == 1 ? " Constant node an initializer" : " Constant nodes initializers"));
    }};
}

}  // namespace lapidary::passes
