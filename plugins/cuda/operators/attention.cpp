// SPDX-License-Identifier: Apache-2.0
// com.microsoft's Attention and MultiHeadAttention, Attention of ai.onnx, and
// lapidary::DotProductAttention (core/engine/passes/session).
#include <limits>

#include "operators/attention_kernel.h"
#include "operators/makers.h"
#include "operators/product.h"

namespace lapidary::cuda {
namespace {

using Made = std::unique_ptr<NodeKernel>;

class DotProductAttention final : public AttentionKernel {
public:
    bool q_last = false, v_last = false, out_last = false;
    std::int64_t k_form = 0;

    void run(KernelRun& run) const override {
        const Array q = run.input(0), k = run.input(1), v = run.input(2), mask = run.input(3);
        AttentionArgs args;
        const Form of_q = form(q, q_last), of_v = form(v, v_last);
        Form of_k = form(k, k_form == 1);
        if (k_form == 2) {
            std::swap(of_k.rows, of_k.size);
            std::swap(of_k.strides.row, of_k.strides.column);
        }
        if (of_k.rows != of_v.rows || of_k.size != of_q.size || of_k.batch != of_q.batch ||
            of_v.batch != of_q.batch || of_k.heads != of_q.heads || of_v.heads != of_q.heads)
            KernelRun::fail("Q, K and V do not fit");
        set_sizes(args, of_q.batch, of_q.heads, of_k.heads, of_q.rows, of_k.rows, of_q.size,
                  of_v.size);
        args.q = q.data;
        args.k = k.data;
        args.v = v.data;
        args.type = q.type;
        args.q_strides = of_q.strides;
        args.k_strides = of_k.strides;
        args.v_strides = of_v.strides;
        args.scale = *scale;
        if (of_k.rows > 0) args.blind = std::numeric_limits<float>::quiet_NaN();
        Array aligned = mask;
        if (q.dims.size() == 3 && mask.dims.size() == 3)
            aligned.dims.insert(aligned.dims.begin() + 1, 1);
        set_mask(args, aligned);
        Dims dims = q.dims.size() == 4 ? Dims{of_q.batch, of_q.heads, of_q.rows, of_v.size}
                                       : Dims{of_q.batch, of_q.rows, of_v.size};
        args.y_strides = heads_first(of_q.heads, of_q.rows, of_v.size);
        if (out_last) {
            dims = {of_q.batch, of_q.rows, of_q.heads, of_v.size};
            args.y_strides = heads_last(of_q.rows, of_q.heads * of_v.size, of_v.size);
        }
        args.y = run.output(0, q.type, dims);
        attend(run, args);
    }

private:
    struct Form {
        std::int64_t batch, heads, rows, size;
        HeadStrides strides;
    };
    static Form form(const Array& x, bool is_last) {
        if (x.dims.size() == 3)
            return {x.dims[0], 1, x.dims[1], x.dims[2], heads_first(1, x.dims[1], x.dims[2])};
        if (x.dims.size() != 4) KernelRun::fail("Q, K and V are of rank 3 or 4");
        if (is_last)
            return {x.dims[0], x.dims[2], x.dims[1], x.dims[3],
                    heads_last(x.dims[1], x.dims[2] * x.dims[3], x.dims[3])};
        return {x.dims[0], x.dims[1], x.dims[2], x.dims[3],
                heads_first(x.dims[1], x.dims[2], x.dims[3])};
    }
};

/// com.microsoft::Attention: projects, then attends.
class ProjectedAttention final : public AttentionKernel {
public:
    Dims hidden;
    Arithmetic arithmetic = Arithmetic::exact;
    bool has_constant_weights = false;

