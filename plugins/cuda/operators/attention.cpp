// SPDX-License-Identifier: Apache-2.0
// com.microsoft's Attention, MultiHeadAttention and GroupQueryAttention, Attention of ai.onnx, and
// lapidary::DotProductAttention (core/passes/session).
#include "kernels/attention.h"

#include <cmath>
#include <limits>

#include "operators/elementwise.h"
#include "operators/makers.h"
#include "operators/movement.h"
#include "operators/product.h"

namespace lapidary::cuda {
namespace {

using Made = std::unique_ptr<NodeKernel>;

std::int32_t narrow(std::int64_t v) { return static_cast<std::int32_t>(v); }

/// Of [batch, heads, rows, size], packed; `capacity` rows per head.
HeadStrides heads_first(std::int64_t heads, std::int64_t capacity, std::int64_t size) {
    return {narrow(heads * capacity * size), narrow(capacity * size), narrow(size), 1};
}
/// Of [batch, rows, width] with a head's columns side by side.
HeadStrides heads_last(std::int64_t rows, std::int64_t width, std::int64_t size) {
    return {narrow(rows * width), narrow(size), narrow(width), 1};
}

const void* moved(const void* data, std::int64_t elements, std::int32_t type) {
    return static_cast<const char*>(data) + elements * bytes_of(type);
}
void* moved(void* data, std::int64_t elements, std::int32_t type) {
    return static_cast<char*>(data) + elements * bytes_of(type);
}

/// What is common to all kernels of this file.
class AttentionKernel : public NodeKernel {
public:
    std::int64_t heads = 0, key_heads = 0;
    float scale = 0;  // 0: one over the root of the size
    float softcap = 0, filter = -10000;
    bool is_causal = false;

protected:
    float scale_for(std::int64_t size) const {
        return scale != 0 ? scale : size == 0 ? 1 : static_cast<float>(1 / std::sqrt(static_cast<double>(size)));
    }
    static void set_sizes(AttentionArgs& args, std::int64_t batch, std::int64_t of_heads, std::int64_t of_keys,
                          std::int64_t queries, std::int64_t keys, std::int64_t size, std::int64_t value_size) {
        if (size > attention_size || value_size > attention_size)
            throw DeviceError(LP_UNSUPPORTED, "heads of more than 256 elements");
        args.batch = narrow(batch);
        args.heads = narrow(of_heads);
        args.key_heads = narrow(of_keys);
        args.queries = narrow(queries);
        args.keys = narrow(keys);
        args.size = narrow(size);
        args.value_size = narrow(value_size);
    }
    /// A mask that broadcasts to [batch, heads, queries, keys].
    static void set_mask(AttentionArgs& args, const Array& mask) {
        if (!mask.data) return;
        const Dims target{args.batch, args.heads, args.queries, args.keys}, strides = strides_of(mask.dims);
        if (mask.dims.size() > 4 || broadcast(mask.dims, target) != target)
            throw DeviceError(LP_UNSUPPORTED, "a mask that does not broadcast to the scores");
        std::int32_t of[4] = {};
        for (std::size_t i = 1; i <= mask.dims.size(); ++i)
            if (mask.dims[mask.dims.size() - i] != 1) of[4 - i] = narrow(strides[strides.size() - i]);
        args.bias_strides = {of[0], of[1], of[2], of[3]};
        if (mask.type == boolean) args.allowed = static_cast<const std::uint8_t*>(mask.data);
        else args.bias = mask.data;
    }
    /// mask_index or key_padding_mask: lengths of the sequences, or one number for each key.
    void set_padding(AttentionArgs& args, const Array& mask) const {
        if (!mask.data) return;
        args.key_filter = filter;
        const auto* values = static_cast<const std::int32_t*>(mask.data);
        if (mask.dims == Dims{args.batch}) {
            args.key_lengths = values;
            args.length_filters = true;
        } else if (mask.dims == Dims{args.batch, args.keys}) {
            args.key_mask = values;
        } else if (mask.dims.size() != 2 || mask.dims[1] != 1) {
            throw DeviceError(LP_UNSUPPORTED, "a mask that is none of lengths or keys");
        }
    }
    /// Past rows with new ones behind: [batch, heads, past + rows, size].
    static void join(KernelRun& run, const Array& past, const void* fresh, HeadStrides strides, void* to,
                     std::int64_t batch, std::int64_t of_heads, std::int64_t rows, std::int64_t size, std::int32_t type) {
        CacheArgs args;
        args.fresh = fresh;
        args.old = past.data;
        args.y = to;
        args.type = type;
        args.batch = narrow(batch);
        args.heads = narrow(of_heads);
        args.rows = narrow(rows);
        args.size = narrow(size);
        args.past = args.old_rows = past.dims.size() == 4 ? narrow(past.dims[2]) : 0;
        args.capacity = args.past + args.rows;
        args.fresh_strides = strides;
        launch_cache(run.queue(), args);
    }
};

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
        if (of_k.rows != of_v.rows || of_k.size != of_q.size || of_k.batch != of_q.batch || of_v.batch != of_q.batch ||
            of_k.heads != of_q.heads || of_v.heads != of_q.heads)
            KernelRun::fail("Q, K and V do not fit");
        set_sizes(args, of_q.batch, of_q.heads, of_k.heads, of_q.rows, of_k.rows, of_q.size, of_v.size);
        args.q = q.data;
        args.k = k.data;
        args.v = v.data;
        args.type = q.type;
        args.q_strides = of_q.strides;
        args.k_strides = of_k.strides;
        args.v_strides = of_v.strides;
        args.scale = scale;
        if (of_k.rows > 0) args.blind = std::numeric_limits<float>::quiet_NaN();
        Array aligned = mask;
        if (q.dims.size() == 3 && mask.dims.size() == 3) aligned.dims.insert(aligned.dims.begin() + 1, 1);
        set_mask(args, aligned);
        Dims dims = q.dims.size() == 4 ? Dims{of_q.batch, of_q.heads, of_q.rows, of_v.size}
                                       : Dims{of_q.batch, of_q.rows, of_v.size};
        args.y_strides = heads_first(of_q.heads, of_q.rows, of_v.size);
        if (out_last) {
            dims = {of_q.batch, of_q.rows, of_q.heads, of_v.size};
            args.y_strides = heads_last(of_q.rows, of_q.heads * of_v.size, of_v.size);
        }
        args.y = run.output(0, q.type, dims);
        if (args.y) launch_attention(run.queue(), args);
    }

private:
    struct Form {
        std::int64_t batch, heads, rows, size;
        HeadStrides strides;
    };
    static Form form(const Array& x, bool is_last) {
        if (x.dims.size() == 3) return {x.dims[0], 1, x.dims[1], x.dims[2], heads_first(1, x.dims[1], x.dims[2])};
        if (x.dims.size() != 4) KernelRun::fail("Q, K and V are of rank 3 or 4");
        if (is_last)
            return {x.dims[0], x.dims[2], x.dims[1], x.dims[3], heads_last(x.dims[1], x.dims[2] * x.dims[3], x.dims[3])};
        return {x.dims[0], x.dims[1], x.dims[2], x.dims[3], heads_first(x.dims[1], x.dims[2], x.dims[3])};
    }
};

