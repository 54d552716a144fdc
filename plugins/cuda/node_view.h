// SPDX-License-Identifier: Apache-2.0
// Read access to a node of the plugin interface, for the makers of kernels.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plugin_abi.h"

namespace lapidary::cuda {

/// Element types as ONNX numbers them.
enum Type : std::int32_t {
    no_type = 0,
    f32 = 1,
    u8 = 2,
    i8 = 3,
    u16 = 4,
    i16 = 5,
    i32 = 6,
    i64 = 7,
    boolean = 9,
    f16 = 10,
    f64 = 11,
    u32 = 12,
    u64 = 13,
    bf16 = 16,
};
/// Bytes of one element; 0: the size is not fixed or not supported.
std::int64_t bytes_of(std::int32_t type);
std::string type_name(std::int32_t type);
bool is_float(std::int32_t type);  // f32, f16, bf16
bool is_integer(std::int32_t type);

using Dims = std::vector<std::int64_t>;
/// The number of elements. Throws DeviceError where it exceeds 63 bits.
std::int64_t count_of(const Dims& dims);
/// The product of two numbers; throws likewise.
std::int64_t product_of(std::int64_t a, std::int64_t b);
std::int64_t sum_of(std::int64_t a, std::int64_t b);
/// "[2,3]"; -1 is "?".
std::string text_of(const Dims& dims);

class NodeView {
public:
    explicit NodeView(const LpNode& node) : node_(node) {}
    std::string_view op() const { return node_.op; }
    std::string_view domain() const { return node_.domain; }
    std::int64_t version() const { return node_.version; }
    std::string name() const { return node_.name && *node_.name ? node_.name : node_.op; }

    std::size_t input_count() const { return node_.input_count; }
    std::size_t output_count() const { return node_.output_count; }
    bool has_input(std::size_t i) const {
        return i < node_.input_count && lp_input(&node_, index(i))->name;
    }
    bool has_output(std::size_t i) const {
        return i < node_.output_count && lp_output(&node_, index(i))->name;
    }
    std::int32_t input_type(std::size_t i) const {
        return has_input(i) ? lp_input(&node_, index(i))->type : no_type;
    }
    std::int32_t output_type(std::size_t i) const {
        return has_output(i) ? lp_output(&node_, index(i))->type : no_type;
    }
    /// -1: not known.
    std::int32_t rank(std::size_t i) const {
        return has_input(i) ? lp_input(&node_, index(i))->rank : -1;
    }
    /// -1 for a dimension that is not known; empty where the rank is not known.
    std::optional<Dims> dims(std::size_t i) const;
    std::optional<Dims> output_dims(std::size_t i) const;
    bool is_constant(std::size_t i) const {
        return has_input(i) && lp_input(&node_, index(i))->constant;
    }
    const void* constant(std::size_t i) const { return lp_input(&node_, index(i))->constant; }
    /// The integers of a constant of type i32 or i64; empty where the input is not such a constant.
    std::optional<Dims> constant_ints(std::size_t i) const;
    /// A constant of one element of any float or integer type.
    std::optional<double> constant_number(std::size_t i) const;

    bool has(std::string_view name) const { return find(name) != nullptr; }
    std::int64_t integer(std::string_view name, std::int64_t fallback) const;
    float real(std::string_view name, float fallback) const;
    std::string text(std::string_view name, std::string_view fallback) const;
    Dims integers(std::string_view name) const;  // empty where there is none
    std::vector<float> reals(std::string_view name) const;
    std::vector<std::string> texts(std::string_view name) const;
    const LpTensor* tensor(std::string_view name) const;

private:
    static std::uint32_t index(std::size_t i) { return static_cast<std::uint32_t>(i); }
    const LpAttribute* find(std::string_view name) const;

    const LpNode& node_;
};

/// The numbers of a host array: integers (i32, i64, u8, i8, bool), or floats.
Dims integers_of(std::int32_t type, const void* data, std::int64_t count);
double number_of(std::int32_t type, const void* data);

}  // namespace lapidary::cuda
