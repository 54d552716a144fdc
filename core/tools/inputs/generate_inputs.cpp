// SPDX-License-Identifier: Apache-2.0
#include <lapidary/inputs/generate_inputs.h>

#include <algorithm>

#include <lapidary/base/error.h>

#include "base/memory/available_memory.h"
#include "base/checked.h"
#include "inputs/input_sizes.h"
#include "inputs/input_usage.h"
#include "inputs/input_values.h"
#include "ops/dimensions/dim_algebra.h"
#include "tensor/values_by_name.h"

namespace lapidary {
namespace {

// of the outermost; those inside have one, so that nests stay small
constexpr int sequence_items = 2;

/// Generates values for the inputs of one model, never more than the machine has memory for.
class InputMaker {
public:
    InputMaker(const Model& model, const InputSizes& sizes)
        : model_(model), sizes_(sizes), left_(available_memory() / 2) {}

    RuntimeValue make(const Value& input, SeededNumbers& numbers) {
        return make(input, input.type, numbers, sequence_items);
    }

private:
    RuntimeValue make(const Value& input, const Type& type, SeededNumbers& numbers, int items) {
        switch (type.kind) {
        case Type::Kind::tensor: return make_tensor(input, type, numbers);
        case Type::Kind::optional:
            if (type.element) return make(input, *type.element, numbers, items);
            break;
        case Type::Kind::sequence:
            if (type.element) {
                Sequence sequence{*type.element, {}};
                for (int i = 0; i < items; ++i)
                    sequence.items.push_back(make(input, *type.element, numbers, 1));
                return sequence;
            }
            break;
        case Type::Kind::map: return make_map(input, type, numbers);
        case Type::Kind::sparse_tensor:
            fail_unsupported("input " + quote(input.name) +
                             " is a sparse tensor, which cannot be generated");
        case Type::Kind::unknown: break;
        }
        fail_input("input " + quote(input.name) +
                   " is declared without a type: give it from a file");
    }

    Tensor make_tensor(const Value& input, const Type& type, SeededNumbers& numbers) {
        Value typed = input;
        typed.type = type;
        const bool is_input_itself = &type == &input.type;
        const InputUsage usage = is_input_itself ? usage_of(input) : InputUsage{};
        const Shape shape = sizes_.shape_of(typed);
        charge(input.name, type.dtype, shape);
        return fill_input(input.name, type, shape, usage, sizes_, numbers);
    }

    Map make_map(const Value& input, const Type& type, SeededNumbers& numbers) {
        Map map;
        const InputUsage usage = usage_of(input);
        if (type.key == DType::string)
            map.string_keys = usage.known_strings.empty() ? std::vector<std::string>{"a", "b"}
                                                          : usage.known_strings;
        else
            map.int_keys = usage.known_integers.empty() ? std::vector<std::int64_t>{0, 1}
                                                        : usage.known_integers;
        const auto count =
            static_cast<std::int64_t>(std::max(map.int_keys.size(), map.string_keys.size()));
        const DType dtype = type.dtype != DType::undefined ? type.dtype
                            : type.element                 ? type.element->dtype
                                                           : DType::undefined;
        map.values = fill_input(input.name, Type::tensor(dtype), {count}, {}, sizes_, numbers);
        return map;
    }

    InputUsage usage_of(const Value& input) const {
        return usage_of_input(model_, input.id,
                              [this](const Dim& dim) { return sizes_.size_of(dim); });
    }

    /// Counts a tensor that is about to be made.
    void charge(const std::string& name, DType dtype, const Shape& shape) {
        if (dtype == DType::undefined) return;  // refused by its own sentence
        const auto refuse = [&](const std::string& bytes, const std::string& limit) {
            fail_limit("input " + quote(name) + " of shape " + to_string(shape) + " takes " +
                       bytes + " bytes, " + limit + ": give smaller dimensions");
        };
        std::int64_t count = 1;
        for (const std::int64_t size : shape) {
            const auto product = checked_multiply(count, size);
            if (!product || *product > std::int64_t{1} << 58)
                refuse("more than 2^58", "more than any machine has");
            count = *product;
        }
        const std::uint64_t bytes = storage_bytes(dtype, count);
        if (bytes > left_)
            refuse(std::to_string(bytes), "generated inputs may take " + std::to_string(left_) +
                                              " more, half of the memory that was available");
        left_ -= bytes;
    }

    const Model& model_;
    const InputSizes& sizes_;
    std::uint64_t left_;  // bytes
};

}  // namespace

DimensionSizes input_dimensions(const Model& model, const DimensionSizes& dimensions) {
    return InputSizes(model, {}, dimensions).all();
}

std::optional<std::int64_t> size_of(const Dim& dim, const DimensionSizes& sizes) {
    return constant_of(substitute(dim, sizes));
}

NamedValues generate_inputs(const Model& model, const NamedValues& given,
                            const GenerateOptions& options) {
    const DefaultLengths lengths = options.usual ? usual_lengths(model) : DefaultLengths{};
    const InputSizes sizes(model, given, options.dimensions, lengths, options.cancel);
    const ValuesByName by_name(given);
    InputMaker maker(model, sizes);
    NamedValues values;
    for (const ValueId id : model.graph.inputs()) {
        const Value& input = model.graph.value(id);
        if (input.constant || by_name.find(input.name)) continue;
        options.cancel.throw_if_cancelled();
        SeededNumbers numbers(options.seed, input.name, options.cancel);
        values.emplace_back(input.name, maker.make(input, numbers));
    }
    return values;
}

}  // namespace lapidary
