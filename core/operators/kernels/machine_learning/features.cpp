// SPDX-License-Identifier: Apache-2.0
// Imputer and Scaler with attributes that are read once: models of tables have one of them per
// column.
#include <cmath>

#include "kernels/kernel.h"

namespace lapidary {

namespace reference {
void imputer(KernelContext&);
void scaler(KernelContext&);
}  // namespace reference

namespace {

std::int64_t width_of(const Tensor& x) { return x.rank() == 0 ? 1 : x.shape().back(); }

bool fits(std::size_t count, std::int64_t width) {
    return count == 1 || count == static_cast<std::size_t>(width);
}

class ImputerKernel final : public Kernel {
public:
    explicit ImputerKernel(const Node& node)
        : floats_(node.floats_attribute("imputed_value_floats")),
          integers_(node.ints_attribute("imputed_value_int64s")),
          replaced_float_(node.float_attribute("replaced_value_float", 0)),
          replaced_integer_(node.int_attribute("replaced_value_int64", 0)) {}

    void run(KernelContext& context) const override {
        const Tensor& x = context.input(0);
        if (x.dtype() == DType::f32 && fits(floats_.size(), width_of(x)))
            impute(context, x, floats_, replaced_float_);
        else if (x.dtype() == DType::i64 && fits(integers_.size(), width_of(x)))
            impute(context, x, integers_, replaced_integer_);
        else
            context.run_on_reference(reference::imputer,
                                     "type or width of the input is not that of imputed_value");
    }
    StorageSharing sharing() const override { return {StorageSharing::overwrite, 1}; }

private:
    template <typename T>
    static void impute(KernelContext& context, const Tensor& x, const std::vector<T>& values,
                       T replaced) {
        const auto* from = static_cast<const T*>(x.raw());
        const std::int64_t count = x.size(), width = values.size() == 1 ? 1 : width_of(x);
        auto* to = static_cast<T*>(context.output(0, x.dtype(), x.shape()).mutable_raw());
        const bool nan = replaced != replaced;
        for (std::int64_t i = 0; i < count; ++i) {
            const bool matches = from[i] == replaced || (nan && from[i] != from[i]);
            to[i] =
                matches ? values[static_cast<std::size_t>(width == 1 ? 0 : i % width)] : from[i];
        }
    }

    std::vector<float> floats_;
    std::vector<std::int64_t> integers_;
    float replaced_float_;
    std::int64_t replaced_integer_;
};

class ScalerKernel final : public Kernel {
public:
    explicit ScalerKernel(const Node& node)
        : offset_(node.floats_attribute("offset")), scale_(node.floats_attribute("scale")) {
        if (offset_.empty()) offset_ = {0};
        if (scale_.empty()) scale_ = {1};
    }

    void run(KernelContext& context) const override {
        const Tensor& x = context.input(0);
        const std::int64_t width = width_of(x);
        if (!fits(offset_.size(), width) || !fits(scale_.size(), width))
            return context.run_on_reference(reference::scaler, fallback::parameter_sizes);
        switch (x.dtype()) {
        case DType::f32: return scale<float>(context, x, width);
        case DType::i64: return scale<std::int64_t>(context, x, width);
        case DType::i32: return scale<std::int32_t>(context, x, width);
        default: context.run_on_reference(reference::scaler, fallback::element_type);
        }
    }

private:
    template <typename T>
    void scale(KernelContext& context, const Tensor& x, std::int64_t width) const {
        const auto* from = static_cast<const T*>(x.raw());
        const std::int64_t count = x.size();
        auto* to = static_cast<float*>(context.output(0, DType::f32, x.shape()).mutable_raw());
        std::size_t feature = 0;
        for (std::int64_t i = 0; i < count; ++i) {
            to[i] = (static_cast<float>(from[i]) - offset_[offset_.size() == 1 ? 0 : feature]) *
                    scale_[scale_.size() == 1 ? 0 : feature];
            if (++feature == static_cast<std::size_t>(width)) feature = 0;
        }
    }

    std::vector<float> offset_, scale_;
};

}  // namespace

std::unique_ptr<Kernel> make_imputer(const KernelRequest& request, std::string&) {
    return std::make_unique<ImputerKernel>(request.node);
}
std::unique_ptr<Kernel> make_scaler(const KernelRequest& request, std::string&) {
    return std::make_unique<ScalerKernel>(request.node);
}

}  // namespace lapidary
