// SPDX-License-Identifier: Apache-2.0
#include "kernels/integer/conv_roles.h"

#include "kernels/integer/byte_product.h"
#include "kernels/integer/quantization_input.h"

namespace lapidary {
namespace {

constexpr int none = ConvRoles::none;

std::size_t input_of(int role) { return static_cast<std::size_t>(role); }

}  // namespace

std::string why_not_conv(const KernelRequest& request, const ConvRoles& roles) {
    const auto type_of = [&](int role) { return request.input_type(input_of(role)).dtype; };
    const DType x = type_of(roles.x);
    if (!is_byte(x))
        return x == DType::undefined
                   ? "the element type of x is not known"
                   : "x is " + std::string(name_of(x)) + ", this kernel takes u8 and i8";
    const Tensor* w = request.constant(input_of(roles.w));
    if (!w) return "the filters are computed at run time";
    if (!is_byte(w->dtype()))
        return "the filters are " + std::string(name_of(w->dtype())) +
               ", this kernel takes u8 and i8";
    if (w->rank() < 3 || w->rank() > 5)
        return "the filters have rank " + std::to_string(w->rank()) +
               ", this kernel takes 1 to 3 spatial axes";
    if (w->size() == 0) return "there are no filters";
    const std::int64_t groups = request.node.int_attribute("group", 1);
    if (groups < 1 || w->dim(0) % groups != 0)
        return "the filters do not divide into " + std::to_string(groups) + " groups";
    if (roles.w_scale != none && w->size() / w->dim(0) > most_byte_products)
        return "sums of " + std::to_string(w->size() / w->dim(0)) + " products may leave 32 bits";
    if (request.has_input(input_of(roles.w_zero))) {
        const Tensor* zero = request.constant(input_of(roles.w_zero));
        if (!zero) return "the zero point of the filters is computed at run time";
        if (zero->dtype() != w->dtype() || (zero->size() != 1 && zero->size() != w->dim(0)))
            return "the zero point of the filters is not one, or one per filter, of their type";
    }
    const struct {
        int role;
        DType type;
        const char* name;
    } types[] = {{roles.x_scale, DType::f32, "the scale of x"},
                 {roles.w_scale, DType::f32, "the scale of the filters"},
                 {roles.y_scale, DType::f32, "the scale of y"},
                 {roles.bias, DType::i32, "the bias"}};
    for (const auto& t : types)
        if (t.role != none)
            if (std::string reason = why_not_type(request, input_of(t.role), t.type, t.name);
                !reason.empty())
                return reason;
    const struct {
        int role;
        const char* name;
    } singles[] = {{roles.x_scale, "the scale of x"},
                   {roles.x_zero, "the zero point of x"},
                   {roles.y_scale, "the scale of y"},
                   {roles.y_zero, "the zero point of y"}};
    for (const auto& s : singles)
        if (s.role != none)
            if (std::string reason = why_not_one(request, input_of(s.role), s.name);
                !reason.empty())
                return reason;
    if (roles.y_zero != none && !is_byte(type_of(roles.y_zero))) return "the result has not 8 bits";
    return {};
}

}  // namespace lapidary
