// SPDX-License-Identifier: Apache-2.0
// InstanceNormalization (6, 22), GroupNormalization (18, 21) and com.microsoft GroupNorm in float.
#include "kernels/float_inputs.h"
#include "kernels/normalization/row_split.h"
#include "kernels/vector/normalization/normalization.h"

namespace lapidary {

namespace reference {
void instance_normalization(KernelContext&);
void group_normalization(KernelContext&);
void group_norm(KernelContext&);
}  // namespace reference

namespace {

enum class Form { instance, group_per_channel, group_per_group, contrib };

class GroupNormalization final : public Kernel {
public:
    GroupNormalization(const Node& node, Form form)
        : form_(form),
          groups_(node.int_attribute(form == Form::contrib ? "groups" : "num_groups", 0)),
          channels_last_(form == Form::contrib && node.int_attribute("channels_last", 1) != 0),
          activation_(form == Form::contrib ? node.int_attribute("activation", 0) : 0),
          epsilon_(node.float_attribute("epsilon", 1e-5f)), vector_(normalization_kernels()) {}

    StorageSharing sharing() const override { return {StorageSharing::overwrite, 1}; }

    void run(KernelContext& context) const override {
        const Tensor &x = context.input(0), &scale = context.input(1), &shift = context.input(2);
        const std::int64_t channels = x.rank() < 3     ? 0
                                      : channels_last_ ? x.shape().back()
                                                       : x.dim(1);
        const std::int64_t groups = form_ == Form::instance ? channels : groups_;
        const std::int64_t parameters = form_ == Form::group_per_group ? groups : channels;
        if (const FallbackReason why =
                x.size() == 0             ? fallback::no_elements
                : x.dtype() != DType::f32 ? fallback::element_type
                : channels < 1 || groups < 1 || channels % groups != 0
                    ? FallbackReason(
                          "the groups do not divide the channels, or there are fewer than 3 axes")
                : activation_ < 0 || activation_ > 1
                    ? FallbackReason("the activation is neither none nor SiLU")
                : scale.dtype() != DType::f32 || shift.dtype() != DType::f32 ||
                        scale.shape() != Shape{parameters} || shift.shape() != Shape{parameters}
                    ? fallback::parameter_sizes
                    : fallback::none)
            return context.run_on_reference(reference_kernel(), why);
        const std::int64_t width = channels / groups, pixels = x.size() / (x.dim(0) * channels);
        NormalizedGroup shared;
        shared.runs = channels_last_ ? pixels : width;
        shared.run_length = channels_last_ ? width : pixels;
        shared.run_stride = channels_last_ ? channels : pixels;
        shared.parameter_step = channels_last_ || form_ == Form::group_per_group ? 0 : 1;
        shared.per_element = channels_last_;
        shared.silu = activation_ == 1;
        shared.epsilon = epsilon_;
        const float *from = x.data<float>().data(), *factors = scale.data<float>().data(),
                    *shifts = shift.data<float>().data();
        float* to = context.output(0, DType::f32, x.shape()).mutable_data<float>().data();
        for_row_ranges(
            context, x.dim(0) * groups, width * pixels, [&](std::int64_t begin, std::int64_t end) {
                NormalizedGroup group = shared;
                for (std::int64_t i = begin; i < end; ++i) {
                    const std::int64_t image = i / groups, g = i % groups;
                    const std::int64_t at =
                        channels_last_ ? image * pixels * channels + g * width : i * width * pixels;
                    const std::int64_t parameter = form_ == Form::group_per_group ? g : g * width;
                    group.x = from + at;
                    group.y = to + at;
                    group.scale = factors + parameter;
                    group.shift = shifts + parameter;
                    vector_.group(group);
                }
            });
    }

private:
    KernelFunction reference_kernel() const {
        return form_ == Form::instance  ? reference::instance_normalization
               : form_ == Form::contrib ? reference::group_norm
                                        : reference::group_normalization;
    }

    const Form form_;
    const std::int64_t groups_;
    const bool channels_last_;
    const std::int64_t activation_;
    const float epsilon_;
    const NormalizationKernels& vector_;
};

std::unique_ptr<Kernel> make(const KernelRequest& request, Form form, std::string& reason) {
    if (!takes_floats(request, {0, 1, 2}, reason)) return nullptr;
    return std::make_unique<GroupNormalization>(request.node, form);
}

}  // namespace

std::unique_ptr<Kernel> make_instance_normalization(const KernelRequest& request,
                                                    std::string& reason) {
    return make(request, Form::instance, reason);
}
std::unique_ptr<Kernel> make_group_normalization(const KernelRequest& request,
                                                 std::string& reason) {
    return make(request,
                request.node.version < 21 ? Form::group_per_group : Form::group_per_channel,
                reason);
}
std::unique_ptr<Kernel> make_group_norm(const KernelRequest& request, std::string& reason) {
    return make(request, Form::contrib, reason);
}

}  // namespace lapidary
