// SPDX-License-Identifier: Apache-2.0
// Conditions that many rules share.
#pragma once

#include <initializer_list>
#include <string>

#include "patterns/match.h"

namespace lapidary::pattern {

/// The value has one reader and is neither a graph output nor read by a subgraph (ORT's "single
/// use").
Check read_once();
/// Every reader of the value is part of the match; not a graph output, not read by a subgraph.
Check read_only_here();
/// No output of the node but the first is used.
Check only_first_output();
Check int_attribute_is(std::string name, std::int64_t value, std::int64_t fallback);
/// An absent attribute has the value too.
inline Check int_attribute_is(std::string name, std::int64_t value) {
    return int_attribute_is(std::move(name), value, value);
}
Check string_attribute_is(std::string name, std::string value, std::string fallback);
Check has_rank(int rank);
Check has_rank_at_least(int rank);
Check has_dtype(std::initializer_list<DType> dtypes);
inline Check is_float() { return has_dtype({DType::f32, DType::f16, DType::bf16, DType::f64}); }
/// The value's element type is that of the value bound to `name`.
Check same_dtype_as(std::string name);
/// No matched constant of one element has a higher rank than the value bound to `name`, which
/// broadcasting would then raise.
ExplainedCheck scalars_keep_rank_of(std::string name);
/// Every matched Cast is from one float type to another.
Check only_float_casts();
/// Both conditions, in order.
Check both(Check a, Check b);
Check negate(Check a);

}  // namespace lapidary::pattern
