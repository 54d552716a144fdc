// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <lapidary/tensor/tensor.h>

#include "onnx_io/wire/wire_reader.h"

namespace lapidary::onnx_io {

/// The data fields of one TensorProto as they stand in the file, not yet decoded.
class TypedData {
public:
    enum class Kind { floats, int32s, strings, int64s, doubles, uint64s };

    std::span<const std::byte> raw;
    bool has_raw = false;
    std::vector<std::string_view> strings;

    /// A field float_data, int32_data, int64_data, double_data or uint64_data, packed or not.
    void add(const WireField& field);
    bool any_typed() const;
    /// "float_data", or "float_data and int64_data".
    std::string typed_field_names() const;
    /// Throws when another field than `kind` (that of `dtype`) holds data.
    void require_only(Kind kind, DType dtype, const std::string& what) const;
    /// Decodes into a fresh tensor; counts, ranges and the field used are checked against `dtype`.
    Tensor to_tensor(DType dtype, const Shape& shape, std::int64_t count,
                     const std::string& what) const;

private:
    /// Fields of one number that follow each other without a gap.
    struct Run {
        std::span<const std::byte> bytes;
        std::uint64_t offset = 0;
    };
    const std::vector<Run>& runs(Kind kind) const;
    std::vector<Run> floats_, int32s_, int64s_, doubles_, uint64s_;  // in file order
};

}  // namespace lapidary::onnx_io
