// SPDX-License-Identifier: Apache-2.0
// Functions for the shape inference of an operator.
#include <cstring>

#include "custom_ops/api_table.h"
#include "ops/dimensions/dim_algebra.h"

namespace lapidary::custom_ops {
namespace {

// Of OrtOpAttrType.
enum AttributeKind : int {
    kind_int = 1,
    kind_ints,
    kind_float,
    kind_floats,
    kind_string,
    kind_strings
};

Status* give(const void* from, std::size_t bytes, void* to, std::size_t room, std::size_t* needed) {
    *needed = bytes;
    if (room < bytes)
        return make_status(code_invalid_argument,
                           "Size of data not large enough to hold the attribute.");
    std::memcpy(to, from, bytes);
    return nullptr;
}

Status* read_attribute(const Attribute* attribute, int kind, void* to, std::size_t room,
                       std::size_t* needed) {
    return guarded([&]() -> Status* {
        const AttributeValue& value = attribute->value;
        if (const auto* i = std::get_if<std::int64_t>(&value); i && kind == kind_int)
            return give(i, sizeof(*i), to, room, needed);
        if (const auto* f = std::get_if<float>(&value); f && kind == kind_float)
            return give(f, sizeof(*f), to, room, needed);
        if (const auto* ints = std::get_if<std::vector<std::int64_t>>(&value);
            ints && kind == kind_ints)
            return give(ints->data(), ints->size() * sizeof(std::int64_t), to, room, needed);
        if (const auto* floats = std::get_if<std::vector<float>>(&value);
            floats && kind == kind_floats)
            return give(floats->data(), floats->size() * sizeof(float), to, room, needed);
        if (const auto* text = std::get_if<std::string>(&value); text && kind == kind_string)
            return give(text->c_str(), text->size() + 1, to, room, needed);
        if (const auto* texts = std::get_if<std::vector<std::string>>(&value);
            texts && kind == kind_strings) {
            std::string all;
            for (const std::string& text : *texts) (all += text) += '\0';
            return give(all.data(), all.size(), to, room, needed);
        }
        return make_status(code_invalid_argument,
                           "attribute " + quote(attribute->name) +
                               " is of another kind: " + std::string(kind_of(value)));
    });
}

Status* set_output(InferContext* context, std::size_t index, const TypeAndShape* reported) {
    return guarded([&]() -> Status* {
        if (index >= context->inference.output_count()) return nullptr;  // omitted by the node
        if (is_known_dtype(reported->element_type))
            context->inference.output_type(index) =
                Type::tensor(static_cast<DType>(reported->element_type));
        if (!reported->has_shape) return nullptr;
        SymbolicShape shape;
        for (std::size_t i = 0; i < reported->dims.size(); ++i) {
            const bool has_name = i < reported->symbols.size() && !reported->symbols[i].empty();
            shape.push_back(reported->dims[i] >= 0 ? Dim(reported->dims[i])
                            : has_name             ? dim_from_name(reported->symbols[i])
                                                   : Dim());
        }
        context->inference.set_output_shape(index, std::move(shape));
        return nullptr;
    });
}

}  // namespace

void put_inference_functions(ApiTable& table) {
    table.put(
        267, +[](const InferContext* context, std::size_t* count) -> Status* {
            *count = context->inference.input_count();
            return nullptr;
        });
    table.put(
        268, +[](InferContext* context, std::size_t index, TypeAndShape** to) {
            return guarded([&]() -> Status* {
                if (index >= context->inference.input_count())
                    return make_status(code_invalid_argument, "index is beyond the node's inputs");
                *to = &context->handed_out.emplace_back(
                    type_and_shape(context->inference.input_type(index)));
                return nullptr;
            });
        });
    table.put(
        269, +[](const InferContext* context, const char* name, const Attribute** to) {
            return guarded([&]() -> Status* {
                *to = context->inference.node().attribute(name);
                return *to ? nullptr
                           : make_status(code_fail, "there is no attribute " + quote(name));
            });
        });
    table.put(270, &set_output);
    table.put(272, &read_attribute);
}

}  // namespace lapidary::custom_ops
