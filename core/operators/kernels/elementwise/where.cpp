// SPDX-License-Identifier: Apache-2.0
// Where for elements of 1, 2, 4 and 8 bytes, and Not.
#include "kernels/elementwise/broadcast_walk.h"
#include "kernels/elementwise/reference_kernels.h"
#include "ops/geometry/broadcast.h"

namespace lapidary {
namespace {

using WhereWalk = BroadcastWalk<3>;

template <typename T>
void choose_row(const bool* c, std::int64_t c_step, const T* x, std::int64_t x_step, const T* z,
                std::int64_t z_step, T* y, std::int64_t count) {
    if (c_step == 0) {
        const T* from = *c ? x : z;
        const std::int64_t step = *c ? x_step : z_step;
        for (std::int64_t i = 0; i < count; ++i) y[i] = from[i * step];
        return;
    }
    // Both sides are read, so that the choice is no branch.
    const auto choose = [&](auto at_x, auto at_z) {
        for (std::int64_t i = 0; i < count; ++i) {
            const T p = at_x(i), q = at_z(i);
            y[i] = c[i] ? p : q;
        }
    };
    const T first_x = *x, first_z = *z;
    if (x_step && z_step)
        choose([&](std::int64_t i) { return x[i]; }, [&](std::int64_t i) { return z[i]; });
    else if (x_step)
        choose([&](std::int64_t i) { return x[i]; }, [&](std::int64_t) { return first_z; });
    else if (z_step)
        choose([&](std::int64_t) { return first_x; }, [&](std::int64_t i) { return z[i]; });
    else choose([&](std::int64_t) { return first_x; }, [&](std::int64_t) { return first_z; });
}

class WhereKernel final : public Kernel {
public:
    void run(KernelContext& context) const override {
        const Tensor& condition = context.input(0);
        const Tensor& x = context.input(1);
        const Tensor& z = context.input(2);
        if (condition.dtype() != DType::boolean || x.dtype() != z.dtype())
            return context.run_on_reference(reference::where, fallback::unlike_types);
        if (x.dtype() == DType::string)
            return context.run_on_reference(reference::where, fallback::element_type);
        const Shape shape =
            broadcast_shapes(broadcast_shapes(condition.shape(), x.shape()), z.shape());
        WhereWalk walk;
        if (!walk.resolve(shape, {&condition.shape(), &x.shape(), &z.shape()}))
            return context.run_on_reference(reference::where, fallback::rank);
        switch (bit_width(x.dtype())) {
        case 8: return choose<std::uint8_t>(context, walk, condition, x, z, shape);
        case 16: return choose<std::uint16_t>(context, walk, condition, x, z, shape);
        case 32: return choose<std::uint32_t>(context, walk, condition, x, z, shape);
        case 64: return choose<std::uint64_t>(context, walk, condition, x, z, shape);
        default: return context.run_on_reference(reference::where, fallback::element_type);
        }
    }
    StorageSharing sharing() const override { return {StorageSharing::overwrite, 6}; }

private:
    template <typename T>
    static void choose(KernelContext& context, const WhereWalk& walk, const Tensor& condition,
                       const Tensor& x, const Tensor& z, const Shape& shape) {
        Tensor& y = context.output(0, x.dtype(), shape);
        const bool* c = static_cast<const bool*>(condition.raw());
        const T* p = static_cast<const T*>(x.raw());
        const T* q = static_cast<const T*>(z.raw());
        T* out = static_cast<T*>(y.mutable_raw());
        for_elements(context, y.size(), cheap_grain, [&](std::int64_t begin, std::int64_t end) {
            walk.rows(begin, end, [&](const WhereWalk::Row& row) {
                choose_row(c + row.offsets[0], walk.stride(0, 0), p + row.offsets[1],
                           walk.stride(0, 1), q + row.offsets[2], walk.stride(0, 2),
                           out + row.output, row.count);
            });
        });
    }
};

class NotKernel final : public Kernel {
public:
    void run(KernelContext& context) const override {
        const Tensor& x = context.input(0);
        if (x.dtype() != DType::boolean)
            return context.run_on_reference(reference::logical_not, fallback::element_type);
        Tensor& y = context.output(0, DType::boolean, x.shape());
        const bool* in = static_cast<const bool*>(x.raw());
        bool* out = static_cast<bool*>(y.mutable_raw());
        for_elements(context, x.size(), cheap_grain, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t i = begin; i < end; ++i) out[i] = !in[i];
        });
    }
    StorageSharing sharing() const override { return {StorageSharing::overwrite, 1}; }
};

}  // namespace

std::unique_ptr<Kernel> make_where(const KernelRequest& request, std::string& reason) {
    const DType dtype = request.input_type(1).dtype;
    const std::size_t bits = dtype == DType::undefined ? 32 : bit_width(dtype);
    if (dtype == DType::string || bits < 8 || bits > 64) {
        reason =
            "element type " + std::string(name_of(dtype)) + " is served by the reference kernel";
        return nullptr;
    }
    return std::make_unique<WhereKernel>();
}

std::unique_ptr<Kernel> make_not(const KernelRequest&, std::string&) {
    return std::make_unique<NotKernel>();
}

}  // namespace lapidary
