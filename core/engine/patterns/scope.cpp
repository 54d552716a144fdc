// SPDX-License-Identifier: Apache-2.0
#include "patterns/scope.h"

#include <cmath>

#include <lapidary/tensor/float16.h>

namespace lapidary {

const Node* Scope::producer(ValueId id) const {
    if (!id) return nullptr;
    const Value& v = graph.value(id);
    return v.kind == ValueKind::node_output ? &graph.node(v.producer) : nullptr;
}

const Tensor* Scope::constant(ValueId id) const {
    if (!id) return nullptr;
    const Value& v = graph.value(id);
    if (v.kind == ValueKind::initializer) return v.constant ? &*v.constant : nullptr;
    if (v.kind == ValueKind::captured && outer) return outer->constant(v.outer);
    return nullptr;
}

int Scope::rank(ValueId id) const {
    if (!id || !type(id).shape) return -1;
    return static_cast<int>(type(id).shape->size());
}

std::int64_t Scope::dim(ValueId id, int axis) const {
    const int r = rank(id);
    if (axis < 0) axis += r;
    if (axis < 0 || axis >= r) return -1;
    return (*type(id).shape)[static_cast<std::size_t>(axis)].value();
}

std::optional<double> scalar_of(const Tensor* tensor) {
    if (!tensor || tensor->size() != 1 || tensor->dtype() == DType::string ||
        tensor->dtype() == DType::complex64 || tensor->dtype() == DType::complex128)
        return std::nullopt;
    return to_doubles(*tensor)[0];
}

bool scalar_equals(const Tensor* tensor, double expected) {
    const auto x = scalar_of(tensor);
    if (!x || tensor->rank() > 1) return false;
    if (tensor->dtype() == DType::f16)
        expected = static_cast<float>(Half(static_cast<float>(expected)));
    if (tensor->dtype() == DType::bf16)
        expected = static_cast<float>(BFloat16(static_cast<float>(expected)));
    return std::abs(*x - expected) <= 1e-8 + 1e-5 * std::abs(expected);
}

bool same_shape(const Type& a, const Type& b) {
    if (!a.shape || !b.shape || a.shape->size() != b.shape->size()) return false;
    for (std::size_t i = 0; i < a.shape->size(); ++i) {
        const Dim &p = (*a.shape)[i], &q = (*b.shape)[i];
        if (p.is_unknown() || !(p == q)) return false;
    }
    return true;
}

}  // namespace lapidary
