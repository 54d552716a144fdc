// SPDX-License-Identifier: Apache-2.0
// com.microsoft::GroupQueryAttention: rotation, a cache of keys and values, grouped heads.
#include <algorithm>

#include "operators/attention_kernel.h"
#include "operators/makers.h"

namespace lapidary::cuda {
namespace {

using Made = std::unique_ptr<NodeKernel>;

class GroupQueryAttention final : public AttentionKernel {
public:
    bool does_rotate = false, is_interleaved = false;
    std::int64_t window = -1;
    HostIntegers total;

    void run(KernelRun& run) const override {
        const Array query = run.input(0);
        const bool is_packed = !run.has(1);
        const std::int64_t columns = is_packed ? sum_of(heads, product_of(2, key_heads)) : heads;
        if (query.dims.size() != 3 || query.dims[2] % columns != 0)
            KernelRun::fail("the query does not divide into heads");
        const std::int64_t batch = query.dims[0], rows = query.dims[1],
                           size = query.dims[2] / columns;
        const auto* lengths = static_cast<const std::int32_t*>(run.input(5).data);
        const std::int64_t keys = total.one_at(run);
        for (std::size_t i : {1, 2})
            run.require_dims(i, {batch, rows, product_of(key_heads, size)});
        run.require_dims(3, {batch, key_heads, -1, size});
        if (run.has(3)) run.require_dims(4, run.input(3).dims);
        if (run.input(5).count() != batch)
            KernelRun::fail("seqlens_k: expected one of each sequence, found " +
                            text_of(run.input(5).dims));
        run.require_dims(9, {batch, rows});
        const std::int32_t type = query.type;
        const std::int64_t width = query.dims[2], of_key = is_packed ? width : key_heads * size;
        const void* q = query.data;
        const void* k = is_packed ? moved(query.data, heads * size, type) : run.input(1).data;
        const void* v =
            is_packed ? moved(query.data, (heads + key_heads) * size, type) : run.input(2).data;
        HeadStrides q_strides = heads_last(rows, width, size),
                    k_strides = heads_last(rows, of_key, size);
        const HeadStrides v_strides = k_strides;
        const bool is_prompt = rows == keys;
        if (does_rotate) {
            q = rotated(run, q, q_strides, batch, heads, rows, size, type,
                        is_prompt ? nullptr : lengths);
            k = rotated(run, k, k_strides, batch, key_heads, rows, size, type,
                        is_prompt ? nullptr : lengths);
            q_strides = heads_first(heads, rows, size);
            k_strides = heads_first(key_heads, rows, size);
        }
        const Array past_k = run.input(3), past_v = run.input(4);
        const std::int64_t old = run.has(3) ? past_k.dims[2] : 0, capacity = std::max(old, keys);
        if (keys < 0 || keys > old + rows)
            KernelRun::fail("total_sequence_length " + std::to_string(keys) +
                            " is more than the past " + std::to_string(old) + " and the " +
                            std::to_string(rows) + " new ones");
        const Dims present{batch, key_heads, capacity, size};
        void* const all_k = run.output(1, type, present);
        void* const all_v = run.output(2, type, present);
        AttentionArgs args;
        args.type = type;
        args.q = q;
        args.k = k;
        args.v = v;
        args.q_strides = q_strides;
        args.k_strides = k_strides;
        args.v_strides = v_strides;
        set_sizes(args, batch, heads, key_heads, rows, keys, size, size);
        args.scale = scale_for(size);
        args.softcap = softcap;
        args.is_causal = true;
        args.first_end = 1;
        args.window = window > 0 ? narrow(window) : 0;
        set_caches(args, past_k, past_v, all_k, all_v, rows, capacity);
        args.past = 0;
        if (!is_prompt) {
            args.past_follows_length = args.end_follows_length = true;
            args.key_lengths = lengths;
            args.length_offset = 1;
        }
        set_mask(args, run.input(10));
        args.y_strides = heads_last(rows, heads * size, size);
        args.y = run.output(0, type, {batch, rows, heads * size});
        attend(run, args);
    }

private:
    const void* rotated(KernelRun& run, const void* x, HeadStrides strides, std::int64_t batch,
                        std::int64_t of, std::int64_t rows, std::int64_t size, std::int32_t type,
                        const std::int32_t* lengths) const {
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
        void* const y =
            run.scratch(std::max<std::int64_t>(batch * of * rows * size * bytes_of(type), 1));
        args.y = y;
        launch_rotary(run.queue(), args);
        return y;
    }
};

}  // namespace

Made make_group_query_attention(const NodeView& node, Making& making) {
    auto kernel = std::make_unique<GroupQueryAttention>();
    require_head_types(node, {0, 1, 2, 3, 4, 7, 8, 10});
    require_absent(node, {11, 12, 13, 14, 15, 16});
    require_both(node, 1, 2);
    require_both(node, 3, 4);
    if (node.has_output(3)) throw Refusal("its scores are asked for");
    if (node.text("k_quant_type", "NONE") != "NONE" || node.text("v_quant_type", "NONE") != "NONE")
        throw Refusal("its cache is quantized");
    if (node.integer("sliding_window_cache", 0) != 0 || node.integer("smooth_softmax", 0) == 1 ||
        node.integer("causal", 1) == 0)
        throw Refusal("its cache slides, its softmax is smooth, or it sees later keys");
    require_type(node, 5, node.input_type(5) == i32);
    kernel->heads = node.integer("num_heads", 0);
    kernel->key_heads = node.integer("kv_num_heads", 0);
    if (kernel->heads <= 0 || kernel->key_heads <= 0 || kernel->heads % kernel->key_heads != 0)
        throw Refusal("its attributes name no heads");
    kernel->scale = scale_unless_zero(node);
    kernel->softcap = node.real("softcap", 0);
    kernel->window = std::min<std::int64_t>(node.integer("local_window_size", -1), INT32_MAX);
    kernel->does_rotate = node.integer("do_rotary", 0) != 0;
    kernel->is_interleaved = node.integer("rotary_interleaved", 0) != 0;
    kernel->total = HostIntegers(node, 6, making);
    kernel->in_tf32 = allows_tf32(making.precision);
    kernel->tuner = making.tuner;
    making.kernel = "attention_grouped";
    return kernel;
}

}  // namespace lapidary::cuda
