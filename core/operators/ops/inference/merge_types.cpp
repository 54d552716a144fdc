// SPDX-License-Identifier: Apache-2.0
#include "ops/inference/merge_types.h"

#include <algorithm>

#include "ops/dimensions/dim_algebra.h"

namespace lapidary {

Type generalize(const Type& a, const Type& b) {
    if (a.kind != b.kind) return {};
    Type result = a;
    if (a.dtype != b.dtype) result.dtype = DType::undefined;
    if (a.shape && b.shape && a.shape->size() == b.shape->size()) {
        for (std::size_t i = 0; i < a.shape->size(); ++i) {
            if (!surely_equal((*a.shape)[i], (*b.shape)[i])) (*result.shape)[i] = Dim();
        }
    } else {
        result.shape.reset();
    }
    if (a.element && b.element)
        result.element = std::make_shared<const Type>(generalize(*a.element, *b.element));
    else result.element.reset();
    return result;
}

Type map_dims(const Type& type, const std::function<Dim(const Dim&)>& change) {
    Type result = type;
    if (result.shape) {
        for (Dim& dim : *result.shape) dim = change(dim);
    }
    if (type.element)
        result.element = std::make_shared<const Type>(map_dims(*type.element, change));
    return result;
}

Type canonical_type(const Type& declared, const std::map<std::string, std::int64_t>& values) {
    return map_dims(declared, [&](const Dim& dim) -> Dim {
        if (!dim.is_symbolic()) return dim;
        const auto given = values.find(dim.symbol());
        return given != values.end() ? Dim(given->second)
                                     : substitute(dim_from_name(dim.symbol()), values);
    });
}

namespace {

Type without_shapes(const Type& type) {
    Type result = type;
    result.shape.reset();
    if (type.element) result.element = std::make_shared<const Type>(without_shapes(*type.element));
    return result;
}

bool may_be_one(const SymbolicShape& a, const SymbolicShape& b) {
    return std::ranges::equal(a, b, [](const Dim& x, const Dim& y) {
        return x.is_unknown() || y.is_unknown() || !surely_different(x, y);
    });
}

}  // namespace

Type complete(const Type& inferred, const Type& declared, std::string& conflict) {
    if (declared.kind == Type::Kind::unknown) return inferred;
    if (inferred.kind == Type::Kind::unknown) return without_shapes(declared);
    if (inferred.kind != declared.kind) {
        conflict = "declared as " + to_string(declared) + ", inferred as " + to_string(inferred);
        return inferred;
    }
    Type result = inferred;
    if (result.denotation.empty()) result.denotation = declared.denotation;
    if (inferred.dtype == DType::undefined) result.dtype = declared.dtype;
    if (inferred.key == DType::undefined) result.key = declared.key;
    const bool other_elements = inferred.dtype != DType::undefined &&
                                declared.dtype != DType::undefined &&
                                inferred.dtype != declared.dtype;
    if (other_elements ||
        (declared.shape && inferred.shape && !may_be_one(*declared.shape, *inferred.shape)))
        conflict = "declared as " + to_string(declared) + ", inferred as " + to_string(inferred);
    if (declared.element)
        result.element = std::make_shared<const Type>(
            inferred.element ? complete(*inferred.element, *declared.element, conflict)
                             : without_shapes(*declared.element));
    return result;
}

}  // namespace lapidary
