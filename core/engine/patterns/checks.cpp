// SPDX-License-Identifier: Apache-2.0
#include "patterns/checks.h"

#include <algorithm>
#include <vector>

#include <lapidary/base/error.h>

namespace lapidary::pattern {
namespace {

ValueId value_of(const Subject& s) {
    if (s.value) return s.value;
    return s.node && !s.node->outputs.empty() ? s.node->outputs[0] : ValueId{};
}

}  // namespace

Check read_once() {
    return [](const Subject& s) { return value_of(s) && s.scope.value(value_of(s)).read_once(); };
}
Check read_only_here() {
    return [](const Subject& s) { return value_of(s) && s.match.is_internal(value_of(s)); };
}
Check only_first_output() {
    return [](const Subject& s) {
        for (std::size_t i = 1; i < s.node->outputs.size(); ++i)
            if (s.node->outputs[i] && !s.scope.value(s.node->outputs[i]).is_unused()) return false;
        return true;
    };
}
Check int_attribute_is(std::string name, std::int64_t value, std::int64_t fallback) {
    return [=](const Subject& s) { return s.node->int_attribute(name, fallback) == value; };
}
Check string_attribute_is(std::string name, std::string value, std::string fallback) {
    return [=](const Subject& s) { return s.node->string_attribute(name, fallback) == value; };
}
Check has_rank(int rank) {
    return [=](const Subject& s) { return s.scope.rank(value_of(s)) == rank; };
}
Check has_rank_at_least(int rank) {
    return [=](const Subject& s) { return s.scope.rank(value_of(s)) >= rank; };
}
Check has_dtype(std::initializer_list<DType> dtypes) {
    return [list = std::vector<DType>(dtypes)](const Subject& s) {
        return std::ranges::find(list, s.scope.dtype(value_of(s))) != list.end();
    };
}
Check same_dtype_as(std::string name) {
    return [=](const Subject& s) {
        return s.scope.dtype(value_of(s)) == s.scope.dtype(s.match.value(name));
    };
}
ExplainedCheck scalars_keep_rank_of(std::string name) {
    return [=](const Subject& s) -> std::string {
        const int rank = s.scope.rank(s.match.value(name));
        for (NodeId id : s.match.nodes()) {
            for (ValueId in : s.scope.node(id).inputs) {
                const Tensor* t = s.scope.constant(in);
                if (!t || t->size() != 1 || static_cast<int>(t->rank()) <= std::max(rank, 0))
                    continue;
                const std::string text = "the constant " + quote(s.scope.value(in).name) +
                                         " has rank " + std::to_string(t->rank());
                return rank < 0 ? text + " and the rank of the input is not known"
                                : text + ", more than the input's " + std::to_string(rank);
            }
        }
        return {};
    };
}
Check only_float_casts() {
    return [](const Subject& s) {
        const auto is_float = [](DType t) {
            return t == DType::f32 || t == DType::f16 || t == DType::bf16 || t == DType::f64;
        };
        return std::ranges::all_of(s.match.nodes(), [&](NodeId id) {
            const Node& n = s.scope.node(id);
            return n.op_type != "Cast" ||
                   (is_float(s.scope.dtype(n.inputs[0])) && is_float(s.scope.dtype(n.outputs[0])));
        });
    };
}
Check both(Check a, Check b) {
    return [=](const Subject& s) { return a(s) && b(s); };
}
Check negate(Check a) {
    return [=](const Subject& s) { return !a(s); };
}

}  // namespace lapidary::pattern
