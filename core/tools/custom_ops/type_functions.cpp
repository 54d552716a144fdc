// SPDX-License-Identifier: Apache-2.0
// Element types and shapes.
#include <algorithm>

#include "custom_ops/api_table.h"

namespace lapidary::custom_ops {
namespace {

constexpr int tensor_kind = 1, unknown_kind = 0;  // of ONNXType

Status* set_dims(TypeAndShape* info, const std::int64_t* dims, std::size_t count) {
    return guarded([&]() -> Status* {
        info->dims.assign(dims, dims + count);
        info->symbols.assign(count, {});
        info->has_shape = true;
        return nullptr;
    });
}

Status* set_symbols(TypeAndShape* info, const char** names, std::size_t count) {
    return guarded([&]() -> Status* {
        info->symbols.assign(info->dims.size(), {});
        for (std::size_t i = 0; i < std::min(count, info->dims.size()); ++i)
            if (names[i]) info->symbols[i] = names[i];
        return nullptr;
    });
}

Status* get_dims(const TypeAndShape* info, std::int64_t* to, std::size_t count) {
    for (std::size_t i = 0; i < std::min(count, info->dims.size()); ++i) to[i] = info->dims[i];
    return nullptr;
}

Status* get_symbols(const TypeAndShape* info, const char** to, std::size_t count) {
    for (std::size_t i = 0; i < std::min(count, info->dims.size()); ++i)
        to[i] = i < info->symbols.size() ? info->symbols[i].c_str() : "";
    return nullptr;
}

}  // namespace

TypeAndShape type_and_shape(const Tensor& tensor) {
    TypeAndShape info{static_cast<int>(tensor.dtype()), tensor.shape(), {}};
    info.symbols.resize(info.dims.size());
    return info;
}

TypeAndShape type_and_shape(const Type& type) {
    TypeAndShape info;
    info.has_shape = false;
    if (!type.is_tensor()) return info;
    info.element_type = static_cast<int>(type.dtype);
    if (!type.shape) return info;
    info.has_shape = true;
    for (const Dim& dim : *type.shape) {
        info.dims.push_back(dim.value());
        info.symbols.push_back(dim.symbol());
    }
    return info;
}

void put_type_functions(ApiTable& table) {
    table.put(
        55, +[](const TypeInfo* info, const TypeAndShape** tensor) -> Status* {
            *tensor = info->tensor.element_type == 0 ? nullptr : &info->tensor;
            return nullptr;
        });
    table.put(
        56, +[](const TypeInfo* info, int* kind) -> Status* {
            *kind = info->tensor.element_type == 0 ? unknown_kind : tensor_kind;
            return nullptr;
        });
    table.put(
        57, +[](TypeAndShape** info) {
            return guarded([&]() -> Status* {
                *info = new TypeAndShape;
                return nullptr;
            });
        });
    table.put(
        58, +[](TypeAndShape* info, int type) -> Status* {
            info->element_type = type;
            return nullptr;
        });
    table.put(59, &set_dims);
    table.put(
        60, +[](const TypeAndShape* info, int* type) -> Status* {
            *type = info->element_type;
            return nullptr;
        });
    table.put(
        61, +[](const TypeAndShape* info, std::size_t* rank) -> Status* {
            *rank = info->dims.size();
            return nullptr;
        });
    table.put(62, &get_dims);
    table.put(63, &get_symbols);
    table.put(
        98, +[](TypeInfo* info) { delete info; });
    table.put(
        99, +[](TypeAndShape* info) { delete info; });
    table.put(271, &set_symbols);
}

}  // namespace lapidary::custom_ops
