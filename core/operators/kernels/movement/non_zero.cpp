// SPDX-License-Identifier: Apache-2.0
// NonZero of bool, u8, i32, i64 and float tensors: counted first, then written with the position
// kept along.
#include "kernels/elementwise/reference_kernels.h"

namespace lapidary {
namespace {

class NonZeroKernel final : public Kernel {
public:
    void run(KernelContext& context) const override {
        const Tensor& data = context.input(0);
        if (data.rank() < 1 || data.rank() > 8)
            return context.run_on_reference(reference::non_zero, fallback::rank);
        switch (data.dtype()) {
        case DType::boolean: return find<bool>(context, data);
        case DType::u8: return find<std::uint8_t>(context, data);
        case DType::i32: return find<std::int32_t>(context, data);
        case DType::i64: return find<std::int64_t>(context, data);
        case DType::f32: return find<float>(context, data);
        default: context.run_on_reference(reference::non_zero, fallback::element_type);
        }
    }

private:
    template <typename T>
    static void find(KernelContext& context, const Tensor& data) {
        const auto* in = static_cast<const T*>(data.raw());
        const std::int64_t size = data.size();
        std::int64_t count = 0;
        for (std::int64_t i = 0; i < size; ++i) count += in[i] != T{};
        const auto rank = static_cast<std::size_t>(data.rank());
        const Shape& dims = data.shape();
        auto* out = static_cast<std::int64_t*>(
            context.output(0, DType::i64, {data.rank(), count}).mutable_raw());
        if (count == 0) return;
        std::int64_t at[8] = {};
        const std::int64_t width = dims[rank - 1];
        std::int64_t found = 0;
        for (std::int64_t row = 0; row < size; row += width) {
            for (std::int64_t i = 0; i < width; ++i) {
                if (in[row + i] == T{}) continue;
                for (std::size_t d = 0; d + 1 < rank; ++d)
                    out[static_cast<std::int64_t>(d) * count + found] = at[d];
                out[static_cast<std::int64_t>(rank - 1) * count + found++] = i;
            }
            for (std::size_t d = rank - 1; d-- > 0;) {
                if (++at[d] < dims[d]) break;
                at[d] = 0;
            }
        }
    }
};

}  // namespace

std::unique_ptr<Kernel> make_non_zero(const KernelRequest& request, std::string& reason) {
    const DType dtype = request.input_type(0).dtype;
    if (dtype != DType::undefined && dtype != DType::boolean && dtype != DType::u8 &&
        dtype != DType::i32 && dtype != DType::i64 && dtype != DType::f32) {
        reason =
            "element type " + std::string(name_of(dtype)) + " is served by the reference kernel";
        return nullptr;
    }
    return std::make_unique<NonZeroKernel>();
}

}  // namespace lapidary
