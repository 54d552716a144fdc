// SPDX-License-Identifier: Apache-2.0
// Cast and CastLike between the common element types; the others, and text, by the reference
// kernel. Floating-point values out of an integer type's range become its nearest end, NaN becomes
// 0.
#include <cstring>
#include <limits>
#include <type_traits>

#include "kernels/dispatch.h"
#include "kernels/elementwise/broadcast_walk.h"
#include "kernels/elementwise/reference_kernels.h"
#include "kernels/vector/elementwise/elementwise.h"

namespace lapidary {
namespace {

using ConvertFunction = void (*)(const void* from, void* to, std::int64_t count);

template <typename From, typename To>
To convert_one(From value) {
    if constexpr (std::is_same_v<To, bool>) return value != From(0);
    else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
        constexpr From lowest = static_cast<From>(std::numeric_limits<To>::min()),
                       highest = static_cast<From>(std::numeric_limits<To>::max());
        if (value >= highest) return std::numeric_limits<To>::max();
        if (value > lowest) return static_cast<To>(value);
        return value != value ? To(0) : std::numeric_limits<To>::min();
    } else return static_cast<To>(value);
}

template <typename From, typename To>
void convert(const void* from, void* to, std::int64_t count) {
    const From* in = static_cast<const From*>(from);
    To* out = static_cast<To*>(to);
    if constexpr (std::is_same_v<From, To>)
        std::memcpy(out, in, static_cast<std::size_t>(count) * sizeof(From));
    else
        for (std::int64_t i = 0; i < count; ++i) out[i] = convert_one<From, To>(in[i]);
}

template <typename Body>
bool with_common_type(DType dtype, const Body& body) {
    switch (dtype) {
    case DType::f32: body.template operator()<float>(); return true;
    case DType::f64: body.template operator()<double>(); return true;
    case DType::i32: body.template operator()<std::int32_t>(); return true;
    case DType::i64: body.template operator()<std::int64_t>(); return true;
    case DType::u8: body.template operator()<std::uint8_t>(); return true;
    case DType::i8: body.template operator()<std::int8_t>(); return true;
    case DType::boolean: body.template operator()<bool>(); return true;
    default: return false;
    }
}

ConvertFunction conversion(DType from, DType to) {
    ConvertFunction function = nullptr;
    if (from == DType::f16 && to == DType::f32)
        return [](const void* x, void* y, std::int64_t n) {
            elementwise_kernels().widen_half(static_cast<const std::uint16_t*>(x),
                                             static_cast<float*>(y), n);
        };
    if (from == DType::f32 && to == DType::f16)
        return [](const void* x, void* y, std::int64_t n) {
            elementwise_kernels().narrow_half(static_cast<const float*>(x),
                                              static_cast<std::uint16_t*>(y), n);
        };
    with_common_type(from, [&]<typename From>() {
        with_common_type(to, [&]<typename To>() { function = &convert<From, To>; });
    });
    return function;
}

class CastKernel final : public Kernel {
public:
    /// `to` undefined: the type of input 1.
    CastKernel(DType known, DType to) : known_(known), to_(to), function_(conversion(known, to)) {}

    void run(KernelContext& context) const override {
        const Tensor& x = context.input(0);
        const DType to = to_ == DType::undefined ? context.input(1).dtype() : to_;
        const ConvertFunction function =
            x.dtype() == known_ && to == to_ ? function_ : conversion(x.dtype(), to);
        if (!function)
            return context.run_on_reference(
                to_ == DType::undefined ? reference::cast_like : reference::cast,
                "there is no fast loop for this pair of element types");
        Tensor& y = context.output(0, to, x.shape());
        if (y.raw() == x.raw() && x.dtype() == to) return;
        const auto* in = static_cast<const std::byte*>(x.raw());
        auto* out = static_cast<std::byte*>(y.mutable_raw());
        const auto in_width = static_cast<std::int64_t>(bit_width(x.dtype()) / 8),
                   out_width = static_cast<std::int64_t>(bit_width(to) / 8);
        for_elements(context, x.size(), cheap_grain, [&](std::int64_t begin, std::int64_t end) {
            function(in + begin * in_width, out + begin * out_width, end - begin);
        });
    }

    StorageSharing sharing() const override {
        if (known_ == DType::undefined || to_ == DType::undefined ||
            bit_width(known_) != bit_width(to_))
            return {};
        return known_ == to_ ? StorageSharing{StorageSharing::view, 0}
                             : StorageSharing{StorageSharing::overwrite, 1};
    }

private:
    DType known_, to_;
    ConvertFunction function_;
};

}  // namespace

std::unique_ptr<Kernel> make_cast(const KernelRequest& request, std::string& reason) {
    const Node& node = request.node;
    const DType from = request.input_type(0).dtype;
    DType to = DType::undefined;
    if (node.op_type == "Cast") {
        const std::int64_t number = node.version < 6 ? 0 : node.int_attribute("to", 0);
        if (!is_known_dtype(number)) {
            reason = "attribute to is no element type number";
            return nullptr;
        }
        to = static_cast<DType>(number);
    }
    if (from != DType::undefined && to != DType::undefined && !conversion(from, to)) {
        reason = "the conversion from " + std::string(name_of(from)) + " to " +
                 std::string(name_of(to)) + " is served by the reference kernel";
        return nullptr;
    }
    return std::make_unique<CastKernel>(from, to);
}

}  // namespace lapidary