    void run(KernelRun& run) const override {
        const Array x = run.input(0), w = run.input(1), past = run.input(4);
        if (x.dims.size() != 3 || w.dims.size() != 2 || x.dims[2] != w.dims[0])
            KernelRun::fail("input and weights do not fit");
        const std::int64_t batch = x.dims[0], rows = x.dims[1], width = w.dims[1];
        const Dims of = parts_of(width);
        const std::int64_t size = of[0] / heads, value_size = of[2] / heads;
        run.require_dims(2, {width});
        run.require_dims(4, {2, batch, heads, -1, size});
        run.require_dims(5, {-1, -1, rows, run.has(4) ? sum_of(past.dims[3], rows) : rows});
        void* const projected =
            run.scratch(std::max<std::int64_t>(batch * rows * width * bytes_of(x.type), 1));
        project(run, x, w, projected, batch * rows, width);
        AttentionArgs args;
        args.type = x.type;
        args.q = projected;
        args.k = moved(projected, of[0], x.type);
        args.v = moved(projected, of[0] + of[1], x.type);
        args.q_strides = args.k_strides = heads_last(rows, width, size);
        args.v_strides = heads_last(rows, width, value_size);
        std::int64_t keys = rows;
        if (past.data || run.wants(1)) {
            const std::int64_t before = past.data ? past.dims[3] : 0;
            keys = before + rows;
            if (size != value_size) KernelRun::fail("present needs keys and values of one size");
            void* const present = run.output(1, x.type, {2, batch, heads, keys, size});
            const Dims half{batch, heads, before, size};
            const Array old_k{x.type, half, past.data};
            const Array old_v{x.type, half,
                              past.data ? moved(past.data, count_of(half), x.type) : nullptr};
            void* const values =
                present ? moved(present, batch * heads * keys * size, x.type) : nullptr;
            set_caches(args, old_k, old_v, present, values, rows, keys);
        }
        set_sizes(args, batch, heads, heads, rows, keys, size, value_size);
        args.scale = scale_for(size);
        args.is_causal = is_causal;
        args.first_end = narrow(keys - rows + 1);
        set_padding(args, run.input(3));
        set_mask(args, run.input(5));
        args.y_strides = heads_last(rows, heads * value_size, value_size);
        args.y = run.output(0, x.type, {batch, rows, heads * value_size});
        attend(run, args);
    }

private:
    /// The numbers of columns of Q, K and V.
    Dims parts_of(std::int64_t width) const {
        const Dims of = hidden.empty() && width % 3 == 0 ? Dims(3, width / 3) : hidden;
        const bool fits = of.size() == 3 && of[0] == of[1] && of[0] > 0 && of[2] > 0 &&
                          sum_of(of[0], sum_of(of[1], of[2])) == width && of[0] % heads == 0 &&
                          of[2] % heads == 0;
        if (!fits)
            KernelRun::fail(text_of(hidden) + " in " + std::to_string(heads) +
                            " heads do not divide " + std::to_string(width) + " columns");
        return of;
    }
    void project(KernelRun& run, const Array& x, const Array& w, void* y, std::int64_t rows,
                 std::int64_t width) const {
        ProductArgs args;
        args.a = x.data;
        args.b = w.data;
        args.has_constant_b = has_constant_weights;
        args.y = y;
        args.type = x.type;
        args.m = narrow(rows);
        args.n = narrow(width);
        args.k = args.a_row = narrow(w.dims[0]);
        args.b_row = args.n;
        args.epilogue.bias = run.input(2).data;
        args.epilogue.bias_column = 1;
        launch_split_product(run, args, arithmetic);
    }
};

/// MultiHeadAttention with separate Q, K and V, and Attention of ai.onnx. New keys are appended to
/// past ones; both are outputs.
class SplitAttention final : public AttentionKernel {
public:
    // com.microsoft::MultiHeadAttention; otherwise keys beyond a short mask are hidden
    bool is_multi_head = false;
    std::size_t mask_input = 0, padding_input = 0, past_input = 0, bias_input = 0;  // 0: none

