// SPDX-License-Identifier: Apache-2.0
#include <lapidary/graph/graph.h>

#include <lapidary/base/error.h>

namespace lapidary {

std::string_view kind_of(const AttributeValue& value) {
    static constexpr std::string_view names[] = {
        "int",     "float",          "string", "tensor", "sparse tensor",
        "graph",   "type",           "ints",   "floats", "strings",
        "tensors", "sparse tensors", "graphs", "types",  "reference to a function attribute"};
    static_assert(std::size(names) == std::variant_size_v<AttributeValue>);
    return names[value.index()];
}

namespace {

template <typename T>
const T* get(const Node& node, std::string_view name) {
    const Attribute* a = node.attribute(name);
    if (a == nullptr) return nullptr;
    if (const T* v = std::get_if<T>(&a->value)) return v;
    fail_model(node.describe() + ": attribute " + quote(name) + ": expected " +
               std::string(kind_of(AttributeValue(T{}))) + ", found " +
               std::string(kind_of(a->value)));
}

// Files may write an empty list for a list attribute of any kind; readers store it as empty ints.
template <typename T>
std::vector<T> list(const Node& node, std::string_view name, std::vector<T> fallback) {
    const Attribute* a = node.attribute(name);
    if (a == nullptr) return fallback;
    if (const auto* ints = std::get_if<std::vector<std::int64_t>>(&a->value); ints && ints->empty())
        return {};
    return *get<std::vector<T>>(node, name);
}

}  // namespace

const Attribute* Node::attribute(std::string_view attribute_name) const {
    for (const Attribute& a : attributes)
        if (a.name == attribute_name) return &a;
    return nullptr;
}

std::int64_t Node::int_attribute(std::string_view attribute_name, std::int64_t fallback) const {
    const auto* v = get<std::int64_t>(*this, attribute_name);
    return v ? *v : fallback;
}

float Node::float_attribute(std::string_view attribute_name, float fallback) const {
    const auto* v = get<float>(*this, attribute_name);
    return v ? *v : fallback;
}

std::string Node::string_attribute(std::string_view attribute_name, std::string fallback) const {
    const auto* v = get<std::string>(*this, attribute_name);
    return v ? *v : fallback;
}

std::vector<std::int64_t> Node::ints_attribute(std::string_view attribute_name,
                                               std::vector<std::int64_t> fallback) const {
    return list<std::int64_t>(*this, attribute_name, std::move(fallback));
}

std::vector<float> Node::floats_attribute(std::string_view attribute_name,
                                          std::vector<float> fallback) const {
    return list<float>(*this, attribute_name, std::move(fallback));
}

std::vector<std::string> Node::strings_attribute(std::string_view attribute_name) const {
    return list<std::string>(*this, attribute_name, {});
}

const Tensor* Node::tensor_attribute(std::string_view attribute_name) const {
    return get<Tensor>(*this, attribute_name);
}

GraphPtr Node::graph_attribute(std::string_view attribute_name) const {
    const auto* v = get<GraphPtr>(*this, attribute_name);
    return v ? *v : nullptr;
}

std::string Node::qualified_op() const {
    return domain.empty() ? op_type : domain + "::" + op_type;
}

std::string Node::describe() const {
    const std::string label = name.empty() ? "#" + std::to_string(id.index) : quote(name);
    std::string op = quote(qualified_op());
    return "node " + label + " (" + op.substr(1, op.size() - 2) + ")";
}

}  // namespace lapidary
