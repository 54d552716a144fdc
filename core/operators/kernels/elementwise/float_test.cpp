// SPDX-License-Identifier: Apache-2.0
// IsNaN and IsInf of float tensors; other types by the reference kernels.
#include "kernels/elementwise/broadcast_walk.h"
#include "kernels/elementwise/reference_kernels.h"
#include "kernels/float_inputs.h"
#include "kernels/vector/elementwise/elementwise.h"

namespace lapidary {
namespace {

class FloatTestKernel final : public Kernel {
public:
    explicit FloatTestKernel(const Node& node)
        : for_nan_(node.op_type == "IsNaN"),
          positive_(node.int_attribute("detect_positive", 1) != 0),
          negative_(node.int_attribute("detect_negative", 1) != 0), table_(elementwise_kernels()) {}

    void run(KernelContext& context) const override {
        const Tensor& x = context.input(0);
        if (x.dtype() != DType::f32)
            return context.run_on_reference(for_nan_ ? reference::is_nan : reference::is_inf,
                                            fallback::element_type);
        const auto* from = static_cast<const float*>(x.raw());
        auto* to =
            static_cast<std::uint8_t*>(context.output(0, DType::boolean, x.shape()).mutable_raw());
        for_elements(context, x.size(), cheap_grain, [&](std::int64_t begin, std::int64_t end) {
            if (for_nan_) table_.is_nan(from + begin, to + begin, end - begin);
            else table_.is_inf(from + begin, to + begin, end - begin, positive_, negative_);
        });
    }

private:
    bool for_nan_, positive_, negative_;
    const ElementwiseKernels& table_;
};

}  // namespace

std::unique_ptr<Kernel> make_float_test(const KernelRequest& request, std::string& reason) {
    return takes_floats(request, {0}, reason) ? std::make_unique<FloatTestKernel>(request.node)
                                              : nullptr;
}

}  // namespace lapidary
