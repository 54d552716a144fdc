// SPDX-License-Identifier: Apache-2.0
#include "quantize/rotation/rotate_residuals.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <span>
#include <utility>

#include <lapidary/graph/graph_edit.h>

#include "quantize/rotation/residual_stream.h"

namespace lapidary {
namespace {

constexpr std::size_t least_block = 16;  // of a rotation that is worth it

/// Rotates a matrix along an axis, after a gain for each place along it (empty: none).
Tensor rotated_along(const Tensor& matrix, std::size_t rows, std::size_t columns, std::size_t axis,
                     const HadamardRotation& rotation, std::span<const float> gain,
                     const CancelToken& cancel) {
    Tensor out = matrix.clone();
    const auto data = out.mutable_data<float>();
    const std::size_t length = axis == 0 ? rows : columns, others = axis == 0 ? columns : rows;
    const std::size_t step = axis == 0 ? columns : 1, next = axis == 0 ? 1 : columns;
    std::vector<double> row(length);
    for (std::size_t other = 0; other < others; ++other) {
        cancel.throw_if_cancelled();
        for (std::size_t i = 0; i < length; ++i) {
            row[i] = data[other * next + i * step];
            if (!gain.empty()) row[i] *= gain[i];
        }
        rotation.apply(row);
        for (std::size_t i = 0; i < length; ++i)
            data[other * next + i * step] = static_cast<float>(row[i]);
    }
    return out;
}

class StreamRotation {
public:
    StreamRotation(GraphEdit& edit, const ResidualStream& stream, const HadamardRotation& rotation,
                   const CancelToken& cancel)
        : edit_(edit), stream_(stream), rotation_(rotation), cancel_(cancel) {}

    void run() {
        for (const ValueId table : stream_.tables) rotate_rows(table);
        for (const ValueId vector : stream_.vectors) rotate_rows(vector);
        for (const WeightedProduct& writer : stream_.writers) {
            rotate(writer.weight, static_cast<std::size_t>(writer.output_axis), {});
            if (writer.bias) rotate_rows(writer.bias);
        }
        for (const StreamReader& reader : stream_.readers)
            rotate(reader.product.weight, static_cast<std::size_t>(reader.product.input_axis),
                   reader.gain);
        remove_gains();
    }

private:
    const Tensor& constant(ValueId value) const { return *edit_.graph().value(value).constant; }

    void rotate(ValueId weight, std::size_t axis, ValueId gain) {
        const Tensor matrix = constant(weight);
        edit_.set_constant(
            weight,
            rotated_along(matrix, static_cast<std::size_t>(matrix.dim(0)),
                          static_cast<std::size_t>(matrix.dim(1)), axis, rotation_,
                          gain ? constant(gain).data<float>() : std::span<const float>(), cancel_));
    }
    void rotate_rows(ValueId value) {
        const Tensor rows = constant(value);
        const auto width = static_cast<std::size_t>(stream_.width);
        edit_.set_constant(value, rotated_along(rows, static_cast<std::size_t>(rows.size()) / width,
                                                width, 1, rotation_, {}, cancel_));
    }

    /// Readers have the gains now.
    void remove_gains() {
        std::set<ValueId> unread;
        for (const NodeId id : stream_.gain_products) {
            const std::vector<ValueId> inputs = edit_.graph().node(id).inputs;
            const bool is_first = edit_.graph().value(inputs[0]).is_constant();
            edit_.replace_uses(edit_.graph().node(id).outputs[0], inputs[is_first ? 1 : 0]);
            edit_.erase(id);
            unread.insert(inputs[is_first ? 0 : 1]);
        }
        if (!stream_.gain_inputs.empty()) {
            Tensor ones(DType::f32, {stream_.width});
            std::ranges::fill(ones.mutable_data<float>(), 1.0f);
            const ValueId gain =
                edit_.add_initializer(edit_.fresh_name("gain_of_rotated_values"), std::move(ones));
            for (const auto& [node, input] : stream_.gain_inputs) {
                unread.insert(edit_.graph().node(node).inputs[input]);
                edit_.set_input(node, input, gain);
            }
        }
        for (const ValueId gain : unread)
            if (edit_.graph().value(gain).is_unused()) edit_.erase_value(gain);
    }

    GraphEdit& edit_;
    const ResidualStream& stream_;
    const HadamardRotation& rotation_;
    const CancelToken& cancel_;
};

}  // namespace

HadamardRotation::HadamardRotation(std::size_t length, std::uint64_t seed) {
    while (length > 0 && length % (block_ * 2) == 0) block_ *= 2;
    std::mt19937_64 random(seed);
    const double scale = 1 / std::sqrt(static_cast<double>(block_));
    for (std::size_t i = 0; i < length; ++i)
        signs_.push_back((random() >> 63) != 0 ? -scale : scale);
}

void HadamardRotation::apply(std::vector<double>& row) const {
    for (std::size_t i = 0; i < row.size(); ++i) row[i] *= signs_[i];
    for (std::size_t begin = 0; begin < row.size(); begin += block_)
        for (std::size_t half = 1; half < block_; half *= 2)
            for (std::size_t i = begin; i < begin + block_; i += 2 * half)
                for (std::size_t j = i; j < i + half; ++j) {
                    const double a = row[j], b = row[j + half];
                    row[j] = a + b;
                    row[j + half] = a - b;
                }
}

std::size_t rotate_residuals(Graph& graph, std::uint64_t seed, std::vector<std::string>& notes,
                             const Progress& progress) {
    std::vector<std::string> declined;
    const std::vector<ResidualStream> streams = residual_streams(graph, declined);
    std::size_t rotated = 0;
    GraphEdit edit(graph, "rotate_residuals");
    for (const ResidualStream& stream : streams) {
        progress.step("rotating weights");
        const HadamardRotation rotation(static_cast<std::size_t>(stream.width), seed);
        if (rotation.block() < least_block) {
            declined.push_back(
                std::to_string(stream.width) +
                " channels are not rotated: no power of two from 16 on divides them");
            continue;
        }
        StreamRotation(edit, stream, rotation, progress.cancel).run();
        edit.record("residual stream of " + std::to_string(stream.width) + " channels rotated");
        notes.push_back("rotated " + std::to_string(stream.width) + " channels between " +
                        std::to_string(stream.writers.size() + stream.tables.size()) +
                        " weights that write and " + std::to_string(stream.readers.size()) +
                        " that read them, in blocks of " + std::to_string(rotation.block()));
        ++rotated;
    }
    edit.finish();
    if (streams.empty() && declined.empty())
        declined.emplace_back(
            "nothing was rotated: there is no normalization by mean squares, "
            "which residual streams of decoders have");
    notes.insert(notes.end(), declined.begin(), declined.end());
    return rotated;
}

}  // namespace lapidary
