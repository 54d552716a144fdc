// SPDX-License-Identifier: Apache-2.0
// Expand, Tile and ConstantOfShape: elements repeated along axes.
#include "base/checked.h"
#include "kernels/elementwise/reference_kernels.h"
#include "kernels/movement/small_ints.h"
#include "kernels/movement/strided_copy.h"
#include "ops/geometry/broadcast.h"

namespace lapidary {
namespace {

class ExpandKernel final : public Kernel {
public:
    void run(KernelContext& context) const override {
        const Tensor& data = context.input(0);
        SmallInts target;
        std::int64_t strides[12];
        const auto leave = [&](FallbackReason why) {
            context.run_on_reference(reference::expand, why);
        };
        if (!is_plainly_copied(data.dtype())) return leave(fallback::element_type);
        if (!target.read(context.input(1))) return leave(fallback::list_input);
        if (!row_strides(data.shape(), strides)) return leave(fallback::rank);
        for (std::size_t i = 0; i < target.count; ++i)
            if (target[i] < 0) return leave("a size is negative");
        Shape shape =
            broadcast_shapes(data.shape(), Shape(target.values, target.values + target.count));
        StridedView view;
        const std::size_t lead = shape.size() - data.shape().size();
        for (std::size_t i = 0; i < shape.size(); ++i)
            view.add(shape[i], i < lead || data.shape()[i - lead] == 1 ? 0 : strides[i - lead]);
        Tensor& y = context.output(0, data.dtype(), std::move(shape));
        if (y.size() > 0 && y.raw() != data.raw())
            copy_strided(data.raw(), y.mutable_raw(), view, bit_width(data.dtype()) / 8, context);
    }
};

class TileKernel final : public Kernel {
public:
    void run(KernelContext& context) const override {
        const Tensor& data = context.input(0);
        SmallInts repeats;
        std::int64_t strides[12];
        const std::size_t rank = data.shape().size();
        const auto leave = [&](FallbackReason why) {
            context.run_on_reference(reference::tile, why);
        };
        if (!is_plainly_copied(data.dtype())) return leave(fallback::element_type);
        if (rank > 8 || !row_strides(data.shape(), strides)) return leave(fallback::rank);
        if (!repeats.read(context.input(1)) || repeats.count != rank)
            return leave(fallback::list_input);
        Shape shape = data.shape();
        StridedView view;
        for (std::size_t i = 0; i < rank; ++i) {
            const auto dim = repeats[i] < 0 ? std::nullopt : checked_multiply(shape[i], repeats[i]);
            if (!dim) return leave("a repeat is negative, or the result too large");
            view.add(repeats[i], 0);
            view.add(shape[i], strides[i]);
            shape[i] = *dim;
        }
        Tensor& y = context.output(0, data.dtype(), std::move(shape));
        if (y.size() > 0)
            copy_strided(data.raw(), y.mutable_raw(), view, bit_width(data.dtype()) / 8, context);
    }
};

class ConstantOfShapeKernel final : public Kernel {
public:
    explicit ConstantOfShapeKernel(Tensor value) : value_(std::move(value)) {}
    void run(KernelContext& context) const override {
        SmallInts dims;
        if (!dims.read(context.input(0)))
            return context.run_on_reference(reference::constant_of_shape, fallback::list_input);
        for (std::size_t i = 0; i < dims.count; ++i)
            if (dims[i] < 0)
                return context.run_on_reference(reference::constant_of_shape, "a size is negative");
        Tensor& y = context.output(0, value_.dtype(), Shape(dims.values, dims.values + dims.count));
        StridedView view;
        view.add(y.size(), 0);
        if (y.size() > 0)
            copy_strided(value_.raw(), y.mutable_raw(), view, bit_width(value_.dtype()) / 8,
                         context);
    }

private:
    Tensor value_;
};

bool declines_type(const KernelRequest& request, std::string& reason) {
    const DType dtype = request.input_type(0).dtype;
    if (dtype == DType::undefined || is_plainly_copied(dtype)) return false;
    reason = "element type " + std::string(name_of(dtype)) + " is served by the reference kernel";
    return true;
}

}  // namespace

std::unique_ptr<Kernel> make_expand(const KernelRequest& request, std::string& reason) {
    return declines_type(request, reason) ? nullptr : std::make_unique<ExpandKernel>();
}

std::unique_ptr<Kernel> make_tile(const KernelRequest& request, std::string& reason) {
    return declines_type(request, reason) ? nullptr : std::make_unique<TileKernel>();
}

std::unique_ptr<Kernel> make_constant_of_shape(const KernelRequest& request, std::string& reason) {
    const Tensor* value = request.node.tensor_attribute("value");
    if (value && (value->size() != 1 || !is_plainly_copied(value->dtype()))) {
        reason = "the value is no single number of 1 to 8 bytes";
        return nullptr;
    }
    return std::make_unique<ConstantOfShapeKernel>(value ? *value : Tensor::scalar(0.0f));
}

}  // namespace lapidary
