// SPDX-License-Identifier: Apache-2.0
// RotaryEmbedding (23): rotates pairs of elements of every head by an angle that depends on the
// position.
#include <algorithm>

#include "kernels/input_index.h"
#include "kernels/reference/elementwise/widening.h"

namespace lapidary::reference {
namespace {

struct RotaryGeometry {
    bool heads_last;  // [batch, sequence, heads * size]; else [batch, heads, sequence, size]
    std::int64_t batch, heads, sequence, size, rotated;
};

RotaryGeometry geometry_of(const Node& node, const Tensor& x) {
    RotaryGeometry g{};
    if (x.rank() == 4) {
        g = {false, x.dim(0), x.dim(1), x.dim(2), x.dim(3), 0};
    } else if (x.rank() == 3) {
        const std::int64_t heads = node.int_attribute("num_heads", 0);
        if (heads < 1 || x.dim(2) % heads != 0)
            fail_input("RotaryEmbedding: attribute num_heads = " + std::to_string(heads) +
                       " does not divide X " + to_string(x.shape()));
        g = {true, x.dim(0), heads, x.dim(1), x.dim(2) / heads, 0};
    } else {
        fail_input("RotaryEmbedding: expected X of rank 3 or 4, found " + to_string(x.shape()));
    }
    const std::int64_t asked = node.int_attribute("rotary_embedding_dim", 0);
    g.rotated = asked == 0 ? g.size : asked;
    if (g.rotated < 0 || g.rotated > g.size || g.rotated % 2 != 0)
        fail_input("RotaryEmbedding: expected an even number of rotated elements in [0, " +
                   std::to_string(g.size) + "], found " + std::to_string(g.rotated));
    return g;
}

/// Row of the caches for every (batch, sequence) position.
std::vector<std::int64_t> cache_rows(KernelContext& context, const RotaryGeometry& g) {
    const Tensor& cosine = context.input(1);
    if (context.input(2).shape() != cosine.shape())
        fail_input("RotaryEmbedding: cos_cache " + to_string(cosine.shape()) + " and sin_cache " +
                   to_string(context.input(2).shape()) + " differ in shape");
    const Tensor* positions = context.optional_input(rotary_input::position_ids);
    Shape expected{g.batch, g.sequence, g.rotated / 2};
    if (positions) expected = {cosine.rank() == 2 ? cosine.dim(0) : 0, g.rotated / 2};
    if (cosine.shape() != expected)
        fail_input("RotaryEmbedding: expected cos_cache " + to_string(expected) + ", found " +
                   to_string(cosine.shape()));
    std::vector<std::int64_t> rows(static_cast<std::size_t>(g.batch * g.sequence));
    if (!positions) {
        for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<std::int64_t>(i);
        return rows;
    }
    if (positions->shape() != Shape{g.batch, g.sequence})
        fail_input("RotaryEmbedding: expected position_ids " +
                   to_string(Shape{g.batch, g.sequence}) + ", found " +
                   to_string(positions->shape()));
    rows = to_int64s(*positions);
    for (const std::int64_t row : rows)
        if (row < 0 || row >= cosine.dim(0))
            fail_input("RotaryEmbedding: position " + std::to_string(row) +
                       " is outside the cache of " + std::to_string(cosine.dim(0)));
    return rows;
}

}  // namespace

void rotary_embedding(KernelContext& context) {
    const Tensor& x = context.input(0);
    const RotaryGeometry g = geometry_of(context.node(), x);
    const auto rows = cache_rows(context, g);
    const bool interleaved = context.node().int_attribute("interleaved", 0) != 0;
    const std::int64_t half = g.rotated / 2;
    dispatch_compute(x.dtype(), [&]<typename T>() {
        const Widened<T> input(context, x), cosine(context, context.input(1)),
            sine(context, context.input(2));
        Narrowed<T> output(context, context.output(0, x.dtype(), x.shape()));
        for (std::int64_t b = 0; b < g.batch && x.size() > 0; ++b)
            for (std::int64_t head = 0; head < g.heads; ++head) {
                context.cancel().throw_if_cancelled();
                for (std::int64_t s = 0; s < g.sequence; ++s) {
                    const std::int64_t at = g.heads_last
                                                ? ((b * g.sequence + s) * g.heads + head) * g.size
                                                : ((b * g.heads + head) * g.sequence + s) * g.size;
                    const T* from = input.data() + at;
                    T* to = output.data() + at;
                    const std::int64_t row =
                        rows[static_cast<std::size_t>(b * g.sequence + s)] * half;
                    for (std::int64_t i = 0; i < half; ++i) {
                        const std::int64_t first = interleaved ? 2 * i : i,
                                           second = interleaved ? 2 * i + 1 : half + i;
                        const T c = cosine[row + i], z = sine[row + i];
                        to[first] = c * from[first] - z * from[second];
                        to[second] = z * from[first] + c * from[second];
                    }
                    std::copy(from + g.rotated, from + g.size, to + g.rotated);
                }
            }
        output.store();
    });
}

}  // namespace lapidary::reference