    void run(KernelRun& run) const override {
        Array q = run.input(0), k = run.input(1), v = run.input(2);
        const Sizes s = sizes_of(run);
        add_bias(run, q, 0);
        add_bias(run, k, q.dims.back());
        add_bias(run, v, q.dims.back() + k.dims.back());
        AttentionArgs args;
        args.type = q.type;
        args.q = q.data;
        args.k = k.data;
        args.v = v.data;
        args.q_strides = s.is_last ? heads_last(s.rows, q.dims[2], s.size)
                                   : heads_first(s.heads, s.rows, s.size);
        args.k_strides = s.is_last ? heads_last(s.fresh, k.dims[2], s.size)
                                   : heads_first(s.key_heads, s.fresh, s.size);
        args.v_strides = s.is_last ? heads_last(s.fresh, v.dims[2], s.value_size)
                                   : heads_first(s.key_heads, s.fresh, s.value_size);
        const std::int64_t keys = join_past(run, s, args);
        if (is_multi_head) run.require_dims(mask_input, {-1, -1, s.rows, keys});
        const Dims mask = mask_input ? run.input(mask_input).dims : Dims();
        const bool is_short =
            !is_multi_head && !mask.empty() && mask.back() > 1 && mask.back() < keys;
        set_sizes(args, s.batch, s.heads, s.key_heads, s.rows, is_short ? mask.back() : keys,
                  s.size, s.value_size);
        args.scale = scale_for(s.size);
        args.softcap = softcap;
        args.is_causal = is_causal;
        args.first_end = narrow(keys - (is_multi_head ? s.rows : s.fresh) + 1);
        if (mask_input && run.has(mask_input)) set_mask(args, run.input(mask_input));
        if (padding_input && run.has(padding_input)) set_padding(args, run.input(padding_input));
        const std::int64_t width = s.heads * s.value_size;
        args.y_strides = s.is_last ? heads_last(s.rows, width, s.value_size)
                                   : heads_first(s.heads, s.rows, s.value_size);
        args.y = run.output(0, q.type,
                            s.is_last ? Dims{s.batch, s.rows, width}
                                      : Dims{s.batch, s.heads, s.rows, s.value_size});
        attend(run, args);
    }

private:
    struct Sizes {
        bool is_last = false;  // the inputs have rank 3, with heads in the columns
        std::int64_t batch = 0, heads = 0, key_heads = 0, rows = 0, fresh = 0, size = 0,
                     value_size = 0;
    };
    Sizes sizes_of(const KernelRun& run) const {
        const Array q = run.input(0), k = run.input(1), v = run.input(2);
        Sizes s;
        s.is_last = q.dims.size() == 3;
        if (k.dims.size() != q.dims.size() || v.dims.size() != q.dims.size() ||
            (!s.is_last && q.dims.size() != 4))
            throw DeviceError(LP_UNSUPPORTED, "Q, K and V of other ranks than 3 or 4");
        s.batch = q.dims[0];
        s.heads = s.is_last ? heads : q.dims[1];
        s.key_heads = s.is_last ? key_heads : k.dims[1];
        s.rows = q.dims[s.is_last ? 1 : 2];
        s.fresh = k.dims[s.is_last ? 1 : 2];
        const bool is_without = !s.is_last && s.heads == 0;
        if (!is_without && (s.heads <= 0 || s.key_heads <= 0 || s.heads % s.key_heads != 0))
            KernelRun::fail("the heads of Q, K and V do not fit");
        s.size = s.is_last ? q.dims[2] / s.heads : q.dims[3];
        s.value_size = s.is_last ? v.dims[2] / s.key_heads : v.dims[3];
        if (s.is_last && q.dims[2] % s.heads != 0)
            KernelRun::fail("the heads do not divide the columns of Q");
        run.require_dims(1, s.is_last ? Dims{s.batch, s.fresh, product_of(s.key_heads, s.size)}
                                      : Dims{s.batch, s.key_heads, s.fresh, s.size});
        run.require_dims(2, s.is_last
                                ? Dims{s.batch, s.fresh, product_of(s.key_heads, s.value_size)}
                                : Dims{s.batch, s.key_heads, s.fresh, s.value_size});
        if (past_input != 0) {
            run.require_dims(past_input, {s.batch, s.key_heads, -1, s.size});
            if (run.has(past_input))
                run.require_dims(past_input + 1, {s.batch, s.key_heads,
                                                  run.input(past_input).dims[2], s.value_size});
        }
        return s;
    }

    /// Joins keys and values with those of the past, where there are any or the outputs are wanted.
    /// Returns the number of keys.
    std::int64_t join_past(KernelRun& run, const Sizes& s, AttentionArgs& args) const {
        const bool has_past = past_input != 0 && run.has(past_input);
        if (!has_past && !run.wants(1) && !run.wants(2)) return s.fresh;
        const Array past_k = has_past ? run.input(past_input) : Array{};
        const Array past_v = has_past ? run.input(past_input + 1) : Array{};
        const std::int64_t keys = s.fresh + (has_past ? past_k.dims[2] : 0);
        void* const all_k = run.output(1, args.type, {s.batch, s.key_heads, keys, s.size});
        void* const all_v = run.output(2, args.type, {s.batch, s.key_heads, keys, s.value_size});
        set_caches(args, past_k, past_v, all_k, all_v, s.fresh, keys);
        return keys;
    }

