// SPDX-License-Identifier: Apache-2.0
#include "node_view.h"

#include <algorithm>
#include <cstring>

#include <lapidary/tensor/float16.h>

#include "device_error.h"

namespace lapidary::cuda {

std::int64_t bytes_of(std::int32_t type) {
    switch (type) {
    case u8:
    case i8:
    case boolean: return 1;
    case u16:
    case i16:
    case f16:
    case bf16: return 2;
    case f32:
    case i32:
    case u32: return 4;
    case f64:
    case i64:
    case u64: return 8;
    default: return 0;
    }
}

std::string type_name(std::int32_t type) {
    static constexpr const char* names[] = {"unknown", "f32", "u8",     "i8",   "u16", "i16",
                                            "i32",     "i64", "string", "bool", "f16", "f64",
                                            "u32",     "u64", "c64",    "c128", "bf16"};
    return type >= 0 && type <= bf16 ? names[type] : "type " + std::to_string(type);
}

bool is_float(std::int32_t type) { return type == f32 || type == f16 || type == bf16; }

bool is_integer(std::int32_t type) {
    return type == u8 || type == i8 || type == u16 || type == i16 || type == i32 || type == i64 ||
           type == u32;
}

std::int64_t product_of(std::int64_t a, std::int64_t b) {
    std::int64_t product = 0;
    if (!__builtin_mul_overflow(a, b, &product)) return product;
    throw DeviceError(LP_INVALID, "sizes of " + std::to_string(a) + " and " + std::to_string(b) +
                                      " have no product");
}

std::int64_t sum_of(std::int64_t a, std::int64_t b) {
    std::int64_t sum = 0;
    if (!__builtin_add_overflow(a, b, &sum)) return sum;
    throw DeviceError(
        LP_INVALID, "sizes of " + std::to_string(a) + " and " + std::to_string(b) + " have no sum");
}

std::int64_t count_of(const Dims& dims) {
    if (std::ranges::find(dims, 0) != dims.end()) return 0;
    std::int64_t count = 1;
    for (std::int64_t d : dims) count = product_of(count, d);
    return count;
}

std::string text_of(const Dims& dims) {
    std::string text = "[";
    for (std::int64_t d : dims)
        text += (text.size() > 1 ? "," : "") + (d < 0 ? "?" : std::to_string(d));
    return text + "]";
}

namespace {

std::optional<Dims> dims_of(const LpValue& value) {
    if (value.rank < 0) return std::nullopt;
    return Dims(value.dims, value.dims + value.rank);
}

template <typename T>
T element(const void* data, std::int64_t i) {
    T value;
    std::memcpy(&value, static_cast<const char*>(data) + i * static_cast<std::int64_t>(sizeof(T)),
                sizeof(T));
    return value;
}

}  // namespace

std::optional<Dims> NodeView::dims(std::size_t i) const {
    return has_input(i) ? dims_of(*lp_input(&node_, index(i))) : std::nullopt;
}

std::optional<Dims> NodeView::output_dims(std::size_t i) const {
    return has_output(i) ? dims_of(*lp_output(&node_, index(i))) : std::nullopt;
}

std::optional<Dims> NodeView::constant_ints(std::size_t i) const {
    const auto shape = dims(i);
    if (!is_constant(i) || !shape) return std::nullopt;
    return integers_of(input_type(i), constant(i), count_of(*shape));
}

std::optional<double> NodeView::constant_number(std::size_t i) const {
    const auto shape = dims(i);
    if (!is_constant(i) || !shape || count_of(*shape) != 1) return std::nullopt;
    return number_of(input_type(i), constant(i));
}

const LpAttribute* NodeView::find(std::string_view name) const {
    for (std::uint32_t i = 0; i < node_.attribute_count; ++i)
        if (const LpAttribute* a = lp_attribute(&node_, i); name == a->name) return a;
    return nullptr;
}

std::int64_t NodeView::integer(std::string_view name, std::int64_t fallback) const {
    const LpAttribute* a = find(name);
    return a && a->kind == LP_ATTRIBUTE_INT ? a->i : fallback;
}

float NodeView::real(std::string_view name, float fallback) const {
    const LpAttribute* a = find(name);
    return a && a->kind == LP_ATTRIBUTE_FLOAT ? a->f : fallback;
}

std::string NodeView::text(std::string_view name, std::string_view fallback) const {
    const LpAttribute* a = find(name);
    return a && a->kind == LP_ATTRIBUTE_STRING ? std::string(a->string, a->count)
                                               : std::string(fallback);
}

Dims NodeView::integers(std::string_view name) const {
    const LpAttribute* a = find(name);
    return a && a->kind == LP_ATTRIBUTE_INTS ? Dims(a->ints, a->ints + a->count) : Dims();
}

std::vector<float> NodeView::reals(std::string_view name) const {
    const LpAttribute* a = find(name);
    return a && a->kind == LP_ATTRIBUTE_FLOATS ? std::vector<float>(a->floats, a->floats + a->count)
                                               : std::vector<float>();
}

std::vector<std::string> NodeView::texts(std::string_view name) const {
    const LpAttribute* a = find(name);
    if (!a || a->kind != LP_ATTRIBUTE_STRINGS) return {};
    return {a->strings, a->strings + a->count};
}

const LpTensor* NodeView::tensor(std::string_view name) const {
    const LpAttribute* a = find(name);
    return a && a->kind == LP_ATTRIBUTE_TENSOR ? a->tensor : nullptr;
}

Dims integers_of(std::int32_t type, const void* data, std::int64_t count) {
    Dims values;
    for (std::int64_t i = 0; i < count; ++i) switch (type) {
        case i64: values.push_back(element<std::int64_t>(data, i)); break;
        case i32: values.push_back(element<std::int32_t>(data, i)); break;
        case i8: values.push_back(element<std::int8_t>(data, i)); break;
        case u8:
        case boolean: values.push_back(element<std::uint8_t>(data, i)); break;
        default: throw Refusal("an input that must be whole numbers is of " + type_name(type));
        }
    return values;
}

double number_of(std::int32_t type, const void* data) {
    switch (type) {
    case f32: return static_cast<double>(element<float>(data, 0));
    case f64: return element<double>(data, 0);
    case f16: return static_cast<double>(half_bits_to_float(element<std::uint16_t>(data, 0)));
    case bf16: return static_cast<double>(static_cast<float>(element<BFloat16>(data, 0)));
    default: return static_cast<double>(integers_of(type, data, 1)[0]);
    }
}

}  // namespace lapidary::cuda
