// SPDX-License-Identifier: Apache-2.0
// com.microsoft: SkipLayerNormalization and SkipSimplifiedLayerNormalization in float, the sum and
// its normalization in one pass over each row.
#include "kernels/float_inputs.h"
#include "kernels/input_index.h"
#include "kernels/normalization/row_split.h"
#include "kernels/vector/normalization/normalization.h"

namespace lapidary {

namespace reference {
void skip_layer_normalization(KernelContext&);
void skip_simplified_layer_normalization(KernelContext&);
}  // namespace reference

namespace {

/// After how many rows of x the skip input repeats. Its leading dimensions must be those of x, or
/// be missing or 1 from the left. 0: it has another shape.
std::int64_t rows_in_turn(const Shape& skip, const Shape& x) {
    if (skip.size() > x.size() || skip.empty()) return 0;
    std::size_t first = 0;
    while (first + 1 < skip.size() && skip[first] == 1) ++first;
    const std::size_t kept = skip.size() - first;
    if (!std::equal(skip.begin() + static_cast<std::ptrdiff_t>(first), skip.end(),
                    x.end() - static_cast<std::ptrdiff_t>(kept)))
        return 0;
    std::int64_t rows = 1;
    for (std::size_t i = first; i + 1 < skip.size(); ++i) rows *= skip[i];
    return rows;
}

class SkipNormalization final : public Kernel {
public:
    SkipNormalization(const Node& node, bool centers)
        : epsilon_(node.float_attribute("epsilon", 1e-12f)), centers_(centers),
          vector_(normalization_kernels()) {}

    StorageSharing sharing() const override { return {StorageSharing::overwrite, 3}; }

    void run(KernelContext& context) const override {
        const Tensor &x = context.input(0), &skip = context.input(1), &gamma = context.input(2);
        const Tensor* beta =
            centers_ ? context.optional_input(skip_normalization_input::beta) : nullptr;
        const Tensor* bias = context.optional_input(
            centers_ ? skip_normalization_input::bias : simplified_skip_normalization_input::bias);
        const auto is_row = [&](const Tensor& t) {
            return t.rank() == 1 && t.dim(0) == x.shape().back();
        };
        const std::int64_t skip_rows = x.rank() < 2 ? 0 : rows_in_turn(skip.shape(), x.shape());
        if (const FallbackReason why =
                x.size() == 0                                           ? fallback::no_elements
                : skip_rows == 0                                        ? fallback::shapes
                : x.dtype() != DType::f32 || skip.dtype() != DType::f32 ? fallback::element_type
                : !is_row(gamma) || (beta && !is_row(*beta)) || (bias && !is_row(*bias))
                    ? fallback::parameter_sizes
                    : fallback::none)
            return context.run_on_reference(centers_
                                                ? reference::skip_layer_normalization
                                                : reference::skip_simplified_layer_normalization,
                                            why);
        NormalizedRows rows;
        rows.width = gamma.size();
        rows.x = x.data<float>().data();
        rows.skip = skip.data<float>().data();
        rows.skip_rows = skip_rows;
        rows.bias = bias ? bias->data<float>().data() : nullptr;
        rows.scale = gamma.data<float>().data();
        rows.shift = beta ? beta->data<float>().data() : nullptr;
        rows.epsilon = epsilon_;
        rows.y = context.output(0, DType::f32, x.shape()).mutable_data<float>().data();
        Shape statistics = x.shape();
        statistics.back() = 1;
        const auto row_values = [&](std::size_t output) -> float* {
            if (output >= context.output_count() || !context.wants_output(output)) return nullptr;
            return context.output(output, DType::f32, statistics).mutable_data<float>().data();
        };
        rows.mean = row_values(1);
        rows.inverse_deviation = row_values(2);
        if (context.output_count() > 3 && context.wants_output(3))
            rows.sum = context.output(3, DType::f32, x.shape()).mutable_data<float>().data();
        for_row_ranges(context, x.size() / rows.width, rows.width,
                       [&](std::int64_t begin, std::int64_t end) {
                           (centers_ ? vector_.layer : vector_.root_mean_square)(rows, begin, end);
                       });
    }

private:
    const float epsilon_;
    const bool centers_;
    const NormalizationKernels& vector_;
};

}  // namespace

std::unique_ptr<Kernel> make_skip_layer_normalization(const KernelRequest& request,
                                                      std::string& reason) {
    using namespace skip_normalization_input;
    if (!takes_floats(request, {0, 1, 2, beta, bias}, reason)) return nullptr;
    return std::make_unique<SkipNormalization>(request.node, true);
}

std::unique_ptr<Kernel> make_skip_rms_normalization(const KernelRequest& request,
                                                    std::string& reason) {
    if (!takes_floats(request, {0, 1, 2, simplified_skip_normalization_input::bias}, reason))
        return nullptr;
    return std::make_unique<SkipNormalization>(request.node, false);
}

}  // namespace lapidary
