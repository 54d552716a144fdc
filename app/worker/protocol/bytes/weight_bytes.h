// SPDX-License-Identifier: Apache-2.0
// Tensors of a model that is sent to another process. Small ones are sent with their values. Of
// large ones the other process gets type, shape and a number by which it asks for the values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#include <lapidary/graph/model.h>

#include "worker/protocol/bytes/byte_stream.h"

namespace lapidary::app {

// of a tensor that is sent with its values
constexpr std::size_t most_sent_bytes = 4096;

// the number of a tensor whose values are gone
constexpr std::uint32_t no_weight = 0xffffffff;

/// All tensors of a model: constants and attributes of its graphs, subgraphs and functions. The
/// order is the same in every process that has the model, so that a place in it names a tensor.
std::vector<const Tensor*> tensors_of(const Model& model);

/// Writes bytes [begin, begin + count) of the tensor with that number to `to`. Throws what asking
/// the other process throws. From any thread.
using ReadWeight =
    std::function<void(std::uint32_t tensor, std::size_t begin, std::size_t count, std::byte* to)>;

/// The tensor; a copy of it where its values are elsewhere or not made yet, so that what they take
/// goes with the copy and not with the model. Throws what reading them throws.
Tensor with_values(const Tensor& tensor);

/// Writes tensors of a model. Those that a second model has too, which the reader already holds,
/// are written as references to it.
class WeightWriter {
public:
    /// `base` may be null. Both must outlive it. `is_kept`: the model can be had again, so that the
    /// reader can ask for values; else those of its own large tensors are lost to the reader.
    WeightWriter(const Model& model, const Model* base, bool is_kept);
    void write(ByteWriter& out, const Tensor& tensor) const;

private:
    using Numbers = std::unordered_multimap<const void*, std::uint32_t>;
    static void collect(const std::vector<const Tensor*>& tensors, Numbers& numbers);

    bool is_kept_;
    std::vector<const Tensor*> own_, known_;
    Numbers own_numbers_, known_numbers_;  // by Tensor::identity(), of the tensors that are large
};

/// Reads what WeightWriter wrote, with the reader's own copy of the second model.
class WeightReader {
public:
    /// `base` may be null and must outlive it. `ask` is kept by the tensors.
    WeightReader(const Model* base, ReadWeight ask);
    /// A tensor whose values are elsewhere asks for them when its elements are first read. Throws
    /// io_failure for bytes that are no tensor.
    Tensor read(ByteReader& in);

private:
    Tensor elsewhere(std::uint32_t number, DType dtype, Shape shape);

    std::vector<const Tensor*> known_;
    ReadWeight ask_;
    std::unordered_map<std::uint32_t, Tensor> made_;  // by number: those read so far
};

}  // namespace lapidary::app
