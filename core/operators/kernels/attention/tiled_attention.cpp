// SPDX-License-Identifier: Apache-2.0
#include "kernels/attention/tiled_attention.h"

#include <algorithm>
#include <bit>

#include "kernels/attention/scaled_bytes.h"
#include "kernels/vector/attention.h"
#include "kernels/vector/elementwise/elementwise.h"

namespace lapidary {
namespace {

constexpr std::int64_t line = 16;  // floats that workers' buffers are kept apart by
constexpr std::int64_t most_block_rows = 48;

std::int64_t rounded(std::int64_t n, std::int64_t step) { return (n + step - 1) / step * step; }

/// The working memory of one worker: packed keys and values, queries, scores and sums.
struct Workspace {
    std::int64_t keys, values, queries, scores, sums, wide, floats;

    Workspace(const TiledAttention& a, const AttentionKernels& k, bool packs)
        : keys(0), values(packs ? rounded(rounded(a.keys, k.panel) * a.size, line) : 0),
          queries(values + (packs ? rounded(a.keys * rounded(a.value_size, k.panel), line) : 0)),
          scores(queries + rounded(k.block_rows * rounded(a.size, line), line)),
          sums(scores + rounded(k.block_rows * k.score_stride, line)),
          wide(sums + rounded(k.block_rows * rounded(a.value_size, k.panel), line)),
          floats(wide + (packs && (a.half_k.data || a.byte_k.data)
                             ? rounded(a.keys * std::max(a.size, a.value_size), line)
                             : 0)) {}
};

/// Rows of one key head are its heads' queries, one head after the other.
class HeadRun {
public:
    HeadRun(const TiledAttention& attention, const AttentionKernels& kernels, bool packs,
            float* memory, const Workspace& space)
        : a_(attention), kernels_(kernels), packs_(packs), memory_(memory), space_(space) {}

    void pack(std::int64_t b, std::int64_t key_head) const {
        if (!packs_) return;
        if (a_.half_k.data || a_.byte_k.data) return pack_narrow(b, key_head);
        (a_.key_columns ? kernels_.pack_key_columns : kernels_.pack_keys)(
            a_.k.at(b, key_head), a_.k.row, a_.keys, a_.size, memory_ + space_.keys);
        kernels_.pack_values(a_.v.at(b, key_head), a_.v.row, a_.keys, a_.value_size,
                             memory_ + space_.values);
    }

    void attend(std::int64_t b, std::int64_t key_head, std::int64_t begin, std::int64_t end) const {
        const std::int64_t group = a_.heads / a_.key_heads, q_stride = rounded(a_.size, line);
        AttentionRow rows[most_block_rows];
        AttentionBlock block;
        block.rows = end - begin;
        block.keys = a_.keys;
        block.size = a_.size;
        block.value_size = a_.value_size;
        block.row = rows;
        block.q_stride = q_stride;
        block.q = memory_ + space_.queries;
        const bool is_half = a_.half_k.data != nullptr, are_bytes = a_.byte_k.data != nullptr;
        block.k_stride = is_half ? a_.half_k.row : are_bytes ? a_.byte_k.row : a_.k.row;
        block.v_stride = is_half ? a_.half_v.row : are_bytes ? a_.byte_v.row : a_.v.row;
        if (packs_) {
            block.k = memory_ + space_.keys;
            block.v = memory_ + space_.values;
        } else if (is_half) {
            block.half_k = a_.half_k.at(b, key_head);
            block.half_v = a_.half_v.at(b, key_head);
            block.halves_are_bfloat = a_.halves_are_bfloat;
        } else if (are_bytes) {
            block.byte_k = a_.byte_k.at(b, key_head);
            block.byte_v = a_.byte_v.at(b, key_head);
        } else {
            block.k = a_.k.at(b, key_head);
            block.v = a_.v.at(b, key_head);
        }
        block.softcap = a_.softcap;
        block.blind = a_.blind;
        block.scores = memory_ + space_.scores;
        block.sums = memory_ + space_.sums;
        const std::int64_t first_end = a_.ends ? a_.ends[b] : a_.end;
        for (std::int64_t i = begin; i < end; ++i) {
            const std::int64_t head = key_head * group + i / a_.queries, s = i % a_.queries;
            AttentionRow& row = rows[i - begin];
            row.last = std::clamp<std::int64_t>(first_end + (a_.causal ? s : 0), 0, a_.keys);
            row.first = a_.window > 0
                            ? std::max<std::int64_t>(0, first_end + (a_.causal ? s : 0) - a_.window)
                            : 0;
            row.padding = a_.padding.data ? a_.padding.at(b, 0, s) : nullptr;
            row.bias = a_.bias.data ? a_.bias.at(b, head, s) : nullptr;
            row.has_sink = a_.sinks != nullptr;
            row.sink = a_.sinks ? a_.sinks[head] : 0;
            row.out = a_.out.at(b, head, s);
            float* q = memory_ + space_.queries + (i - begin) * q_stride;
            kernels_.scale_row(a_.q.at(b, head, s),
                               a_.q_bias ? a_.q_bias + head * a_.size : nullptr, a_.size, a_.scale,
                               q);
            if (a_.rotary.cosine) a_.rotary.rotate(q, a_.positions[b * a_.queries + s]);
        }
        // Rows that only fill up the last step are multiplied and thrown away.
        for (std::int64_t i = block.rows; i < rounded(block.rows, kernels_.row_step); ++i)
            std::fill_n(memory_ + space_.queries + i * q_stride, a_.size, 0.0f);
        (packs_ ? kernels_.attend : kernels_.attend_stream)(block);
    }

private:
    void pack_narrow(std::int64_t b, std::int64_t key_head) const {
        float* const wide = memory_ + space_.wide;
        const auto widen = [&](const HeadRows<const std::uint16_t>& halves,
                               const HeadRows<const std::int8_t>& bytes, std::int64_t size) {
            for (std::int64_t r = 0; r < a_.keys; ++r)
                if (halves.data && a_.halves_are_bfloat)
                    std::transform(halves.at(b, key_head, r), halves.at(b, key_head, r) + size,
                                   wide + r * size, [](std::uint16_t upper) {
                                       return std::bit_cast<float>(std::uint32_t{upper} << 16);
                                   });
                else if (halves.data)
                    elementwise_kernels().widen_half(halves.at(b, key_head, r), wide + r * size,
                                                     size);
                else scaled_bytes::load(bytes.at(b, key_head, r), size, wide + r * size);
        };
        widen(a_.half_k, a_.byte_k, a_.size);
        kernels_.pack_keys(wide, a_.size, a_.keys, a_.size, memory_ + space_.keys);
        widen(a_.half_v, a_.byte_v, a_.value_size);
        kernels_.pack_values(wide, a_.value_size, a_.keys, a_.value_size, memory_ + space_.values);
    }