/// com.microsoft::Attention: projects, then attends.
class ProjectedAttention final : public AttentionKernel {
public:
    Dims hidden;
    Arithmetic arithmetic = Arithmetic::exact;

    void run(KernelRun& run) const override {
        const Array x = run.input(0), w = run.input(1), past = run.input(4);
        if (x.dims.size() != 3 || w.dims.size() != 2 || x.dims[2] != w.dims[0]) KernelRun::fail("input and weights do not fit");
        const std::int64_t batch = x.dims[0], rows = x.dims[1], width = w.dims[1];
        const Dims of = hidden.empty() ? Dims(3, width / 3) : hidden;
        const std::int64_t size = of[0] / heads, value_size = of[2] / heads;
        void* const projected = run.scratch(std::max<std::int64_t>(batch * rows * width * bytes_of(x.type), 1));
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
            const std::int64_t before = past.data && past.dims.size() == 5 ? past.dims[3] : 0;
            keys = before + rows;
            if (size != value_size) KernelRun::fail("present needs keys and values of one size");
            void* const present = run.output(1, x.type, {2, batch, heads, keys, size});
            const Dims half{batch, heads, before, size};
            const Array old_k{x.type, half, past.data};
            const Array old_v{x.type, half, past.data ? moved(past.data, count_of(half), x.type) : nullptr};
            void* const values = moved(present, batch * heads * keys * size, x.type);
            join(run, old_k, args.k, args.k_strides, present, batch, heads, rows, size, x.type);
            join(run, old_v, args.v, args.v_strides, values, batch, heads, rows, size, x.type);
            args.k = present;
            args.v = values;
            args.k_strides = args.v_strides = heads_first(heads, keys, size);
        }
        set_sizes(args, batch, heads, heads, rows, keys, size, value_size);
        args.scale = scale_for(size);
        args.is_causal = is_causal;
        args.first_end = narrow(keys - rows + 1);
        set_padding(args, run.input(3));
        set_mask(args, run.input(5));
        args.y_strides = heads_last(rows, heads * value_size, value_size);
        args.y = run.output(0, x.type, {batch, rows, heads * value_size});
        if (args.y) launch_attention(run.queue(), args);
    }

