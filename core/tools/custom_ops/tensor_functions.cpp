// SPDX-License-Identifier: Apache-2.0
// Values: data, shape, texts.
#include <cstring>

#include "custom_ops/api_table.h"

namespace lapidary::custom_ops {
namespace {

void* data_of(Value* value) {
    Tensor& tensor = *value->tensor;
    if (tensor.dtype() == DType::string) return tensor.mutable_data<std::string>().data();
    static std::byte nothing[1];
    void* data = tensor.mutable_raw();
    return data ? data : nothing;  // of an empty tensor: not null, as ONNX Runtime has it
}

std::span<const std::string> texts_of(const Value* value) {
    return std::as_const(*value->tensor).data<std::string>();
}

Status* put_element_count(const TypeAndShape* info, std::size_t* count) {
    return guarded([&]() -> Status* {
        std::int64_t elements = 1;
        for (const std::int64_t size : info->dims)
            if (size < 0) elements = -1;
        *count = elements < 0 ? 0 : static_cast<std::size_t>(element_count(info->dims));
        return nullptr;
    });
}

void require_index(std::size_t index, std::size_t count) {
    if (index >= count)
        fail_input("it asks for text " + std::to_string(index) + " of a tensor of " +
                   std::to_string(count));
}

}  // namespace

void put_tensor_functions(ApiTable& table) {
    table.put(
        50, +[](const Value*, int* is_tensor) -> Status* {
            *is_tensor = 1;
            return nullptr;
        });
    table.put(
        51, +[](Value* value, void** data) {
            return guarded([&]() -> Status* {
                *data = data_of(value);
                return nullptr;
            });
        });
    table.put(64, &put_element_count);
    table.put(
        65, +[](const Value* value, TypeAndShape** info) {
            return guarded([&]() -> Status* {
                *info = new TypeAndShape(type_and_shape(*value->tensor));
                return nullptr;
            });
        });
    table.put(
        66, +[](const Value* value, TypeInfo** info) {
            return guarded([&]() -> Status* {
                *info = new TypeInfo{type_and_shape(*value->tensor)};
                return nullptr;
            });
        });
    table.put(
        67, +[](const Value*, int* kind) -> Status* {
            *kind = 1;  // ONNX_TYPE_TENSOR
            return nullptr;
        });
    // those that the library owns: tensors of attributes
    table.put(
        96, +[](Value* value) { delete value; });
    table.put(
        178, +[](const Value*, int* is_sparse) -> Status* {
            *is_sparse = 0;
            return nullptr;
        });
    table.put(
        192, +[](const Value* value, int* has_value) -> Status* {
            *has_value = value ? 1 : 0;
            return nullptr;
        });
}

void put_string_functions(ApiTable& table) {
    table.put(
        52, +[](Value* value, const char* const* texts, std::size_t count) {
            return guarded([&]() -> Status* {
                auto to = value->tensor->mutable_data<std::string>();
                if (count != to.size())
                    fail_input("it fills a tensor of " + std::to_string(to.size()) +
                               " texts with " + std::to_string(count));
                for (std::size_t i = 0; i < count; ++i) to[i] = texts[i];
                return nullptr;
            });
        });
    table.put(
        53, +[](const Value* value, std::size_t* bytes) {
            return guarded([&]() -> Status* {
                *bytes = 0;
                for (const std::string& text : texts_of(value)) *bytes += text.size();
                return nullptr;
            });
        });
    table.put(
        54, +[](const Value* value, char* to, std::size_t room, std::size_t* offsets,
                std::size_t count) {
            return guarded([&]() -> Status* {
                const auto texts = texts_of(value);
                std::size_t at = 0;
                for (std::size_t i = 0; i < texts.size() && i < count; ++i) {
                    if (texts[i].size() > room - at)
                        fail_input("the memory for the texts of a tensor is too small");
                    offsets[i] = at;
                    std::memcpy(to + at, texts[i].data(), texts[i].size());
                    at += texts[i].size();
                }
                return nullptr;
            });
        });
    table.put(
        127, +[](const Value* value, std::size_t index, std::size_t* bytes) {
            return guarded([&]() -> Status* {
                require_index(index, texts_of(value).size());
                *bytes = texts_of(value)[index].size();
                return nullptr;
            });
        });
    table.put(
        128, +[](const Value* value, std::size_t room, std::size_t index, void* to) {
            return guarded([&]() -> Status* {
                require_index(index, texts_of(value).size());
                const std::string& text = texts_of(value)[index];
                if (text.size() > room)
                    fail_input("the memory for a text of a tensor is too small");
                std::memcpy(to, text.data(), text.size());
                return nullptr;
            });
        });
    table.put(
        129, +[](Value* value, const char* text, std::size_t index) {
            return guarded([&]() -> Status* {
                auto to = value->tensor->mutable_data<std::string>();
                require_index(index, to.size());
                to[index] = text;
                return nullptr;
            });
        });
    table.put(
        252, +[](Value* value, std::size_t index, std::size_t bytes, char** to) {
            return guarded([&]() -> Status* {
                auto texts = value->tensor->mutable_data<std::string>();
                require_index(index, texts.size());
                texts[index].resize(bytes);
                *to = texts[index].data();
                return nullptr;
            });
        });
}

}  // namespace lapidary::custom_ops
