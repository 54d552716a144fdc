// SPDX-License-Identifier: Apache-2.0
// Functions that a kernel calls while it is made, about its node: attributes, names, types,
// constants.
#include <cstring>
#include <iostream>

#include "custom_ops/api_table.h"

namespace lapidary::custom_ops {
namespace {

/// A missing attribute is not logged as a fault: libraries query attributes and then use a default.
template <typename T>
Status* no_such_attribute(const KernelInfo* info, const char* name) {
    const Attribute* attribute = info->facts->node.attribute(name);
    if (!attribute)
        return make_status(code_fail,
                           "No attribute with name: '" + std::string(name) + "' is defined.");
    return make_status(code_fail, "attribute " + quote(name) + " is of another kind: " +
                                      std::string(kind_of(attribute->value)));
}

template <typename T>
const T* attribute_of(const KernelInfo* info, const char* name) {
    const Attribute* attribute = info->facts->node.attribute(name);
    return attribute ? std::get_if<T>(&attribute->value) : nullptr;
}

template <typename T>
Status* get_number(const KernelInfo* info, const char* name, T* to) {
    return guarded([&]() -> Status* {
        const T* value = attribute_of<T>(info, name);
        if (!value) return no_such_attribute<T>(info, name);
        *to = *value;
        return nullptr;
    });
}

/// The protocol of texts and lists. Without a buffer it returns the size. If the buffer is too
/// small it returns an error and the size.
template <typename T>
Status* copy_out(const T* from, std::size_t count, T* to, std::size_t* room) {
    const std::size_t given = *room;
    *room = count;
    if (!to) return nullptr;
    if (given < count)
        return make_status(code_invalid_argument, "Result buffer is not large enough");
    std::memcpy(to, from, count * sizeof(T));
    return nullptr;
}

Status* copy_text(const std::string& text, char* to, std::size_t* room) {
    return copy_out(text.c_str(), text.size() + 1, to, room);
}

template <typename T>
Status* get_list(const KernelInfo* info, const char* name, T* to, std::size_t* room) {
    return guarded([&]() -> Status* {
        const auto* list = attribute_of<std::vector<T>>(info, name);
        return list ? copy_out(list->data(), list->size(), to, room)
                    : no_such_attribute<std::vector<T>>(info, name);
    });
}

Status* get_text(const KernelInfo* info, const char* name, char* to, std::size_t* room) {
    return guarded([&]() -> Status* {
        const auto* text = attribute_of<std::string>(info, name);
        return text ? copy_text(*text, to, room) : no_such_attribute<std::string>(info, name);
    });
}

Status* get_tensor(const KernelInfo* info, const char* name, Allocator*, Value** to) {
    return guarded([&]() -> Status* {
        const auto* tensor = attribute_of<Tensor>(info, name);
        if (!tensor) return no_such_attribute<Tensor>(info, name);
        auto value = std::make_unique<Value>();
        value->own = *tensor;
        value->tensor = &*value->own;
        *to = value.release();
        return nullptr;
    });
}

Status* get_constant(const KernelInfo* info, std::size_t index, int* is_constant,
                     const Value** to) {
    return guarded([&]() -> Status* {
        const auto& constants = info->facts->constants;
        *is_constant = index < constants.size() && constants[index] ? 1 : 0;
        *to = nullptr;
        if (!*is_constant) return nullptr;
        Value& value = const_cast<KernelInfo*>(info)->handed_out.emplace_back();
        value.own = *constants[index];
        value.tensor = &*value.own;
        *to = &value;
        return nullptr;
    });
}

template <auto List>
Status* get_name(const KernelInfo* info, std::size_t index, char* to, std::size_t* room) {
    return guarded([&]() -> Status* {
        const std::vector<std::string>& names = (*info->facts).*List;
        if (index >= names.size())
            return make_status(code_invalid_argument, "index is beyond the node's values");
        return copy_text(names[index], to, room);
    });
}

template <auto List>
Status* get_type(const KernelInfo* info, std::size_t index, TypeInfo** to) {
    return guarded([&]() -> Status* {
        const std::vector<TypeAndShape>& types = (*info->facts).*List;
        if (index >= types.size())
            return make_status(code_invalid_argument, "index is beyond the node's values");
        *to = new TypeInfo{types[index]};
        return nullptr;
    });
}

template <auto List>
Status* get_count(const KernelInfo* info, std::size_t* count) {
    *count = ((*info->facts).*List).size();
    return nullptr;
}

/// A library's log goes where ONNX Runtime's goes by default.
Status* log_message(const void*, int severity, const char* message, const char*, int, const char*) {
    constexpr int warning = 2;
    if (severity >= warning) std::cerr << "custom operator: " << message << '\n';
    return nullptr;
}

}  // namespace

void put_kernel_info_functions(ApiTable& table) {
    using Facts = KernelInfo::Facts;
    table.put(85, &get_number<float>);
    table.put(86, &get_number<std::int64_t>);
    table.put(87, &get_text);
    table.put(162, &get_list<float>);
    table.put(163, &get_list<std::int64_t>);
    table.put(
        217, +[](const KernelInfo* info, KernelInfo** copy) {
            return guarded([&]() -> Status* {
                *copy = new KernelInfo{info->facts};
                return nullptr;
            });
        });
    table.put(
        218, +[](KernelInfo* info) { delete info; });
    table.put(230, &get_count<&Facts::input_names>);
    table.put(231, &get_count<&Facts::output_names>);
    table.put(232, &get_name<&Facts::input_names>);
    table.put(233, &get_name<&Facts::output_names>);
    table.put(234, &get_type<&Facts::input_types>);
    table.put(235, &get_type<&Facts::output_types>);
    table.put(236, &get_tensor);
    table.put(
        244, +[](const KernelInfo* info, char* to, std::size_t* room) {
            return guarded([&] { return copy_text(info->facts->node.name, to, room); });
        });
    const auto get_logger = +[](const void* any, const void** logger) -> Status* {
        *logger = any;  // never looked into
        return nullptr;
    };
    table.put(245, get_logger);
    table.put(246, get_logger);
    table.put(247, &log_message);
    table.put(
        248, +[](const void*, int* severity) -> Status* {
            *severity = 2;
            return nullptr;
        });
    table.put(249, &get_constant);
    table.put(
        278, +[](const KernelInfo*, int, Allocator** allocator) -> Status* {
            *allocator = heap_allocator();
            return nullptr;
        });
}

}  // namespace lapidary::custom_ops