private:
    void project(KernelRun& run, const Array& x, const Array& w, void* y, std::int64_t rows, std::int64_t width) const {
        ProductArgs args;
        args.a = x.data;
        args.b = w.data;
        args.y = y;
        args.type = x.type;
        args.m = narrow(rows);
        args.n = narrow(width);
        args.k = args.a_row = narrow(w.dims[0]);
        args.b_row = args.n;
        args.epilogue.bias = run.input(2).data;
        args.epilogue.bias_column = 1;
        launch_product(run.queue(), args, arithmetic);
    }
};

/// MultiHeadAttention with Q, K and V apart, and Attention of ai.onnx: new keys behind past ones, both outputs.
class SplitAttention final : public AttentionKernel {
public:
    std::size_t mask_input = 0, padding_input = 0, past_input = 0, bias_input = 0;  // 0: none
    bool heads_given = false;  // by attributes, for inputs of rank 3

    void run(KernelRun& run) const override {
        Array q = run.input(0), k = run.input(1), v = run.input(2);
        const bool is_last = q.dims.size() == 3;
        if (k.dims.size() != q.dims.size() || v.dims.size() != q.dims.size() || (!is_last && q.dims.size() != 4))
            throw DeviceError(LP_UNSUPPORTED, "Q, K and V of other ranks than 3 or 4");
        const std::int64_t of_q = is_last ? heads : q.dims[1], of_k = is_last ? key_heads : k.dims[1];
        const std::int64_t batch = q.dims[0], rows = q.dims[is_last ? 1 : 2], fresh = k.dims[is_last ? 1 : 2];
        if (of_q <= 0 || of_k <= 0 || of_q % of_k != 0) KernelRun::fail("the heads of Q, K and V do not fit");
        const std::int64_t size = is_last ? q.dims[2] / of_q : q.dims[3], value_size = is_last ? v.dims[2] / of_k : v.dims[3];
        add_bias(run, q, 0);
        add_bias(run, k, q.dims.back());
        add_bias(run, v, q.dims.back() + k.dims.back());
        AttentionArgs args;
        args.type = q.type;
        args.q = q.data;
        args.k = k.data;
        args.v = v.data;
        args.q_strides = is_last ? heads_last(rows, q.dims[2], size) : heads_first(of_q, rows, size);
        args.k_strides = is_last ? heads_last(fresh, k.dims[2], size) : heads_first(of_k, fresh, size);
        args.v_strides = is_last ? heads_last(fresh, v.dims[2], value_size) : heads_first(of_k, fresh, value_size);
        const Array past_k = past_input ? run.input(past_input) : Array{}, past_v = past_input ? run.input(past_input + 1) : Array{};
        const std::int64_t keys = fresh + (past_k.dims.size() == 4 ? past_k.dims[2] : 0);
        if (past_k.data || past_k.dims.size() == 4 || run.wants(1) || run.wants(2)) {
            void* const all_k = run.output(1, q.type, {batch, of_k, keys, size});
            void* const all_v = run.output(2, q.type, {batch, of_k, keys, value_size});
            join(run, past_k, args.k, args.k_strides, all_k, batch, of_k, fresh, size, q.type);
            join(run, past_v, args.v, args.v_strides, all_v, batch, of_k, fresh, value_size, q.type);
            args.k = all_k;
            args.v = all_v;
            args.k_strides = heads_first(of_k, keys, size);
            args.v_strides = heads_first(of_k, keys, value_size);
        }
        set_sizes(args, batch, of_q, of_k, rows, keys, size, value_size);
        args.scale = scale_for(size);
        args.softcap = softcap;
        args.is_causal = is_causal;
        args.first_end = narrow(keys - fresh + 1);
        if (mask_input && run.has(mask_input)) set_mask(args, run.input(mask_input));
        if (padding_input && run.has(padding_input)) set_padding(args, run.input(padding_input));
        args.y_strides = is_last ? heads_last(rows, of_q * value_size, value_size) : heads_first(of_q, rows, value_size);
        args.y = run.output(0, q.type, is_last ? Dims{batch, rows, of_q * value_size} : Dims{batch, of_q, rows, value_size});
        if (args.y) launch_attention(run.queue(), args);
    }

private:
    /// Adds columns of the bias from `offset` on, in scratch memory.
    void add_bias(KernelRun& run, Array& x, std::int64_t offset) const {
        if (bias_input == 0 || !run.has(bias_input) || x.count() == 0) return;
        const Array bias = run.input(bias_input);
        if (offset + x.dims.back() > bias.count()) KernelRun::fail("the bias is too short");
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

class GroupQueryAttention final : public AttentionKernel {
public:
    bool does_rotate = false, is_interleaved = false;
    std::int64_t window = -1;
    std::optional<std::int64_t> total;

    void run(KernelRun& run) const override {
        const Array query = run.input(0);
        const bool is_packed = !run.has(1);
        const std::int64_t columns = is_packed ? heads + 2 * key_heads : heads;
        if (query.dims.size() != 3 || query.dims[2] % columns != 0) KernelRun::fail("the query does not divide into heads");
        const std::int64_t batch = query.dims[0], rows = query.dims[1], size = query.dims[2] / columns;
        const auto* lengths = static_cast<const std::int32_t*>(run.input(5).data);
        const std::int64_t keys = total ? *total : run.host_integers(6).at(0);
        const std::int32_t type = query.type;
        const std::int64_t width = query.dims[2], of_key = is_packed ? width : key_heads * size;
        const void* q = query.data;
        const void* k = is_packed ? moved(query.data, heads * size, type) : run.input(1).data;
        const void* v = is_packed ? moved(query.data, (heads + key_heads) * size, type) : run.input(2).data;
        HeadStrides q_strides = heads_last(rows, width, size), k_strides = heads_last(rows, of_key, size);
        const HeadStrides v_strides = k_strides;
        const bool is_prompt = rows == keys;
        if (does_rotate) {
            q = rotated(run, q, q_strides, batch, heads, rows, size, type, is_prompt ? nullptr : lengths);
            k = rotated(run, k, k_strides, batch, key_heads, rows, size, type, is_prompt ? nullptr : lengths);
            q_strides = heads_first(heads, rows, size);
            k_strides = heads_first(key_heads, rows, size);
        }
        const Array past_k = run.input(3), past_v = run.input(4);
        const std::int64_t old = past_k.dims.size() == 4 ? past_k.dims[2] : 0, capacity = std::max(old, keys);
        const Dims present{batch, key_heads, capacity, size};
        void* const all_k = run.output(1, type, present);
        void* const all_v = run.output(2, type, present);
        store(run, past_k, k, k_strides, all_k, present, rows, type, is_prompt ? nullptr : lengths);
        store(run, past_v, v, v_strides, all_v, present, rows, type, is_prompt ? nullptr : lengths);
        AttentionArgs args;
        args.type = type;
        args.q = q;
        args.k = all_k;
        args.v = all_v;
        args.q_strides = q_strides;
        args.k_strides = args.v_strides = heads_first(key_heads, capacity, size);
        set_sizes(args, batch, heads, key_heads, rows, keys, size, size);
        args.scale = scale_for(size);
        args.softcap = softcap;
        args.is_causal = true;
        args.first_end = 1;
        args.window = window > 0 ? narrow(window) : 0;
        if (!is_prompt) {
            args.end_follows_length = true;
            args.key_lengths = lengths;
            args.length_offset = 1;
        }
        set_mask(args, run.input(10));
        args.y_strides = heads_last(rows, heads * size, size);
        args.y = run.output(0, type, {batch, rows, heads * size});
        if (args.y) launch_attention(run.queue(), args);
    }

private:
    const void* rotated(KernelRun& run, const void* x, HeadStrides strides, std::int64_t batch, std::int64_t of,
                        std::int64_t rows, std::int64_t size, std::int32_t type, const std::int32_t* lengths) const {
        const Array cosines = run.input(7), sines = run.input(8), positions = run.input(9);
        if (cosines.dims.size() != 2 || cosines.dims != sines.dims || 2 * cosines.dims[1] > size)
            KernelRun::fail("cos_cache and sin_cache do not fit the heads");
        RotaryArgs args;
        args.x = x;
        args.cosines = cosines.data;
        args.sines = sines.data;
        args.type = type;
        args.batch = narrow(batch);
        args.heads = narrow(of);
        args.rows = narrow(rows);
        args.size = narrow(size);
        args.half = narrow(cosines.dims[1]);
        args.positions = narrow(cosines.dims[0]);
        args.x_strides = strides;
        args.y_strides = heads_first(of, rows, size);
        args.position_ids = static_cast<const std::int64_t*>(positions.data);
        args.key_lengths = lengths;
        args.length_offset = 1;
        args.is_interleaved = is_interleaved;
        args.clamps = true;
        args.node = run.node();
        void* const y = run.scratch(std::max<std::int64_t>(batch * of * rows * size * bytes_of(type), 1));
        args.y = y;
        launch_rotary(run.queue(), args);
        return y;
    }

    static void store(KernelRun& run, const Array& past, const void* fresh, HeadStrides strides, void* to,
                      const Dims& present, std::int64_t rows, std::int32_t type, const std::int32_t* lengths) {
        CacheArgs args;
        args.fresh = fresh;
        args.old = past.data;
        args.y = to;
        args.type = type;
        args.batch = narrow(present[0]);
        args.heads = narrow(present[1]);
        args.capacity = narrow(present[2]);
        args.size = narrow(present[3]);
        args.rows = narrow(rows);
        args.old_rows = past.dims.size() == 4 ? narrow(past.dims[2]) : 0;
        args.fresh_strides = strides;
        args.key_lengths = lengths;
        args.length_offset = 1;
        launch_cache(run.queue(), args);
    }
};

void require_head_types(const NodeView& node, std::initializer_list<std::size_t> inputs) {
    for (std::size_t i : inputs)
        if (node.has_input(i))
            require_type(node, i, is_float(node.input_type(i)) && node.input_type(i) == node.input_type(0));
}

/// Refuses optional inputs and outputs that the kernel does not know.
void require_absent(const NodeView& node, std::initializer_list<std::size_t> inputs) {
    for (std::size_t i : inputs)
        if (node.has_input(i)) throw Refusal("input " + std::to_string(i) + " is given");
}

void require_padding_mask(const NodeView& node, std::size_t input) {
    if (!node.has_input(input)) return;
    require_type(node, input, node.input_type(input) == i32);
    const auto mask = node.dims(input), x = node.dims(0);
    const bool is_lengths = mask && x && mask->size() == 1 && ((*mask)[0] < 0 || (*mask)[0] == (*x)[0]);
    if (!mask || (mask->size() != 2 && !is_lengths)) throw Refusal("its mask is none of lengths or keys");
}

}  // namespace

Made make_dot_product_attention(const NodeView& node, Making& making) {
    auto kernel = std::make_unique<DotProductAttention>();
    require_head_types(node, {0, 1, 2, 3});
    kernel->scale = node.real("scale", 1);
    kernel->q_last = node.integer("q_last", 0) != 0;
    kernel->v_last = node.integer("v_last", 0) != 0;
    kernel->out_last = node.integer("out_last", 0) != 0;
    kernel->k_form = node.integer("k_form", 0);
    making.kernel = "attention";
    return kernel;
}

Made make_projected_attention(const NodeView& node, Making& making) {
    auto kernel = std::make_unique<ProjectedAttention>();
    require_head_types(node, {0, 1, 2, 4, 5});
    require_absent(node, {6});
    require_padding_mask(node, 3);
    if (node.integer("do_rotary", 0) != 0) throw Refusal("it rotates");
    if (node.integer("past_present_share_buffer", 0) != 0) throw Refusal("past and present share a buffer");
    kernel->heads = kernel->key_heads = node.integer("num_heads", 0);
    kernel->hidden = node.integers("qkv_hidden_sizes");
    if (kernel->heads <= 0 || (!kernel->hidden.empty() && kernel->hidden.size() != 3))
        throw Refusal("its attributes name no heads");
    kernel->scale = node.real("scale", 0);
    kernel->filter = node.real("mask_filter_value", -10000);
    kernel->is_causal = node.integer("unidirectional", 0) != 0;
    kernel->arithmetic = arithmetic_of(node.input_type(0), making.precision);
    making.kernel = "attention";
    return kernel;
}

Made make_multi_head_attention(const NodeView& node, Making& making) {
    auto kernel = std::make_unique<SplitAttention>();
    require_head_types(node, {0, 1, 2, 3, 5, 6, 7});
    require_absent(node, {8, 9});
    require_padding_mask(node, 4);
    for (std::size_t i : {0, 1, 2})
        if (node.rank(i) != 3) throw Refusal("Q, K and V are not known to be of rank 3");
    if (node.has_output(3)) throw Refusal("its scores are asked for");
    kernel->heads = kernel->key_heads = node.integer("num_heads", 0);
    if (kernel->heads <= 0) throw Refusal("its attributes name no heads");
    kernel->scale = node.real("scale", 0);
    kernel->filter = node.real("mask_filter_value", -10000);
    kernel->is_causal = node.integer("unidirectional", 0) != 0;
    if (kernel->is_causal) throw Refusal("it is unidirectional");
    kernel->bias_input = 3;
    kernel->padding_input = 4;
    kernel->mask_input = 5;
    kernel->past_input = 6;
    making.kernel = "attention";
    return kernel;
}

Made make_attention(const NodeView& node, Making& making) {
    auto kernel = std::make_unique<SplitAttention>();
    require_head_types(node, {0, 1, 2, 4, 5});
    require_absent(node, {6});
    if (node.has_input(3)) require_type(node, 3, node.input_type(3) == boolean || node.input_type(3) == node.input_type(0));
    if (node.has_output(3)) throw Refusal("its scores are asked for");
    if (node.integer("left_window_size", -1) >= 0 || node.integer("right_window_size", -1) >= 0)
        throw Refusal("it has a window");
    kernel->heads = node.integer("q_num_heads", 0);
    kernel->key_heads = node.integer("kv_num_heads", 0);
    kernel->scale = node.real("scale", 0);
    kernel->softcap = node.real("softcap", 0);
    kernel->is_causal = node.integer("is_causal", 0) != 0;
    kernel->mask_input = 3;
    kernel->past_input = 4;
    making.kernel = "attention";
    return kernel;
}

Made make_group_query_attention(const NodeView& node, Making& making) {
    auto kernel = std::make_unique<GroupQueryAttention>();
    require_head_types(node, {0, 1, 2, 3, 4, 7, 8, 10});
    require_absent(node, {11, 12, 13, 14, 15, 16});
    if (node.has_output(3)) throw Refusal("its scores are asked for");
    if (node.text("k_quant_type", "NONE") != "NONE" || node.text("v_quant_type", "NONE") != "NONE")
        throw Refusal("its cache is quantized");
    if (node.integer("sliding_window_cache", 0) != 0 || node.integer("smooth_softmax", 0) == 1 || node.integer("causal", 1) == 0)
        throw Refusal("its cache slides, its softmax is smooth, or it sees later keys");
    require_type(node, 5, node.input_type(5) == i32);
    kernel->heads = node.integer("num_heads", 0);
    kernel->key_heads = node.integer("kv_num_heads", 0);
    if (kernel->heads <= 0 || kernel->key_heads <= 0 || kernel->heads % kernel->key_heads != 0)
        throw Refusal("its attributes name no heads");
    kernel->scale = node.real("scale", 0);
    kernel->softcap = node.real("softcap", 0);
    kernel->window = node.integer("local_window_size", -1);
    kernel->does_rotate = node.integer("do_rotary", 0) != 0;
    kernel->is_interleaved = node.integer("rotary_interleaved", 0) != 0;
    const HostIntegers total(node, 6, making);
    if (total.constant()) kernel->total = total.constant()->at(0);
    making.kernel = "attention_grouped";
    return kernel;
}

}  // namespace lapidary::cuda
