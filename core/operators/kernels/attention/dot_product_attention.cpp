// SPDX-License-Identifier: Apache-2.0
// lapidary::DotProductAttention (Q, K, V, mask?) {scale, q_last, k_form, v_last, out_last}:
// Softmax(scale Q K^T + mask) V as a session finds it in a graph. Tensors are f32 of rank 4, or 3
// with one head: [batch, heads, rows, size], those with a `last` [batch, rows, heads, size]; k_form
// 2 is [batch, heads, size, rows]. K and V may both be f16, but for that form. Mask and scores are
// broadcast to each other. A query whose scores are all -infinity gives NaN, as Softmax does.
#include <algorithm>
#include <limits>
#include <utility>

#include "kernels/attention/score_terms.h"
#include "kernels/float_inputs.h"
#include "kernels/input_index.h"
#include "kernels/widened_kernel.h"
#include "ops/geometry/broadcast.h"

namespace lapidary {
namespace {

class DotProductAttention final : public Kernel {
public:
    explicit DotProductAttention(const Node& node)
        : scale_(node.float_attribute("scale", 1.0f)),
          q_last_(node.int_attribute("q_last", 0) != 0),
          v_last_(node.int_attribute("v_last", 0) != 0),
          out_last_(node.int_attribute("out_last", 0) != 0),
          k_form_(node.int_attribute("k_form", 0)) {}

    void run(KernelContext& context) const override {
        const DType stored = context.input(1).dtype() == DType::f16 ? DType::f16 : DType::f32;
        View q = view(context, 0, q_last_, DType::f32), v = view(context, 2, v_last_, stored),
             k = view(context, 1, k_form_ == 1, stored);
        if (stored == DType::f16 && k_form_ == 2)
            context.fail("keys of f16 are read by rows, and k_form is 2");
        if (k_form_ == 2) std::swap(k.rows, k.size);
        if (k.batch != q.batch || v.batch != q.batch || k.heads != q.heads || v.heads != q.heads ||
            k.size != q.size || k.rows != v.rows)
            context.fail("Q, K and V do not fit: " + to_string(context.input(0).shape()) + ", " +
                         to_string(context.input(1).shape()) + " and " +
                         to_string(context.input(2).shape()));
        const std::int64_t rank = context.input(0).rank();
        const Tensor* mask = context.optional_input(dot_product_attention_input::mask);
        const Shape scores = scores_shape(context, mask, rank, q, k.rows);
        q.repeat(scores);
        if (q.rows != scores[2]) q.rows = scores[2], q.data.row = 0;
        k.repeat(scores);
        v.repeat(scores);
        TiledAttention a;
        a.batch = q.batch;
        a.heads = a.key_heads = q.heads;
        a.queries = q.rows;
        a.keys = a.end = k.rows;
        a.size = q.size;
        a.value_size = v.size;
        a.scale = scale_;
        a.q = q.data;
        a.key_columns = k_form_ == 2;
        if (stored == DType::f16) {
            a.half_k = halves_of(context.input(1), k.data);
            a.half_v = halves_of(context.input(2), v.data);
        } else {
            a.k = k.data;
            a.v = v.data;
        }
        if (k.rows > 0) a.blind = std::numeric_limits<float>::quiet_NaN();
        Tensor mask_holder;
        if (mask) a.bias = mask_rows(context, *mask, rank, scores, mask_holder);

        Shape shape =
            rank == 4 ? Shape{q.batch, q.heads, q.rows, v.size} : Shape{q.batch, q.rows, v.size};
        if (out_last_) shape = {q.batch, q.rows, q.heads, v.size};
        float* out = context.output(0, DType::f32, shape).mutable_data<float>().data();
        a.out = {out, q.heads * q.rows * v.size, out_last_ ? v.size : q.rows * v.size,
                 out_last_ ? q.heads * v.size : v.size};
        a.run(context);
    }

private:
    struct View {
        HeadRows<const float> data;  // without the pointer for elements of f16
        std::int64_t batch, heads, rows, size;

        /// The one item of an axis for each that the scores [batch, heads, queries, keys] have.
        void repeat(const Shape& scores) {
            if (batch != scores[0]) batch = scores[0], data.batch = 0;
            if (heads != scores[1]) heads = scores[1], data.head = 0;
        }
    };

