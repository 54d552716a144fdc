// SPDX-License-Identifier: Apache-2.0
// com.microsoft EmbedLayerNormalization in float: looks up, adds and normalizes row by row.
#include <algorithm>
#include <initializer_list>
#include <optional>

#include "kernels/float_inputs.h"
#include "kernels/input_index.h"
#include "kernels/normalization/row_split.h"
#include "kernels/vector/normalization/normalization.h"

namespace lapidary {

namespace reference {
void embed_layer_normalization(KernelContext&);
}

namespace {

/// Ids of one of the two integer types.
struct Ids {
    const std::int32_t* narrow = nullptr;
    const std::int64_t* wide = nullptr;
    std::int64_t count = 0;

    static std::optional<Ids> of(const Tensor& t) {
        if (t.dtype() == DType::i32) return Ids{t.data<std::int32_t>().data(), nullptr, t.size()};
        if (t.dtype() == DType::i64) return Ids{nullptr, t.data<std::int64_t>().data(), t.size()};
        return {};
    }
    std::int64_t at(std::int64_t i) const { return narrow ? narrow[i] : wide[i]; }
    /// `absent` where there are no ids.
    std::int64_t at_or(std::int64_t i, std::int64_t absent) const {
        return count == 0 ? absent : at(i);
    }
};

class EmbedLayerNormalization final : public Kernel {
public:
    explicit EmbedLayerNormalization(const Node& node)
        : epsilon_(node.float_attribute("epsilon", 1e-12f)), vector_(normalization_kernels()) {}

    void run(KernelContext& context) const override {
        const Tensor& ids = context.input(0);
        namespace in = embed_normalization_input;
        const Tensor &words = context.input(2), &positions = context.input(in::position_embedding),
                     &gamma = context.input(in::gamma), &beta = context.input(in::beta);
        const Tensor *segments = context.optional_input(1),
                     *segment_table = context.optional_input(in::segment_embedding),
                     *position_ids = context.optional_input(in::position_ids);
        const std::int64_t hidden = words.rank() == 2 ? words.dim(1) : 0;
        const auto word_of = Ids::of(ids), segment_of = segments ? Ids::of(*segments) : Ids(),
                   position_of = position_ids ? Ids::of(*position_ids) : Ids();
        const bool fits = word_of && segment_of && position_of &&
                          fit_ids(ids, segments, position_ids) &&
                          are_of_width({&words, &positions, segment_table}, 2, hidden) &&
                          are_of_width({&gamma, &beta}, 1, hidden);
        const std::int64_t rows = ids.size(), sequence = ids.rank() == 2 ? ids.dim(1) : 0;
        const auto position_at = [&](std::int64_t i) {
            return position_of->at_or(position_of->count == rows ? i : i % sequence, i % sequence);
        };
        const auto segment_at = [&](std::int64_t i) { return segment_of->at_or(i, 0); };
        if (!fits)
            return context.run_on_reference(reference::embed_layer_normalization, fallback::shapes);
        if (!all_inside(rows, words, [&](std::int64_t i) { return word_of->at(i); }) ||
            !all_inside(rows, positions, position_at) ||
            (segment_table && !all_inside(rows, *segment_table, segment_at)))
            return context.run_on_reference(reference::embed_layer_normalization,
                                            fallback::index_outside);

        NormalizedRows shared;
        shared.width = hidden;
        shared.scale = gamma.data<float>().data();
        shared.shift = beta.data<float>().data();
        shared.epsilon = epsilon_;
        float* y = context.output(0, DType::f32, {ids.dim(0), sequence, hidden})
                       .mutable_data<float>()
                       .data();
        float* sum = nullptr;
        if (context.output_count() > 2 && context.wants_output(2))
            sum = context.output(2, DType::f32, {ids.dim(0), sequence, hidden})
                      .mutable_data<float>()
                      .data();
        if (context.output_count() > 1 && context.wants_output(1)) count_kept(context, ids);
        const float *word_rows = rows_of(words), *position_rows = rows_of(positions),
                    *segment_rows = segment_table ? rows_of(*segment_table) : nullptr;
        for_row_ranges(context, rows, hidden, [&](std::int64_t begin, std::int64_t end) {
            NormalizedRows row = shared;
            for (std::int64_t i = begin; i < end; ++i) {
                row.x = row_at(words, word_rows, word_of->at(i));
                row.skip = row_at(positions, position_rows, position_at(i));
                row.bias =
                    segment_rows ? row_at(*segment_table, segment_rows, segment_at(i)) : nullptr;
                row.y = y + i * hidden;
                row.sum = sum ? sum + i * hidden : nullptr;
                vector_.layer(row, 0, 1);
            }
        });
    }

private:
    /// True where all given tensors are float32 of that rank with `width` as the last dimension.
    static bool are_of_width(std::initializer_list<const Tensor*> tensors, int rank,
                             std::int64_t width) {
        return width > 0 && std::ranges::all_of(tensors, [&](const Tensor* t) {
                   return !t || (t->dtype() == DType::f32 && t->rank() == rank &&
                                 t->shape().back() == width);
               });
    }
    /// [B, S], and of positions [1, S] too.
    static bool fit_ids(const Tensor& ids, const Tensor* segments, const Tensor* positions) {
        if (ids.rank() != 2 || ids.size() == 0) return false;
        if (segments && segments->shape() != ids.shape()) return false;
        return !positions || positions->shape() == ids.shape() ||
               positions->shape() == Shape{1, ids.dim(1)};
    }

