// SPDX-License-Identifier: Apache-2.0
// What shape rules share: reading arguments, checking ranks and axes, unifying and broadcasting
// dimensions.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ops/dimensions/dim_algebra.h"
#include "ops/inference/shape_rule.h"

namespace lapidary {

using Ints = std::vector<std::int64_t>;

/// `axis` in [-rank, rank-1] made non-negative, or a failure naming it.
std::size_t checked_axis(const InferenceContext& ctx, std::int64_t axis, std::size_t rank,
                         std::string_view what = "axis");
/// Each axis checked; a repeated axis fails.
std::vector<std::size_t> checked_axes(const InferenceContext& ctx,
                                      std::span<const std::int64_t> axes, std::size_t rank);

/// The shape of an input, null while its rank is unknown; fails when the rank is another one.
const InputShape* shape_of_rank(const InferenceContext& ctx, std::size_t input, std::size_t rank,
                                std::string_view name);
/// The same for a least rank.
const InputShape* shape_of_least_rank(const InferenceContext& ctx, std::size_t input,
                                      std::size_t least, std::string_view name);
/// An input's number of elements must not be known to differ from `count`.
void require_elements(const InferenceContext& ctx, std::size_t input, const Dim& count,
                      std::string_view name);
/// A one-element input: rank 0, or rank 1 with one element.
void require_scalar(const InferenceContext& ctx, std::size_t input, std::string_view name);

/// The better known one of two dimensions that must agree; fails when they surely differ.
Dim same_dim(const InferenceContext& ctx, const Dim& a, const Dim& b, std::string_view what);
/// What both broadcast to; fails when they cannot. Two names that may or may not be equal give an
/// unknown.
Dim broadcast_dim(const InferenceContext& ctx, const Dim& a, const Dim& b,
                  const SymbolicShape& left, const SymbolicShape& right);
SymbolicShape broadcast(const InferenceContext& ctx, const SymbolicShape& a,
                        const SymbolicShape& b);

/// Output `output` gets the shape of input `input` when that is known; its element type stays as
/// bound.
void copy_shape(InferenceContext& ctx, std::size_t input, std::size_t output);
/// Output `output` gets the whole type of input `input` when that is known.
void copy_type(InferenceContext& ctx, std::size_t input, std::size_t output);
void set_dtype(InferenceContext& ctx, std::size_t output, DType dtype);
/// The DType of an attribute that holds a TensorProto.DataType number; fails for a number that is
/// none.
DType dtype_attribute(const InferenceContext& ctx, std::string_view name, DType fallback);

/// A list that is an attribute in older opsets and an input in newer ones.
struct ListArgument {
    bool given = false;                 // the node has it
    std::optional<Ints> values;         // known contents
    std::optional<std::int64_t> count;  // known length, also where the contents are not known
};
ListArgument list_argument(const InferenceContext& ctx, std::string_view attribute,
                           std::size_t input);

/// A string attribute that must be one of `words`.
std::string word_attribute(const InferenceContext& ctx, std::string_view name,
                           std::string_view fallback,
                           std::initializer_list<std::string_view> words);
/// Positive integer attribute; fails naming it otherwise.
std::int64_t positive_attribute(const InferenceContext& ctx, std::string_view name,
                                std::int64_t fallback);

/// `shape[begin, end)` multiplied.
Dim product_of(const SymbolicShape& shape, std::size_t begin, std::size_t end);

/// Output 0 like input 0: most operators on single elements.
void infer_same_shape(InferenceContext& ctx);

}  // namespace lapidary
