// SPDX-License-Identifier: Apache-2.0
// BatchNormalization (7 to 15) at inference, in float.
#include <cmath>

#include "kernels/float_inputs.h"
#include "kernels/input_index.h"
#include "kernels/normalization/row_split.h"
#include "kernels/vector/normalization/normalization.h"

namespace lapidary {

namespace reference {
void batch_normalization(KernelContext&);
}

namespace {

class BatchNormalization final : public Kernel {
public:
    explicit BatchNormalization(const Node& node)
        : epsilon_(node.float_attribute("epsilon", 1e-5f)), vector_(normalization_kernels()) {}

    StorageSharing sharing() const override { return {StorageSharing::overwrite, 1}; }

    void run(KernelContext& context) const override {
        const Tensor& x = context.input(0);
        const std::int64_t channels = x.rank() > 1 ? x.dim(1) : 1;
        FallbackReason why = x.rank() < 2              ? fallback::rank
                             : x.size() == 0           ? fallback::no_elements
                             : x.dtype() != DType::f32 ? fallback::element_type
                                                       : fallback::none;
        const float* parameters[4] = {};  // scale, bias, mean, variance
        for (std::size_t i = 0; i < std::size(parameters) && !why; ++i) {
            const Tensor& t = context.input(i + 1);
            if (t.dtype() != DType::f32 || t.size() != channels) why = fallback::parameter_sizes;
            else parameters[i] = t.data<float>().data();
        }
        if (why) return context.run_on_reference(reference::batch_normalization, why);
        const std::int64_t size = x.size() / (x.dim(0) * channels);
        const float* from = x.data<float>().data();
        float* to = context.output(0, DType::f32, x.shape()).mutable_data<float>().data();
        for_row_ranges(
            context, x.dim(0) * channels, size, [&](std::int64_t begin, std::int64_t end) {
                for (std::int64_t i = begin; i < end; ++i) {
                    const std::int64_t c = i % channels;
                    const float factor = parameters[0][c] / std::sqrt(parameters[3][c] + epsilon_);
                    vector_.affine(from + i * size, to + i * size, size, factor,
                                   parameters[1][c] - parameters[2][c] * factor);
                }
            });
    }

private:
    const float epsilon_;
    const NormalizationKernels& vector_;
};

}  // namespace

std::unique_ptr<Kernel> make_batch_normalization(const KernelRequest& request,
                                                 std::string& reason) {
    const Node& node = request.node;
    using namespace batch_normalization_input;
    if (!takes_floats(request, {0, 1, 2, input_mean, input_var}, reason)) return nullptr;
    if (node.version >= 14 ? node.int_attribute("training_mode", 0) != 0
                           : node.outputs.size() > 1 && node.outputs[1]) {
        reason = "the node is in training mode";
        return nullptr;
    }
    if (node.version < 9 && node.int_attribute("spatial", 1) == 0) {
        reason = "spatial = 0 (statistics per element) is served by the reference kernel";
        return nullptr;
    }
    return std::make_unique<BatchNormalization>(node);
}

}  // namespace lapidary