    /// Rows of whole vectors are read at any alignment, so of a table in a mapped file only the
    /// rows that are looked up are loaded.
    static const float* rows_of(const Tensor& table) {
        constexpr std::int64_t most_lanes = 16;
        return table.dim(1) % most_lanes == 0 ? reinterpret_cast<const float*>(table.bytes().data())
                                              : table.data<float>().data();
    }

    /// Ids below zero count from the end, as Gather's do.
    static const float* row_at(const Tensor& table, const float* rows, std::int64_t id) {
        return rows + (id < 0 ? id + table.dim(0) : id) * table.dim(1);
    }

    template <typename F>
    static bool all_inside(std::int64_t count, const Tensor& table, const F& id_at) {
        for (std::int64_t i = 0; i < count; ++i)
            if (const std::int64_t id = id_at(i); id < -table.dim(0) || id >= table.dim(0))
                return false;
        return true;
    }

    /// Output 1: how many elements of each sequence the mask keeps.
    static void count_kept(KernelContext& context, const Tensor& ids) {
        const Tensor* mask = context.optional_input(embed_normalization_input::mask);
        if (mask && mask->shape() != ids.shape())
            context.fail("input 7: expected " + to_string(ids.shape()) + ", found " +
                         to_string(mask->shape()));
        const auto kept = mask ? Ids::of(*mask) : Ids();
        if (!kept)
            context.fail("input 7: expected elements of type int32 or int64, found " +
                         std::string(name_of(mask->dtype())));
        auto counts = context.output(1, DType::i32, {ids.dim(0)}).mutable_data<std::int32_t>();
        for (std::int64_t b = 0; b < ids.dim(0); ++b) {
            std::int32_t count = 0;
            for (std::int64_t s = 0; mask && s < ids.dim(1); ++s)
                count += kept->at(b * ids.dim(1) + s) == 1;
            counts[static_cast<std::size_t>(b)] = count;
        }
    }

    const float epsilon_;
    const NormalizationKernels& vector_;
};

}  // namespace

std::unique_ptr<Kernel> make_embed_layer_normalization(const KernelRequest& request,
                                                       std::string& reason) {
    using namespace embed_normalization_input;
    if (!takes_floats(request, {2, position_embedding, segment_embedding, gamma, beta}, reason))
        return nullptr;
    return std::make_unique<EmbedLayerNormalization>(request.node);
}

}  // namespace lapidary
