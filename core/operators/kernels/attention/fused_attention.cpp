// SPDX-License-Identifier: Apache-2.0
// com.microsoft Attention and QAttention: one product with the packed weights of Q, K and V, in
// float or of 8-bit integers, then attention in float on its columns.
#include <cmath>

#include "kernels/attention/tiled_attention.h"
#include "kernels/attention/score_terms.h"
#include "kernels/attention/scratch_output.h"
#include "kernels/float_inputs.h"
#include "kernels/input_index.h"
#include "kernels/product/packed_product.h"
#include "kernels/product/product_weight.h"
#include "kernels/reference/attention/fused_attention.h"

namespace lapidary {
namespace {

constexpr std::size_t none = 99;

/// Which input is what.
struct Roles {
    std::size_t mask, past, attention_bias, past_length;
};

class FusedAttention final : public Kernel {
public:
    /// `projection` makes the product of inputs 0 and 1 with the bias as its output 0; null: in
    /// float here.
    FusedAttention(const KernelRequest& request, const Roles& roles, const Tensor& weight,
                   std::int64_t heads, std::int64_t hidden, std::int64_t value_hidden,
                   std::unique_ptr<Kernel> projection)
        : roles_(roles), heads_(heads), inner_(weight.dim(0)), width_(weight.dim(1)),
          hidden_(hidden), value_hidden_(value_hidden), projection_(std::move(projection)),
          unidirectional_(request.node.int_attribute("unidirectional", 0) != 0),
          shares_buffer_(request.node.int_attribute("past_present_share_buffer", 0) != 0),
          filter_(request.node.float_attribute("mask_filter_value", -10000.0f)) {
        scale_ = request.node.float_attribute("scale", 0.0f);
        if (scale_ == 0)
            scale_ = static_cast<float>(1 / std::sqrt(static_cast<double>(hidden / heads)));
        if (projection_) return;
        weight_ = pack_weight(request.weights, weight, 1, inner_, width_, false);
        weight_.allow_rounding(request.options.rounds_inputs_to);
        request.unread_inputs.push_back(1);
    }

    void run(KernelContext& context) const override {
        const Tensor& x = context.input(0);
        const Tensor *bias = context.optional_input(2), *mask = context.optional_input(roles_.mask),
                     *past = context.optional_input(roles_.past);
        const Tensor* attention_bias =
            roles_.attention_bias == none ? nullptr : context.optional_input(roles_.attention_bias);
        if ((!projection_ && x.dtype() != DType::f32) || x.rank() != 3 || x.dim(2) != inner_)
            context.fail("expected X [B,S,I] and weights [I,H], found " + to_string(x.shape()) +
                         " and " + to_string(Shape{inner_, width_}));
        if (bias && (bias->dtype() != DType::f32 || bias->shape() != Shape{width_}))
            context.fail("the bias: expected [" + std::to_string(width_) + "], found " +
                         to_string(bias->shape()));
        const std::int64_t batch = x.dim(0), sequence = x.dim(1), size = hidden_ / heads_,
                           value_size = value_hidden_ / heads_;
        Tensor projected;
        if (projection_) {
            ScratchOutput inner(context);
            projection_->run(inner);
            projected = inner.take();
        } else {
            projected = context.scratch(DType::f32, {batch, sequence, width_});
            project(context, x, bias, projected);
        }

        const bool wants_present = is_wanted(context, 1);
        const std::int64_t past_rows = past && past->rank() == 5 ? past->dim(3) : 0,
                           keys = past_rows + sequence;
        TiledAttention attention;
        if (const FallbackReason why =
                shares_buffer_  ? FallbackReason("past and present keys share one buffer")
                : x.size() == 0 ? fallback::no_elements
                : (wants_present && size != value_size) ||
                        (past && (past->dtype() != DType::f32 || size != value_size ||
                                  past->shape() != Shape{2, batch, heads_, past_rows, size}))
                    ? fallback::cache_shapes
                : !bias_rows(attention_bias, batch, heads_, sequence, keys, attention.bias)
                    ? fallback::mask_shape
                    : fallback::none) {
            const auto attend = [&](KernelContext& c) {
                reference::attend_projected(c, projected, nullptr, mask, past, attention_bias,
                                            roles_.past_length, DType::f32);
            };
            return context.run_on_reference(attend, why);
        }

        Tensor padding_holder, cache_holder;
        attention.padding =
            padding_rows(context, mask, batch, sequence, keys, past_rows, filter_, padding_holder);
        attention.batch = batch;
        attention.heads = attention.key_heads = heads_;
        attention.queries = sequence;
        attention.keys = keys;
        attention.size = size;
        attention.value_size = value_size;
        attention.scale = scale_;
        attention.causal = unidirectional_;
        attention.end = unidirectional_ ? past_rows + 1 : keys;
        const float* columns = projected.data<float>().data();
        attention.q = {columns, sequence * width_, size, width_};
        attention.k = {columns + hidden_, sequence * width_, size, width_};
        attention.v = {columns + 2 * hidden_, sequence * width_, value_size, width_};
        if (past || wants_present)
            join_past(context, past, past_rows, wants_present, cache_holder, attention);
        float* out = context.output(0, DType::f32, {batch, sequence, value_hidden_})
                         .mutable_data<float>()
                         .data();
        attention.out = {out, sequence * value_hidden_, value_size, value_hidden_};
        Tensor hidden_holder;
        keep_odd_hidden_keys(context, attention, hidden_holder);
        attention.run(context);
    }

private:
    /// Lays the keys and values of the past and the new ones side by side: into output 1, or
    /// `holder`.
    void join_past(KernelContext& context, const Tensor* past, std::int64_t past_rows,
                   bool wants_present, Tensor& holder, TiledAttention& attention) const {
        const std::int64_t batch = attention.batch, keys = attention.keys, size = attention.size,
                           half = batch * heads_ * keys * size;
        float* joined = wants_present
                            ? context.output(1, DType::f32, {2, batch, heads_, keys, size})
                                  .mutable_data<float>()
                                  .data()
                            : scratch_floats(holder, context, 2 * half);
        CacheAppend append;
        append.batch = batch;
        append.heads = heads_;
        append.size = size;
        append.past_count = append.past_capacity = past_rows;
        append.fresh_rows = attention.queries;
        append.capacity = keys;
        const float* old = past ? past->data<float>().data() : nullptr;
        append.past = old;
        append.fresh = attention.k;
        append.to = joined;
        append.run(context);
        append.past = old ? old + batch * heads_ * past_rows * size : nullptr;
        append.fresh = attention.v;
        append.to = joined + half;
        append.run(context);
        attention.k = {joined, heads_ * keys * size, keys * size, size};
        attention.v = {joined + half, heads_ * keys * size, keys * size, size};
    }

