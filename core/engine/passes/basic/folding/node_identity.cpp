// SPDX-License-Identifier: Apache-2.0
#include "passes/basic/folding/node_identity.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "ops/operator_traits.h"

namespace lapidary {
namespace {

template <typename T>
void append(std::string& key, const T& number) {
    key.append(reinterpret_cast<const char*>(&number), sizeof number);
}

void append(std::string& key, const std::string& text) {
    append(key, text.size());
    key += text;
}

bool append_attribute(std::string& key, const AttributeValue& value) {
    append(key, value.index());
    if (const auto* i = std::get_if<std::int64_t>(&value)) append(key, *i);
    else if (const auto* f = std::get_if<float>(&value)) append(key, *f);
    else if (const auto* s = std::get_if<std::string>(&value)) append(key, *s);
    else if (const auto* is = std::get_if<std::vector<std::int64_t>>(&value)) {
        append(key, is->size());
        for (std::int64_t x : *is) append(key, x);
    } else if (const auto* fs = std::get_if<std::vector<float>>(&value)) {
        append(key, fs->size());
        for (float x : *fs) append(key, x);
    } else if (const auto* ss = std::get_if<std::vector<std::string>>(&value)) {
        append(key, ss->size());
        for (const std::string& x : *ss) append(key, x);
    } else if (const auto* t = std::get_if<Tensor>(&value)) {
        constexpr std::size_t most_bytes = 4096;
        if (t->dtype() == DType::string || t->byte_size() > most_bytes) return false;
        append(key, std::string(name_of(t->dtype())) + to_string(t->shape()));
        key.append(reinterpret_cast<const char*>(t->raw()), t->byte_size());
    } else {
        return false;  // graphs, sparse tensors, types
    }
    return true;
}

/// Everything that draws no numbers, of any domain, is a function of its inputs.
bool is_pure(const Node& node) { return !traits_of(node).has(OperatorFact::random); }

}  // namespace

std::string node_identity(const Node& node, const std::function<std::string(ValueId)>& input_key) {
    // A node unit wants DequantizeLinear nodes of its own.
    if (!is_pure(node) || node.outputs.empty() || node.op_type == "DequantizeLinear" ||
        node.op_type == "QuantizeLinear")
        return {};
    std::string key = node.domain + "::" + node.op_type + ":" + node.overload;
    append(key, node.version);
    append(key, node.outputs.size());
    for (ValueId out : node.outputs) key += out ? '1' : '0';
    std::vector<const Attribute*> attributes;
    for (const Attribute& a : node.attributes) attributes.push_back(&a);
    std::ranges::sort(attributes, {}, &Attribute::name);
    for (const Attribute* a : attributes) {
        append(key, a->name);
        if (!append_attribute(key, a->value)) return {};
    }
    for (ValueId in : node.inputs) {
        if (!in) {
            key += '_';
            continue;
        }
        const std::string part = input_key(in);
        if (part.empty()) return {};
        append(key, part);
    }
    return key;
}

}  // namespace lapidary
