// SPDX-License-Identifier: Apache-2.0
#include "kernels/reference/control_flow/nested_kernel.h"

#include "kernels/inner_context.h"
#include "kernels/reference/elementwise/cast_elements.h"

namespace lapidary::reference {
namespace {

class NestedContext final : public InnerContext {
public:
    NestedContext(KernelContext& outer, Node node, std::vector<Tensor> inputs, std::size_t outputs)
        : InnerContext(outer), node_(std::move(node)), outputs_(outputs), dropped_(16) {
        inputs_.resize(inputs.size());
        for (std::size_t i = 0; i < inputs.size(); ++i)
            if (inputs[i]) inputs_[i] = RuntimeValue(std::move(inputs[i]));
    }

    const Node& node() const override { return node_; }
    std::size_t input_count() const override { return inputs_.size(); }
    const RuntimeValue* input_value(std::size_t index) const override {
        return index < inputs_.size() && !inputs_[index].is_empty() ? &inputs_[index] : nullptr;
    }
    std::size_t output_count() const override { return outputs_.size(); }
    bool wants_output(std::size_t index) const override { return index < outputs_.size(); }
    Tensor& output(std::size_t index, DType dtype, Shape shape) override {
        Tensor& slot = wants_output(index) ? outputs_[index] : dropped_.at(index);
        slot = outer_.scratch(dtype, std::move(shape));
        return slot;
    }
    void set_output(std::size_t index, RuntimeValue value) override {
        (wants_output(index) ? outputs_[index] : dropped_.at(index)) = std::move(value.tensor());
    }

    std::vector<Tensor> take_outputs() { return std::move(outputs_); }

private:
    Node node_;
    std::vector<RuntimeValue> inputs_;
    std::vector<Tensor> outputs_, dropped_;
};

}  // namespace

NestedNode& NestedNode::set(std::string name, AttributeValue value) {
    for (Attribute& attribute : attributes)
        if (attribute.name == name) {
            attribute.value = std::move(value);
            return *this;
        }
    attributes.push_back({std::move(name), std::move(value), {}, {}});
    return *this;
}

std::vector<Tensor> run_nested(KernelContext& outer, KernelFunction kernel, NestedNode node,
                               std::vector<Tensor> inputs, std::size_t outputs) {
    Node inner;
    inner.id = outer.node().id;
    inner.name = outer.node().name;
    inner.op_type = std::move(node.op_type);
    inner.version = node.version;
    inner.attributes = std::move(node.attributes);
    NestedContext context(outer, std::move(inner), std::move(inputs), outputs);
    kernel(context);
    return context.take_outputs();
}

Tensor run_nested_one(KernelContext& outer, KernelFunction kernel, NestedNode node,
                      std::vector<Tensor> inputs) {
    return std::move(run_nested(outer, kernel, std::move(node), std::move(inputs), 1)[0]);
}

void set_result(KernelContext& context, std::size_t index, const Tensor& result, DType dtype) {
    if (!context.wants_output(index)) return;
    Tensor& y = context.output(index, dtype, result.shape());
    cast_elements(context, result, y);
}

std::vector<Attribute> attributes_named(const Node& node,
                                        std::initializer_list<std::string_view> names) {
    std::vector<Attribute> found;
    for (const std::string_view name : names)
        if (const Attribute* attribute = node.attribute(name)) found.push_back(*attribute);
    return found;
}

std::vector<Attribute> window_attributes(const Node& node) {
    return attributes_named(node, {"auto_pad", "kernel_shape", "strides", "dilations", "pads",
                                   "group", "ceil_mode", "count_include_pad"});
}

}  // namespace lapidary::reference
