// SPDX-License-Identifier: Apache-2.0
#include "ops/rules/rule_checks.h"

#include <algorithm>

#include <fmt/format.h>

namespace lapidary {

std::size_t checked_axis(const InferenceContext& ctx, std::int64_t axis, std::size_t rank,
                         std::string_view what) {
    const auto size = static_cast<std::int64_t>(rank);
    if (axis < -size || axis >= size) {
        ctx.fail(fmt::format("{} {} is out of range [{}, {}] for rank {}", what, axis, -size,
                             size - 1, rank));
    }
    return static_cast<std::size_t>(axis < 0 ? axis + size : axis);
}

std::vector<std::size_t> checked_axes(const InferenceContext& ctx,
                                      std::span<const std::int64_t> axes, std::size_t rank) {
    std::vector<std::size_t> result;
    for (std::int64_t axis : axes) {
        const std::size_t checked = checked_axis(ctx, axis, rank);
        if (std::find(result.begin(), result.end(), checked) != result.end())
            ctx.fail(fmt::format("axis {} is listed twice", axis));
        result.push_back(checked);
    }
    return result;
}

const InputShape* shape_of_rank(const InferenceContext& ctx, std::size_t input, std::size_t rank,
                                std::string_view name) {
    const InputShape* shape = ctx.input_shape(input);
    if (shape && shape->size() != rank) {
        ctx.fail(fmt::format("{} must have rank {}, found rank {} ({})", name, rank, shape->size(),
                             to_string(*shape)));
    }
    return shape;
}

const InputShape* shape_of_least_rank(const InferenceContext& ctx, std::size_t input,
                                      std::size_t least, std::string_view name) {
    const InputShape* shape = ctx.input_shape(input);
    if (shape && shape->size() < least) {
        ctx.fail(fmt::format("{} must have rank {} or more, found rank {} ({})", name, least,
                             shape->size(), to_string(*shape)));
    }
    return shape;
}

void require_elements(const InferenceContext& ctx, std::size_t input, const Dim& count,
                      std::string_view name) {
    const InputShape* shape = ctx.input_shape(input);
    if (!shape) return;
    const Dim found = product(*shape);
    if (surely_different(found, count)) {
        ctx.fail(fmt::format("{} must have {} elements, found {} ({})", name, to_string(count),
                             to_string(found), to_string(*shape)));
    }
}

void require_scalar(const InferenceContext& ctx, std::size_t input, std::string_view name) {
    const InputShape* shape = ctx.input_shape(input);
    if (shape && (shape->size() > 1 || surely_different(product(*shape), 1))) {
        ctx.fail(
            fmt::format("{} must be a single number, found shape {}", name, to_string(*shape)));
    }
}

Dim same_dim(const InferenceContext& ctx, const Dim& a, const Dim& b, std::string_view what) {
    if (surely_different(a, b))
        ctx.fail(fmt::format("{}: {} against {}", what, to_string(a), to_string(b)));
    if (a.is_known()) return a;
    if (b.is_known()) return b;
    return a.is_unknown() || is_capped(a, b) ? b : a;
}

Dim broadcast_dim(const InferenceContext& ctx, const Dim& a, const Dim& b,
                  const SymbolicShape& left, const SymbolicShape& right) {
    if (a == Dim(1)) return b;
    if (b == Dim(1) || surely_equal(a, b)) return a;
    if (a.is_known() && b.is_known()) {
        ctx.fail(fmt::format("shapes {} and {} do not broadcast: {} against {}", to_string(left),
                             to_string(right), a.value(), b.value()));
    }
    if (a.is_known()) return a;
    if (b.is_known()) return b;
    if (is_capped(a, b)) return b;
    return is_capped(b, a) ? a : Dim();
}

SymbolicShape broadcast(const InferenceContext& ctx, const SymbolicShape& a,
                        const SymbolicShape& b) {
    const std::size_t rank = std::max(a.size(), b.size());
    SymbolicShape result(rank, 1);
    for (std::size_t i = 0; i < rank; ++i) {
        const Dim from_a = i < rank - a.size() ? Dim(1) : a[i - (rank - a.size())];
        const Dim from_b = i < rank - b.size() ? Dim(1) : b[i - (rank - b.size())];
        result[i] = broadcast_dim(ctx, from_a, from_b, a, b);
    }
    return result;
}

void copy_shape(InferenceContext& ctx, std::size_t input, std::size_t output) {
    if (const InputShape* shape = ctx.input_shape(input)) ctx.set_output_shape(output, *shape);
}

void copy_type(InferenceContext& ctx, std::size_t input, std::size_t output) {
    if (ctx.input_type(input).kind != Type::Kind::unknown)
        ctx.output_type(output) = ctx.input_type(input);
}

void set_dtype(InferenceContext& ctx, std::size_t output, DType dtype) {
    Type& type = ctx.output_type(output);
    type.kind = Type::Kind::tensor;
    type.dtype = dtype;
}

DType dtype_attribute(const InferenceContext& ctx, std::string_view name, DType fallback) {
    if (!ctx.node().has_attribute(name)) return fallback;
    const std::int64_t number = ctx.node().int_attribute(name, 0);
    if (!is_known_dtype(number))
        ctx.fail(fmt::format("attribute {} names no element type: {}", name, number));
    return static_cast<DType>(number);
}

ListArgument list_argument(const InferenceContext& ctx, std::string_view attribute,
                           std::size_t input) {
    ListArgument argument;
    if (ctx.node().has_attribute(attribute)) {
        argument.given = true;
        argument.values = ctx.node().ints_attribute(attribute);
    } else if (ctx.has_input(input)) {
        argument.given = true;
        argument.values = ctx.constant_ints(input);
        if (const InputShape* shape = ctx.input_shape(input); shape && product(*shape).is_known())
            argument.count = product(*shape).value();
    }
    if (argument.values) argument.count = static_cast<std::int64_t>(argument.values->size());
    return argument;
}

std::string word_attribute(const InferenceContext& ctx, std::string_view name,
                           std::string_view fallback,
                           std::initializer_list<std::string_view> words) {
    std::string word = ctx.node().string_attribute(name, std::string(fallback));
    if (std::find(words.begin(), words.end(), word) == words.end()) {
        std::string choice;
        for (std::string_view candidate : words)
            choice += (choice.empty() ? "" : ", ") + std::string(candidate);
        ctx.fail(
            fmt::format("attribute {} must be one of {}, found {}", name, choice, quote(word)));
    }
    return word;
}

std::int64_t positive_attribute(const InferenceContext& ctx, std::string_view name,
                                std::int64_t fallback) {
    const std::int64_t value = ctx.node().int_attribute(name, fallback);
    if (value <= 0) ctx.fail(fmt::format("attribute {} must be positive, found {}", name, value));
    return value;
}

Dim product_of(const SymbolicShape& shape, std::size_t begin, std::size_t end) {
    return product(std::span<const Dim>(shape).subspan(begin, end - begin));
}

void infer_same_shape(InferenceContext& ctx) { copy_shape(ctx, 0, 0); }

}  // namespace lapidary