    /// Adds the columns of the bias from `offset` on; the sum is in scratch memory.
    void add_bias(KernelRun& run, Array& x, std::int64_t offset) const {
        if (bias_input == 0 || !run.has(bias_input) || x.count() == 0) return;
        const Array bias = run.input(bias_input);
        if (bias.dims.size() != 1 || offset + x.dims.back() > bias.count())
            KernelRun::fail("the bias is too short, or no list: " + text_of(bias.dims));
        ElementwiseArgs args;
        args.inputs = 2;
        args.steps = 1;
        args.step[0] = {Op::add, 0, 1, constant_operand, 0, 0};
        set_axes(args, x.dims, {x.dims, {x.dims.back()}});
        args.input[0].data = x.data;
        args.input[1].data = moved(bias.data, offset, x.type);
        args.input[0].type = args.input[1].type = args.output_type = x.type;
        void* const sum = run.scratch(x.bytes());
        args.output = sum;
        launch_elementwise(run.queue(), args);
        x.data = sum;
    }
};

void require_padding_mask(const NodeView& node, std::size_t input) {
    if (!node.has_input(input)) return;
    require_type(node, input, node.input_type(input) == i32);
    const auto mask = node.dims(input), x = node.dims(0);
    const bool is_lengths =
        mask && x && mask->size() == 1 && ((*mask)[0] < 0 || (*mask)[0] == (*x)[0]);
    if (!mask || (mask->size() != 2 && !is_lengths))
        throw Refusal("its mask is none of lengths or keys");
}

}  // namespace

Made make_dot_product_attention(const NodeView& node, Making& making) {
    auto kernel = std::make_unique<DotProductAttention>();
    require_head_types(node, {0, 1, 2});
    if (node.has_input(3)) require_type(node, 3, is_float(node.input_type(3)));
    kernel->scale = node.real("scale", 1);
    kernel->q_last = node.integer("q_last", 0) != 0;
    kernel->v_last = node.integer("v_last", 0) != 0;
    kernel->out_last = node.integer("out_last", 0) != 0;
    kernel->k_form = node.integer("k_form", 0);
    kernel->in_tf32 = allows_tf32(making.precision);
    kernel->tuner = making.tuner;
    making.kernel = "attention";
    return kernel;
}

Made make_projected_attention(const NodeView& node, Making& making) {
    auto kernel = std::make_unique<ProjectedAttention>();
    require_head_types(node, {0, 1, 2, 4, 5});
    require_absent(node, {6});
    require_padding_mask(node, 3);
    if (node.integer("do_rotary", 0) != 0 || node.integer("rotary_embedding_dim", 0) != 0)
        throw Refusal("it rotates");
    if (node.integer("past_present_share_buffer", 0) != 0)
        throw Refusal("past and present share a buffer");
    kernel->heads = kernel->key_heads = node.integer("num_heads", 0);
    kernel->hidden = node.integers("qkv_hidden_sizes");
    if (kernel->heads <= 0 || (!kernel->hidden.empty() && kernel->hidden.size() != 3))
        throw Refusal("its attributes name no heads");
    kernel->scale = scale_unless_zero(node);
    kernel->filter = node.real("mask_filter_value", -10000);
    kernel->is_causal = node.integer("unidirectional", 0) != 0;
    kernel->arithmetic = arithmetic_of(node.input_type(0), making.precision);
    kernel->has_constant_weights = node.is_constant(1);
    kernel->in_tf32 = allows_tf32(making.precision);
    kernel->tuner = making.tuner;
    making.kernel = "attention";
    return kernel;
}

Made make_multi_head_attention(const NodeView& node, Making& making) {
    auto kernel = std::make_unique<SplitAttention>();
    require_head_types(node, {0, 1, 2, 3, 5, 6, 7});
    require_absent(node, {8, 9});
    require_both(node, 6, 7);
    require_padding_mask(node, 4);
    for (std::size_t i : {0, 1, 2})
        if (node.rank(i) != 3) throw Refusal("Q, K and V are not known to be of rank 3");
    if (node.has_output(3)) throw Refusal("its scores are asked for");
    kernel->heads = kernel->key_heads = node.integer("num_heads", 0);
    if (kernel->heads <= 0) throw Refusal("its attributes name no heads");
    kernel->scale = scale_unless_zero(node);
    kernel->filter = node.real("mask_filter_value", -10000);
    kernel->is_causal = node.integer("unidirectional", 0) != 0;
    kernel->is_multi_head = true;
    kernel->bias_input = 3;
    kernel->padding_input = 4;
    kernel->mask_input = 5;
    kernel->past_input = 6;
    kernel->in_tf32 = allows_tf32(making.precision);
    kernel->tuner = making.tuner;
    making.kernel = "attention";
    return kernel;
}

Made make_attention(const NodeView& node, Making& making) {
    auto kernel = std::make_unique<SplitAttention>();
    require_head_types(node, {0, 1, 2, 4, 5});
    require_absent(node, {6});
    require_both(node, 4, 5);
    if (node.has_input(3) && node.rank(3) == 0) throw Refusal("its mask is one number");
    if (node.has_input(3))
        require_type(node, 3,
                     node.input_type(3) == boolean || node.input_type(3) == node.input_type(0));
    if (node.has_output(3)) throw Refusal("its scores are asked for");
    if (node.integer("left_window_size", -1) != -1 || node.integer("right_window_size", -1) != -1)
        throw Refusal("it has a window");
    if (node.integer("qk_matmul_output_mode", 0) != 0)
        throw Refusal("attribute qk_matmul_output_mode is given");
    kernel->heads = node.integer("q_num_heads", 0);
    kernel->key_heads = node.integer("kv_num_heads", 0);
    if (node.has("scale")) kernel->scale = node.real("scale", 1);
    kernel->softcap = node.real("softcap", 0);
    kernel->is_causal = node.integer("is_causal", 0) != 0;
    kernel->mask_input = 3;
    kernel->past_input = 4;
    kernel->in_tf32 = allows_tf32(making.precision);
    kernel->tuner = making.tuner;
    making.kernel = "attention";
    return kernel;
}

}  // namespace lapidary::cuda
