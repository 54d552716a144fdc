// SPDX-License-Identifier: Apache-2.0
#include "ops/merge_types.h"

#include "ops/dim_algebra.h"

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
    if (a.element && b.element) result.element = std::make_shared<const Type>(generalize(*a.element, *b.element));
    else result.element.reset();
    return result;
}

Type map_dims(const Type& type, const std::function<Dim(const Dim&)>& change) {
    Type result = type;
    if (result.shape) {
        for (Dim& dim : *result.shape) dim = change(dim);
    }
    if (type.element) result.element = std::make_shared<const Type>(map_dims(*type.element, change));
    return result;
}

Type canonical_type(const Type& declared, const std::map<std::string, std::int64_t>& values) {
    return map_dims(declared, [&](const Dim& dim) -> Dim {
        if (!dim.is_symbolic()) return dim;
        const auto given = values.find(dim.symbol());
        return given != values.end() ? Dim(given->second) : substitute(dim_from_name(dim.symbol()), values);
    });
}

Type complete(const Type& inferred, const Type& declared, const std::function<bool(const Dim&)>& is_replaceable,
              std::string& conflict) {
    if (declared.kind == Type::Kind::unknown) return inferred;
    if (inferred.kind == Type::Kind::unknown) return declared;
    if (inferred.kind != declared.kind) {
        conflict = "declared as " + to_string(declared) + ", inferred as " + to_string(inferred);
        return inferred;
    }
    Type result = inferred;
    if (result.denotation.empty()) result.denotation = declared.denotation;
    if (inferred.dtype == DType::undefined) result.dtype = declared.dtype;
    if (inferred.key == DType::undefined) result.key = declared.key;
    bool contradicts = inferred.dtype != DType::undefined && declared.dtype != DType::undefined && inferred.dtype != declared.dtype;
    if (declared.shape && !inferred.shape) {
        result.shape = declared.shape;
    } else if (declared.shape) {
        contradicts = contradicts || declared.shape->size() != inferred.shape->size();
        for (std::size_t i = 0; i < declared.shape->size() && i < inferred.shape->size(); ++i) {
            const Dim& there = (*declared.shape)[i];
            Dim& here = (*result.shape)[i];
            if (there.is_unknown()) continue;
            if (here.is_unknown() || is_replaceable(here)) here = there;
            else if (surely_different(here, there)) contradicts = true;
        }
    }
    if (contradicts) {
        conflict = "declared as " + to_string(declared) + ", inferred as " + to_string(inferred);
        if (declared.shape && inferred.shape && declared.shape->size() != inferred.shape->size()) result.shape = inferred.shape;
    }
    if (declared.element) {
        result.element = inferred.element ? std::make_shared<const Type>(complete(*inferred.element, *declared.element, is_replaceable, conflict))
                                          : declared.element;
    }
    return result;
}

}  // namespace lapidary
