// SPDX-License-Identifier: Apache-2.0
#include "kernels/integer/quantized_product_roles.h"

#include "kernels/integer/byte_product.h"
#include "kernels/integer/quantization_input.h"

namespace lapidary {
namespace {

using Roles = QuantizedProductRoles;

std::size_t input(int role) { return static_cast<std::size_t>(role); }

/// Element types and layouts of A and B; `columns`: of B, -1 where not known.
std::string why_not_operands(const KernelRequest& request, const Roles& roles,
                             std::int64_t& columns) {
    const DType a = request.input_type(input(roles.a)).dtype,
                b = request.input_type(input(roles.b)).dtype;
    if (roles.quantizes_a ? a != DType::f32 : !is_byte(a))
        return a == DType::undefined ? "the element type of A is not known"
                                     : "A is " + std::string(name_of(a)) + ", this kernel takes " +
                                           (roles.quantizes_a ? "f32" : "u8 and i8");
    if (!is_byte(b))
        return b == DType::undefined
                   ? "the element type of B is not known"
                   : "B is " + std::string(name_of(b)) + ", this kernel takes u8 and i8";
    if (request.node.int_attribute("transA", 0) != 0) return "the left operand is transposed";
    const Tensor* weight = request.constant(input(roles.b));
    const Type& b_type = request.input_type(input(roles.b));
    if (!weight && !b_type.has_shape()) return "the rank of B is not known";
    const std::size_t b_rank = weight ? weight->shape().size() : b_type.shape->size();
    if (b_rank < 2) return "B is a vector";
    const bool transposes = request.node.int_attribute("transB", 0) != 0;
    const auto dim = [&](std::size_t axis) {
        return weight ? weight->dim(axis) : (*b_type.shape)[axis].value();
    };
    const std::int64_t inner = dim(b_rank - (transposes ? 1 : 2));
    columns = dim(b_rank - (transposes ? 2 : 1));
    if (roles.b_scale != Roles::none && inner > most_byte_products)
        return "sums of " + std::to_string(inner) + " products may leave 32 bits";
    return {};
}

std::string why_not_types(const KernelRequest& request, const Roles& roles) {
    const struct {
        int role;
        DType type;
        const char* name;
    } types[] = {{roles.a_scale, DType::f32, "the scale of A"},
                 {roles.b_scale, DType::f32, "the scale of B"},
                 {roles.y_scale, DType::f32, "the scale of the result"},
                 {roles.bias, DType::f32, "the bias"},
                 {roles.sum_bias, DType::i32, "C"},
                 {roles.residual, DType::f32, "the residual"}};
    for (const auto& t : types)
        if (t.role != Roles::none)
            if (std::string reason = why_not_type(request, input(t.role), t.type, t.name);
                !reason.empty())
                return reason;
    return {};
}

/// Checks inputs that must be one number.
std::string why_not_singles(const KernelRequest& request, const Roles& roles, bool& is_certain) {
    const struct {
        int role;
        const char* name;
    } singles[] = {{roles.a_scale, "the scale of A"},
                   {roles.a_zero, "the zero point of A"},
                   {roles.y_scale, "the scale of the result"},
                   {roles.y_zero, "the zero point of the result"}};
    for (const auto& s : singles)
        if (s.role != Roles::none) {
            if (known_size(request, input(s.role)) < 0) is_certain = false;
            else if (std::string reason = why_not_one(request, input(s.role), s.name);
                     !reason.empty())
                return reason;
        }
    return {};
}

/// Checks inputs that must be one number, or one per column.
std::string why_not_columns(const KernelRequest& request, const Roles& roles, std::int64_t columns,
                            bool& is_certain) {
    const struct {
        int role;
        const char* name;
    } per_column[] = {{roles.b_scale, "the scale of B"},
                      {roles.b_zero, "the zero point of B"},
                      {roles.bias, "the bias"},
                      {roles.sum_bias, "C"}};
    for (const auto& c : per_column) {
        if (c.role == Roles::none || !request.has_input(input(c.role))) continue;
        const std::int64_t size = known_size(request, input(c.role));
        if (size == 1) continue;
        if (size < 0 || columns < 0) {
            is_certain = false;
            continue;
        }
        const Type& type = request.input_type(input(c.role));
        const Tensor* value = request.constant(input(c.role));
        if (size != columns ||
            (value ? value->shape().back() : type.static_shape().back()) != columns)
            return std::string(c.name) + " is not one per column";
    }
    return {};
}

}  // namespace

std::string why_not_packed(const KernelRequest& request, const Roles& roles, bool& is_certain) {
    std::int64_t columns = -1;
    std::string reason = why_not_operands(request, roles, columns);
    if (reason.empty()) reason = why_not_types(request, roles);
    if (reason.empty()) reason = why_not_singles(request, roles, is_certain);
    if (reason.empty()) reason = why_not_columns(request, roles, columns, is_certain);
    if (!reason.empty()) return reason;
    if (roles.y_zero != Roles::none && request.has_input(input(roles.y_zero)) &&
        !is_byte(request.input_type(input(roles.y_zero)).dtype))
        return "the result has not 8 bits";
    return {};
}

}  // namespace lapidary