    const TiledAttention& a_;
    const AttentionKernels& kernels_;
    const bool packs_;
    float* const memory_;
    const Workspace& space_;
};

}  // namespace

float* scratch_floats(Tensor& holder, KernelContext& context, std::int64_t count) {
    holder = context.scratch(DType::f32, {std::max<std::int64_t>(count, 1)});
    return holder.mutable_data<float>().data();
}

void RotaryTable::rotate(float* row, std::int64_t position) const {
    attention_kernels().rotate(row, cosine + position * half, sine + position * half, half,
                               interleaved, row);
}

void TiledAttention::run(KernelContext& context) const {
    const AttentionKernels& kernels = attention_kernels();
    const std::int64_t pairs = batch * key_heads;
    if (pairs == 0 || value_size == 0) return;
    const std::int64_t rows = heads / key_heads * queries;
    if (rows == 0) return;
    // A few queries read keys and values from memory once, and then from the cache. Packing them
    // first takes longer than it saves.
    constexpr std::int64_t few_rows = 8;
    const bool packs = rows > few_rows || key_columns;
    const Workspace space(*this, kernels, packs);
    ThreadPool& pool = context.threads();
    const int workers = pool.threads();
    // One key head is cut only where there are few of them: every piece packs keys and values
    // again.
    const std::int64_t wanted = workers == 1 ? 1 : (4 * workers + pairs - 1) / pairs;
    const std::int64_t chunks = std::clamp<std::int64_t>(
        wanted, 1, (rows + 2 * kernels.block_rows - 1) / (2 * kernels.block_rows));
    Tensor holder;
    float* memory = scratch_floats(holder, context, workers * space.floats);
    const auto body = [&](std::int64_t task, int worker) {
        const std::int64_t pair = task / chunks, chunk = task % chunks, b = pair / key_heads,
                           key_head = pair % key_heads;
        const HeadRun run(*this, kernels, packs, memory + worker * space.floats, space);
        run.pack(b, key_head);
        const std::int64_t end = rows * (chunk + 1) / chunks;
        for (std::int64_t begin = rows * chunk / chunks; begin < end; begin += kernels.block_rows) {
            context.cancel().throw_if_cancelled();
            run.attend(b, key_head, begin, std::min(begin + kernels.block_rows, end));
        }
    };
    constexpr std::int64_t worth_threads = 100'000;  // multiplications
    if (workers == 1 || pairs * chunks == 1 ||
        pairs * rows * keys * (size + value_size) < worth_threads)
        for (std::int64_t task = 0; task < pairs * chunks; ++task) body(task, 0);
    else pool.parallel_tasks(pairs * chunks, body);
}

void CacheAppend::run(KernelContext& context) const {
    const auto body = [&](std::int64_t begin, std::int64_t end) {
        context.cancel().throw_if_cancelled();
        for (std::int64_t i = begin; i < end; ++i) {
            const std::int64_t b = i / heads, head = i % heads,
                               used = past_rows ? past_rows[b] : past_count;
            const float* old = past ? past + i * past_capacity * size : nullptr;
            float* rows = to + i * capacity * size;
            if (old && old != rows) std::copy_n(old, used * size, rows);
            for (std::int64_t s = 0; s < fresh_rows; ++s) {
                float* row = rows + (used + s) * size;
                std::copy_n(fresh.at(b, head, s), size, row);
                if (bias)
                    for (std::int64_t j = 0; j < size; ++j) row[j] += bias[head * size + j];
                if (rotary.cosine) rotary.rotate(row, positions[b * fresh_rows + s]);
            }
            const std::int64_t filled = used + fresh_rows,
                               kept = keeps_rest && old ? std::max(filled, past_capacity) : filled;
            if (kept > filled && old != rows)
                std::copy_n(old + filled * size, (kept - filled) * size, rows + filled * size);
            if (old != rows) std::fill_n(rows + kept * size, (capacity - kept) * size, 0.0f);
        }
    };
    const std::int64_t grain =
        std::max<std::int64_t>(1, 16384 / std::max<std::int64_t>(capacity * size, 1));
    if (batch * heads <= grain || context.threads().threads() == 1) body(0, batch * heads);
    else context.threads().parallel_for(batch * heads, grain, body);
}

}  // namespace lapidary
