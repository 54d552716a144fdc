// SPDX-License-Identifier: Apache-2.0
// Writes models in ONNX Runtime's own format (.ort) with the FlatBuffers library, so that the
// reader is tested without ONNX Runtime, on bytes that an independent library wrote.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <lapidary/graph/model.h>

namespace lapidary::test {

/// Differences of a file from those of ONNX Runtime.
struct OrtFileFlaws {
    std::optional<std::string> version = "6";  // version of the format; empty: the field is missing
    bool without_model = false;
    bool backwards = false;              // nodes from last to first
    bool compiled_nodes = false;         // nodes compiled by a provider
    bool external_data = false;          // tensors have external data
    bool runtime_optimizations = false;  // the file has a list of runtime optimizations
    std::int32_t attribute_type = 0;     // type of all attributes; 0: their own
    std::size_t raw_bytes_less = 0;      // bytes missing in every tensor
    bool raw_data_shared = false;        // each tensor's bytes are those of the first
    // depth of nested Ifs whose two branches are the same table
    int shared_branches = 0;
};

/// True if the tests were compiled with the FlatBuffers library; otherwise ort_file_of() throws.
bool can_write_ort();
/// The bytes of a file. Throws invalid_input for attributes that the format cannot store.
std::vector<std::byte> ort_file_of(const Model& model, const OrtFileFlaws& flaws = {});

}  // namespace lapidary::test
