// SPDX-License-Identifier: Apache-2.0
#include <lapidary/generate_inputs.h>

#include <algorithm>

#include <lapidary/error.h>
#include <lapidary/limits.h>

#include "report/input_sizes.h"
#include "report/input_usage.h"
#include "report/input_values.h"

namespace lapidary {
namespace {

constexpr std::int64_t sequence_items = 2;

void check_size(const std::string& name, DType dtype, const Shape& shape) {
    const std::uint64_t limit = Limits{}.tensor_bytes;
    const std::int64_t count = element_count(shape);
    if (dtype != DType::undefined && storage_bytes(dtype, count) > limit)
        fail_limit("input " + quote(name) + " of shape " + to_string(shape) + " would pass the limit of " +
                   std::to_string(limit) + " bytes for one tensor: give smaller dimensions");
}

/// A value of any type; `place` numbers the parts of sequences so that they differ.
RuntimeValue make_value(const Model& model, const Value& input, const Type& type, const InputSizes& sizes,
                        SeededNumbers& numbers) {
    switch (type.kind) {
        case Type::Kind::tensor: {
            Value typed = input;
            typed.type = type;
            const auto size_of = [&](const Dim& dim) { return sizes.size_of(dim); };
            const bool is_input_itself = &type == &input.type;
            const InputUsage usage = is_input_itself ? usage_of_input(model, input.id, size_of) : InputUsage{};
            const Shape shape = sizes.shape_of(typed);
            check_size(input.name, type.dtype, shape);
            return fill_input(input.name, type, shape, usage, sizes, numbers);
        }
        case Type::Kind::optional:
            if (type.element) return make_value(model, input, *type.element, sizes, numbers);
            break;
        case Type::Kind::sequence:
            if (type.element) {
                Sequence sequence{*type.element, {}};
                for (std::int64_t i = 0; i < sequence_items; ++i)
                    sequence.items.push_back(make_value(model, input, *type.element, sizes, numbers));
                return sequence;
            }
            break;
        case Type::Kind::map: {
            Map map;
            const auto size_of = [&](const Dim& dim) { return sizes.size_of(dim); };
            const InputUsage usage = usage_of_input(model, input.id, size_of);
            if (type.key == DType::string)
                map.string_keys =
                    usage.known_strings.empty() ? std::vector<std::string>{"a", "b"} : usage.known_strings;
            else map.int_keys = usage.known_integers.empty() ? std::vector<std::int64_t>{0, 1} : usage.known_integers;
            const auto count = static_cast<std::int64_t>(std::max(map.int_keys.size(), map.string_keys.size()));
            const DType dtype = type.dtype != DType::undefined ? type.dtype
                                : type.element                 ? type.element->dtype
                                                               : DType::undefined;
            map.values = fill_input(input.name, Type::tensor(dtype), {count}, {}, sizes, numbers);
            return map;
        }
        case Type::Kind::sparse_tensor:
            fail_unsupported("input " + quote(input.name) + " is a sparse tensor, which cannot be generated");
        case Type::Kind::unknown: break;
    }
    fail_input("input " + quote(input.name) + " is declared without a type: give it from a file");
}

}  // namespace

NamedValues generate_inputs(const Model& model, const NamedValues& given, const GenerateOptions& options) {
    const InputSizes sizes(model, given, options.dimensions);
    NamedValues values;
    for (const ValueId id : model.graph.inputs()) {
        const Value& input = model.graph.value(id);
        if (input.constant || find(given, input.name)) continue;
        options.cancel.throw_if_cancelled();
        SeededNumbers numbers(options.seed, input.name, options.cancel);
        values.emplace_back(input.name, make_value(model, input, input.type, sizes, numbers));
    }
    return values;
}

}  // namespace lapidary