    static HeadRows<const std::uint16_t> halves_of(const Tensor& tensor,
                                                   const HeadRows<const float>& rows) {
        return {static_cast<const std::uint16_t*>(tensor.raw()), rows.batch, rows.head, rows.row};
    }

    static View view(const KernelContext& context, std::size_t input, bool heads_last,
                     DType dtype) {
        const Tensor& t = context.input(input);
        if (t.dtype() != dtype || t.rank() != context.input(0).rank() ||
            (t.rank() != 4 && (t.rank() != 3 || heads_last)))
            context.fail("input " + std::to_string(input) + ": expected " +
                         std::string(name_of(dtype)) + " of the rank of Q, 3 or 4, found " +
                         std::string(name_of(t.dtype())) + to_string(t.shape()));
        const float* data = dtype == DType::f32 ? t.data<float>().data() : nullptr;
        if (t.rank() == 3)
            return {{data, t.dim(1) * t.dim(2), 0, t.dim(2)}, t.dim(0), 1, t.dim(1), t.dim(2)};
        const std::int64_t whole = t.dim(1) * t.dim(2) * t.dim(3), size = t.dim(3);
        if (heads_last)
            return {{data, whole, size, t.dim(2) * size}, t.dim(0), t.dim(2), t.dim(1), size};
        return {{data, whole, t.dim(2) * size, size}, t.dim(0), t.dim(1), t.dim(2), size};
    }

    /// [batch, heads, queries, keys] of the scores behind the mask, which may have items of axes
    /// where the scores have one.
    static Shape scores_shape(const KernelContext& context, const Tensor* mask, std::int64_t rank,
                              const View& q, std::int64_t keys) {
        const Shape own{q.batch, q.heads, q.rows, keys};
        if (!mask) return own;
        const auto refuse = [&] {
            context.fail("the mask " + to_string(mask->shape()) +
                         " does not broadcast with the scores " + to_string(own));
        };
        if (mask->dtype() != DType::f32 || mask->rank() > rank) refuse();
        Shape shape(4 - mask->shape().size(), 1);
        shape.insert(shape.end(), mask->shape().begin(), mask->shape().end());
        if (rank == 3) std::swap(shape[0], shape[1]);
        for (std::size_t i = 0; i < 4; ++i) {
            if (shape[i] == 1) shape[i] = own[i];
            else if (shape[i] != own[i] && own[i] != 1) refuse();
        }
        if (shape[3] != keys) refuse();
        return shape;
    }

    /// A mask that has one value for all keys is written out.
    static HeadRows<const float> mask_rows(KernelContext& context, const Tensor& mask,
                                           std::int64_t rank, const Shape& scores, Tensor& holder) {
        const std::int64_t keys = scores[3];
        const Shape target = rank == 4 ? scores : Shape{scores[0], scores[2], keys};
        const Shape strides = broadcast_strides(mask.shape(), target);
        const auto stride = [&](std::size_t axis) {
            return rank == 4 ? strides[axis] : axis == 1 ? 0 : strides[axis == 0 ? 0 : axis - 1];
        };
        const float* from = mask.data<float>().data();
        if (stride(3) == 1 || keys <= 1) return {from, stride(0), stride(1), stride(2)};
        float* to = scratch_floats(holder, context, mask.size() * keys);
        for (std::int64_t i = 0; i < mask.size(); ++i) std::fill_n(to + i * keys, keys, from[i]);
        return {to, stride(0) * keys, stride(1) * keys, stride(2) * keys};
    }

    const float scale_;
    const bool q_last_, v_last_, out_last_;
    const std::int64_t k_form_;
};

}  // namespace

std::unique_ptr<Kernel> make_dot_product_attention(const KernelRequest& request,
                                                   std::string& reason) {
    if (reads_halves(request))
        return widened_kernel(std::make_unique<DotProductAttention>(request.node),
                              request.input_type(0).dtype);
    const bool has_halves =
        request.input_type(1).dtype == DType::f16 && request.input_type(2).dtype == DType::f16;
    if (!takes_floats(request, {0}, reason) ||
        (!has_halves && !takes_floats(request, {1, 2}, reason)) ||
        !takes_floats(request, {dot_product_attention_input::mask}, reason))
        return nullptr;
    return std::make_unique<DotProductAttention>(request.node);
}

}  // namespace lapidary
