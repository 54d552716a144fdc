// SPDX-License-Identifier: Apache-2.0
// RotaryEmbedding (23) and com.microsoft RotaryEmbedding in float.
#include <algorithm>

#include "kernels/float_inputs.h"
#include "kernels/input_index.h"
#include "kernels/normalization/row_split.h"
#include "kernels/vector/attention.h"

namespace lapidary {

namespace reference {
void rotary_embedding(KernelContext&);
void contrib_rotary_embedding(KernelContext&);
}  // namespace reference

namespace {

/// The row of the tables for each place: ids [batch, sequence], or one number from which places
/// count.
struct Positions {
    const Tensor& ids;
    std::int64_t sequence, table_rows;
    bool is_offset;

    Positions(const Tensor& given, bool may_be_offset, std::int64_t length, std::int64_t rows)
        : ids(given), sequence(length), table_rows(rows),
          is_offset(may_be_offset && given.size() == 1 && given.rank() <= 1) {}

    bool fit(std::int64_t batch) const {
        return is_offset || ids.shape() == Shape{batch, sequence};
    }

    /// -1: the id lies outside of the tables.
    std::int64_t at(std::int64_t b, std::int64_t s) const {
        const auto i = static_cast<std::size_t>(is_offset ? 0 : b * sequence + s);
        const std::int64_t id = ids.dtype() == DType::i64
                                    ? ids.data<std::int64_t>()[i]
                                    : std::int64_t{ids.data<std::int32_t>()[i]};
        return id < 0 || id >= table_rows ? std::int64_t{-1} : id + (is_offset ? s : 0);
    }

    bool are_inside(std::int64_t batch) const {
        for (std::int64_t i = 0; i < batch * sequence; ++i) {
            const std::int64_t row = at(i / sequence, i % sequence);
            if (row < 0 || row >= table_rows) return false;
        }
        return true;
    }
};

class RotaryEmbedding final : public Kernel {
public:
    RotaryEmbedding(const Node& node, bool contrib)
        : contrib_(contrib), interleaved_(node.int_attribute("interleaved", 0) != 0),
          heads_(node.int_attribute("num_heads", 0)),
          rotated_(node.int_attribute("rotary_embedding_dim", 0)), vector_(attention_kernels()) {}

    StorageSharing sharing() const override { return {StorageSharing::overwrite, 1}; }

    /// Leaves runs that do not fit to the reference kernel, which reports why.
    void run(KernelContext& context) const override {
        if (const FallbackReason why = run_fast(context))
            context.run_on_reference(
                contrib_ ? reference::contrib_rotary_embedding : reference::rotary_embedding, why);
    }

private:
    FallbackReason run_fast(KernelContext& context) const {
        const Tensor& x = context.input(0);
        const Tensor &cosine = context.input(contrib_ ? 2 : 1),
                     &sine = context.input(contrib_ ? contrib_rotary_input::sin_cache : 2);
        const Tensor* positions = context.optional_input(contrib_ ? 1 : rotary_input::position_ids);
        if (x.dtype() != DType::f32 || cosine.dtype() != DType::f32 || sine.dtype() != DType::f32)
            return fallback::element_type;
        if (x.size() == 0 || cosine.size() == 0) return fallback::no_elements;
        if (!positions)
            return "position_ids are left out: the tables hold a row per sequence and position";
        if ((x.rank() != 3 && x.rank() != 4) || cosine.shape() != sine.shape() ||
            cosine.rank() != 2)
            return fallback::shapes;
        if (positions->dtype() != DType::i64 && positions->dtype() != DType::i32)
            return fallback::index_type;
        const bool heads_first = x.rank() == 4;
        const std::int64_t half = cosine.dim(1), batch = x.dim(0),
                           sequence = x.dim(heads_first ? 2 : 1);
        const std::int64_t size = head_size(x, half);
        if (!fits_heads(x, size, half)) return fallback::shapes;
        const std::int64_t heads = heads_first ? x.dim(1) : x.dim(2) / size;
        const Positions rows(*positions, contrib_, sequence, cosine.dim(0));
        if (!rows.fit(batch)) return fallback::shapes;
        if (!rows.are_inside(batch)) return fallback::index_outside;
        const float *from = x.data<float>().data(), *c = cosine.data<float>().data(),
                    *z = sine.data<float>().data();
        float* to = context.output(0, DType::f32, x.shape()).mutable_data<float>().data();
        // Rows in the order in which they lie.
        for_row_ranges(
            context, batch * heads * sequence, 2 * size, [&](std::int64_t begin, std::int64_t end) {
                for (std::int64_t i = begin; i < end; ++i) {
                    const std::int64_t b = i / (heads * sequence),
                                       s = heads_first ? i % sequence : i / heads % sequence;
                    const std::int64_t position = rows.at(b, s) * half;
                    rotate_row(from + i * size, c + position, z + position, half, size,
                               to + i * size);
                }
            });
        return fallback::none;
    }

    /// Items behind the first 2 * half stay as they are.
    void rotate_row(const float* row, const float* cosine, const float* sine, std::int64_t half,
                    std::int64_t size, float* out) const {
        vector_.rotate(row, cosine, sine, half, interleaved_, out);
        if (row != out) std::copy(row + 2 * half, row + size, out + 2 * half);
    }

    /// 0: the attributes do not divide the rows.
    std::int64_t head_size(const Tensor& x, std::int64_t half) const {
        if (x.rank() == 4) return x.dim(3);
        if (contrib_ && rotated_ == 0) return 2 * half;
        return heads_ > 0 && x.dim(2) % heads_ == 0 ? x.dim(2) / heads_ : 0;
    }

    /// Tables of `half` columns rotate heads of `size` items, of which x holds whole ones.
    bool fits_heads(const Tensor& x, std::int64_t size, std::int64_t half) const {
        if (size < 1 || 2 * half > size || (x.rank() != 4 && x.dim(2) % size != 0)) return false;
        return contrib_ || 2 * half == (rotated_ == 0 ? size : rotated_);
    }

    const bool contrib_, interleaved_;
    const std::int64_t heads_, rotated_;
    const AttentionKernels& vector_;
};

}  // namespace

std::unique_ptr<Kernel> make_rotary_embedding(const KernelRequest& request, std::string& reason) {
    return takes_floats(request, {0, 1, 2}, reason)
               ? std::make_unique<RotaryEmbedding>(request.node, false)
               : nullptr;
}

std::unique_ptr<Kernel> make_contrib_rotary_embedding(const KernelRequest& request,
                                                      std::string& reason) {
    return takes_floats(request, {0, 2, contrib_rotary_input::sin_cache}, reason)
               ? std::make_unique<RotaryEmbedding>(request.node, true)
               : nullptr;
}

}  // namespace lapidary