    void project(KernelContext& context, const Tensor& x, const Tensor* bias, Tensor& to) const {
        Product product;
        product.rows = x.dim(0) * x.dim(1);
        product.inner = inner_;
        product.columns = width_;
        product.a = x.data<float>().data();
        product.a_stride = inner_;
        weight_.put(product);
        product.c = to.mutable_data<float>().data();
        product.c_stride = width_;
        product.bias = bias ? bias->data<float>().data() : nullptr;
        Tensor workspace;
        const auto bytes =
            static_cast<std::int64_t>(product_workspace(product, context.threads().threads()));
        if (bytes > 0) workspace = context.scratch(DType::u8, {bytes});
        multiply(product, context.threads(), context.cancel(),
                 static_cast<std::byte*>(workspace.mutable_raw()));
    }

    const Roles roles_;
    const std::int64_t heads_, inner_, width_, hidden_, value_hidden_;
    const std::unique_ptr<Kernel> projection_;
    const bool unidirectional_, shares_buffer_;
    const float filter_;
    float scale_;
    ProductWeight weight_;  // of Q, K and V; empty where there is a projection
};

/// The kernel, or null with the reason why the weight and the attributes do not go together.
std::unique_ptr<Kernel> make(const KernelRequest& request, const Roles& roles,
                             std::unique_ptr<Kernel> (*make_projection)(const KernelRequest&,
                                                                        std::string&),
                             std::string& reason) {
    const Node& node = request.node;
    const Tensor* weight = request.constant(1);
    if (!weight) {
        reason = "the weight is computed at run time";
        return nullptr;
    }
    if (node.int_attribute("do_rotary", 0) != 0) {
        reason = "attribute do_rotary is not supported";
        return nullptr;
    }
    const std::int64_t heads = node.int_attribute("num_heads", 0),
                       width = weight->rank() == 2 ? weight->dim(1) : 0;
    std::vector<std::int64_t> sizes = node.ints_attribute("qkv_hidden_sizes");
    if (sizes.empty() && width % 3 == 0) sizes.assign(3, width / 3);
    if (weight->rank() != 2 || weight->size() == 0 || heads < 1 || sizes.size() != 3 ||
        sizes[0] != sizes[1] || sizes[0] < 1 || sizes[2] < 1 || sizes[0] > width ||
        sizes[2] > width || sizes[0] + sizes[1] + sizes[2] != width || sizes[0] % heads != 0 ||
        sizes[2] % heads != 0) {
        reason = "attributes num_heads and qkv_hidden_sizes do not divide the weight's " +
                 std::to_string(width) + " columns";
        return nullptr;
    }
    std::unique_ptr<Kernel> projection;
    if (make_projection && !(projection = make_projection(request, reason))) return nullptr;
    return std::make_unique<FusedAttention>(request, roles, *weight, heads, sizes[0], sizes[2],
                                            std::move(projection));
}

}  // namespace

std::unique_ptr<Kernel> make_qattention_projection(const KernelRequest& request,
                                                   std::string& reason);

std::unique_ptr<Kernel> make_fused_attention(const KernelRequest& request, std::string& reason) {
    using namespace fused_attention_input;
    if (!takes_floats(request, {0, 1, 2, past, attention_bias}, reason)) return nullptr;
    const Roles roles{.mask = mask_index,
                      .past = past,
                      .attention_bias = attention_bias,
                      .past_length = past_sequence_length};
    return make(request, roles, nullptr, reason);
}

std::unique_ptr<Kernel> make_qattention(const KernelRequest& request, std::string& reason) {
    using namespace quantized_attention_input;
    if (!takes_floats(request, {2, input_scale, weight_scale, past}, reason)) return nullptr;
    const Roles roles{
        .mask = mask_index, .past = past, .attention_bias = none, .past_length = none};
    return make(request, roles, &make_qattention_projection, reason);
}

}  // namespace lapidary
