// SPDX-License-Identifier: Apache-2.0
#include <lapidary/graph/type.h>

#include <algorithm>

namespace lapidary {

bool Type::is_static() const {
    return is_tensor() && shape &&
           std::ranges::all_of(*shape, [](const Dim& d) { return d.is_known(); });
}

std::vector<std::int64_t> Type::static_shape() const {
    std::vector<std::int64_t> out;
    for (const Dim& d : *shape) out.push_back(d.value());
    return out;
}

bool operator==(const Type& a, const Type& b) {
    if (a.kind != b.kind || a.dtype != b.dtype || a.shape != b.shape || a.key != b.key)
        return false;
    if (!a.element || !b.element) return !a.element && !b.element;
    return *a.element == *b.element;
}

std::string to_string(const Dim& dim) {
    return dim.is_known() ? std::to_string(dim.value()) : dim.is_symbolic() ? dim.symbol() : "?";
}

std::string to_string(const SymbolicShape& shape) {
    std::string out = "[";
    for (std::size_t i = 0; i < shape.size(); ++i) out += (i ? "," : "") + to_string(shape[i]);
    return out + "]";
}

std::string to_string(const Type& type) {
    const auto inner = [&] { return type.element ? to_string(*type.element) : std::string("?"); };
    const auto dense = [&] {
        return std::string(name_of(type.dtype)) + (type.shape ? to_string(*type.shape) : "[...]");
    };
    switch (type.kind) {
    case Type::Kind::unknown: return "?";
    case Type::Kind::tensor: return dense();
    case Type::Kind::sparse_tensor: return "sparse(" + dense() + ")";
    case Type::Kind::sequence: return "seq(" + inner() + ")";
    case Type::Kind::optional: return "optional(" + inner() + ")";
    case Type::Kind::map:
        return "map(" + std::string(name_of(type.key)) + "," +
               (type.element ? inner() : std::string(name_of(type.dtype))) + ")";
    }
    return "?";
}

}  // namespace lapidary
