// SPDX-License-Identifier: Apache-2.0
// Softmax and LogSoftmax (1, 11, 13) in float, along any axis.
#include "kernels/float_inputs.h"
#include "kernels/normalization/row_split.h"
#include "kernels/vector/normalization/softmax.h"

namespace lapidary {

namespace reference {
void softmax(KernelContext&);
void log_softmax(KernelContext&);
}  // namespace reference

namespace {

class Softmax final : public Kernel {
public:
    Softmax(const Node& node, bool log)
        : flattens_(node.version < 13 || !node.domain.empty()),
          axis_(node.int_attribute("axis", flattens_ ? 1 : -1)), log_(log),
          vector_(softmax_kernels()) {}

    StorageSharing sharing() const override { return {StorageSharing::overwrite, 1}; }

    void run(KernelContext& context) const override {
        const Tensor& x = context.input(0);
        const std::int64_t rank = x.rank(), axis = axis_ < 0 ? axis_ + rank : axis_;
        if (const FallbackReason why = axis < 0 || axis >= rank  ? fallback::axis_outside
                                       : x.size() == 0           ? fallback::no_elements
                                       : x.dtype() != DType::f32 ? fallback::element_type
                                                                 : fallback::none)
            return context.run_on_reference(log_ ? reference::log_softmax : reference::softmax,
                                            why);
        std::int64_t outer = 1, length = x.dim(static_cast<std::size_t>(axis)), inner = 1;
        for (std::int64_t i = 0; i < axis; ++i) outer *= x.dim(static_cast<std::size_t>(i));
        for (std::int64_t i = axis + 1; i < rank; ++i) inner *= x.dim(static_cast<std::size_t>(i));
        if (flattens_) {
            length *= inner;
            inner = 1;
        }
        const float* from = x.data<float>().data();
        float* to = context.output(0, DType::f32, x.shape()).mutable_data<float>().data();
        constexpr std::int64_t exp_cost = 4;  // times that of copying an element
        if (inner == 1) {
            for_row_ranges(context, outer, exp_cost * length,
                           [&](std::int64_t begin, std::int64_t end) {
                               vector_.rows(from, to, length, log_, begin, end);
                           });
            return;
        }
        constexpr std::int64_t most_columns = 64;
        const std::int64_t pieces = (inner + most_columns - 1) / most_columns;
        for_row_ranges(context, outer * pieces, exp_cost * length * most_columns,
                       [&](std::int64_t begin, std::int64_t end) {
                           for (std::int64_t i = begin; i < end; ++i) {
                               const std::int64_t first = i % pieces * most_columns,
                                                  at = i / pieces * length * inner + first;
                               vector_.columns(from + at, to + at, length, inner,
                                               std::min(most_columns, inner - first), log_);
                           }
                       });
    }

private:
    const bool flattens_;
    const std::int64_t axis_;
    const bool log_;
    const SoftmaxKernels& vector_;
};

}  // namespace

std::unique_ptr<Kernel> make_softmax(const KernelRequest& request, std::string& reason) {
    return takes_floats(request, {0}, reason) ? std::make_unique<Softmax>(request.node, false)
                                              : nullptr;
}

std::unique_ptr<Kernel> make_log_softmax(const KernelRequest& request, std::string& reason) {
    return takes_floats(request, {0}, reason) ? std::make_unique<Softmax>(request.node, true)
                                              : nullptr;
}

}  // namespace lapidary
