// SPDX-License-Identifier: Apache-2.0
#include <lapidary/tensor/runtime_value.h>

#include <lapidary/base/error.h>
#include <lapidary/internal/shown_text.h>

namespace lapidary {

const Tensor& RuntimeValue::tensor() const {
    if (const auto* t = std::get_if<Tensor>(&value_)) return *t;
    fail_input("expected a tensor, found " + describe());
}

Tensor& RuntimeValue::tensor() {
    if (auto* t = std::get_if<Tensor>(&value_)) return *t;
    fail_input("expected a tensor, found " + describe());
}

const Sequence& RuntimeValue::sequence() const {
    if (const auto* s = std::get_if<std::shared_ptr<const Sequence>>(&value_)) return **s;
    fail_input("expected a sequence, found " + describe());
}

const Map& RuntimeValue::map() const {
    if (const auto* m = std::get_if<std::shared_ptr<const Map>>(&value_)) return **m;
    fail_input("expected a map, found " + describe());
}

std::string RuntimeValue::describe() const {
    if (is_tensor()) {
        const Tensor& t = std::get<Tensor>(value_);
        return "tensor " + std::string(name_of(t.dtype())) + to_string(t.shape());
    }
    if (is_sequence()) {
        const auto& s = std::get<std::shared_ptr<const Sequence>>(value_);
        return "sequence of " + std::to_string(s->items.size()) + " x " +
               elided(to_string(s->element_type));
    }
    if (is_map())
        return "map of " +
               std::to_string(std::get<std::shared_ptr<const Map>>(value_)->values.size());
    return "empty";
}

const RuntimeValue* find(const NamedValues& values, std::string_view name) {
    for (const auto& [key, value] : values)
        if (key == name) return &value;
    return nullptr;
}

}  // namespace lapidary
