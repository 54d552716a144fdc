// SPDX-License-Identifier: Apache-2.0
#include "plugin_host/plugin_node.h"

#include <cstdlib>

#include <lapidary/base/error.h>

namespace lapidary {

LpTensor plugin_tensor(const Tensor& tensor) {
    if (tensor.dtype() == DType::string)
        fail_unsupported("plugins work on tensors of numbers, found one of texts");
    LpTensor view{};
    view.size = sizeof(view);
    view.type = static_cast<LpType>(tensor.dtype());
    view.rank = tensor.rank();
    view.dims = tensor.shape().data();
    view.data = const_cast<void*>(tensor.raw());  // inputs are read only
    view.bytes = tensor.byte_size();
    return view;
}

PluginNode::PluginNode(const Node& node, const OpSchema* defaults) {
    view_.size = sizeof(view_);
    view_.name = node.name.c_str();
    view_.domain = node.domain.c_str();
    view_.op = node.op_type.c_str();
    view_.version = node.version;
    attributes_.reserve(node.attributes.size() + (defaults ? defaults->attributes.size() : 0));
    for (const Attribute& attribute : node.attributes) add_attribute(attribute);
    if (!defaults) return;
    for (const SchemaAttribute& attribute : defaults->attributes)
        if (!attribute.default_text.empty() && !node.has_attribute(attribute.name))
            add_default(attribute);
}

void PluginNode::add_input(const std::string& name, const Type& type, const Tensor* constant) {
    inputs_.push_back(value_of(name, type, constant));
}

void PluginNode::add_output(const std::string& name, const Type& type) {
    outputs_.push_back(value_of(name, type, nullptr));
}

LpValue PluginNode::value_of(const std::string& name, const Type& type, const Tensor* constant) {
    LpValue value{};
    value.size = sizeof(value);
    value.name = name.empty() ? nullptr : name.c_str();
    value.rank = -1;
    if (!type.is_tensor()) return value;
    value.type = static_cast<LpType>(type.dtype);
    if (constant && constant->dtype() != DType::string) value.constant = constant->raw();
    if (!type.shape) return value;
    value.rank = static_cast<std::int32_t>(type.shape->size());
    std::vector<std::int64_t>& dims = dims_.emplace_back();
    std::vector<const char*>& symbols = texts_.emplace_back();
    for (const Dim& dim : *type.shape) {
        dims.push_back(dim.value());
        symbols.push_back(dim.is_symbolic() ? dim.symbol().c_str() : nullptr);
    }
    value.dims = dims.data();
    value.symbols = symbols.data();
    return value;
}

LpAttribute& PluginNode::new_attribute(const std::string& name, LpAttributeKind kind) {
    LpAttribute& attribute = attributes_.emplace_back();
    attribute.size = sizeof(attribute);
    attribute.kind = kind;
    attribute.name = name.c_str();
    attribute.count = 1;
    return attribute;
}

void PluginNode::add_attribute(const Attribute& attribute) {
    const auto add = [&](LpAttributeKind kind) -> LpAttribute& {
        return new_attribute(attribute.name, kind);
    };
    if (const auto* f = std::get_if<float>(&attribute.value)) {
        add(LP_ATTRIBUTE_FLOAT).f = *f;
    } else if (const auto* i = std::get_if<std::int64_t>(&attribute.value)) {
        add(LP_ATTRIBUTE_INT).i = *i;
    } else if (const auto* s = std::get_if<std::string>(&attribute.value)) {
        LpAttribute& made = add(LP_ATTRIBUTE_STRING);
        made.string = s->c_str();
        made.count = s->size();
    } else if (const auto* t = std::get_if<Tensor>(&attribute.value);
               t && t->dtype() != DType::string) {
        add(LP_ATTRIBUTE_TENSOR).tensor = &tensors_.emplace_back(plugin_tensor(*t));
    } else if (const auto* floats = std::get_if<std::vector<float>>(&attribute.value)) {
        LpAttribute& made = add(LP_ATTRIBUTE_FLOATS);
        made.floats = floats->data();
        made.count = floats->size();
    } else if (const auto* ints = std::get_if<std::vector<std::int64_t>>(&attribute.value)) {
        LpAttribute& made = add(LP_ATTRIBUTE_INTS);
        made.ints = ints->data();
        made.count = ints->size();
    } else if (const auto* strings = std::get_if<std::vector<std::string>>(&attribute.value)) {
        std::vector<const char*>& list = texts_.emplace_back();
        for (const std::string& text : *strings) list.push_back(text.c_str());
        LpAttribute& made = add(LP_ATTRIBUTE_STRINGS);
        made.strings = list.data();
        made.count = list.size();
    } else {
        add(LP_ATTRIBUTE_OTHER);
    }
}

void PluginNode::add_default(const SchemaAttribute& attribute) {
    if (attribute.kind == "f") {
        new_attribute(attribute.name, LP_ATTRIBUTE_FLOAT).f =
            std::strtof(attribute.default_text.c_str(), nullptr);
    } else if (attribute.kind == "i") {
        new_attribute(attribute.name, LP_ATTRIBUTE_INT).i =
            std::strtoll(attribute.default_text.c_str(), nullptr, 10);
    } else if (attribute.kind == "s") {
        LpAttribute& made = new_attribute(attribute.name, LP_ATTRIBUTE_STRING);
        made.string = attribute.default_text.c_str();
        made.count = attribute.default_text.size();
    }
}

const LpNode& PluginNode::view() {
    view_.input_count = static_cast<std::uint32_t>(inputs_.size());
    view_.output_count = static_cast<std::uint32_t>(outputs_.size());
    view_.attribute_count = static_cast<std::uint32_t>(attributes_.size());
    view_.inputs = inputs_.data();
    view_.outputs = outputs_.data();
    view_.attributes = attributes_.data();
    view_.value_stride = sizeof(LpValue);
    view_.attribute_stride = sizeof(LpAttribute);
    return view_;
}

}  // namespace lapidary
