// SPDX-License-Identifier: Apache-2.0
// Writes models in ONNX Runtime's own format (.ort) with the FlatBuffers library, so that the
// reader is tested where there is no ONNX Runtime, by bytes that another program than its own laid
// out.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <lapidary/graph/model.h>

namespace lapidary::test {

/// What a file says otherwise than ONNX Runtime does.
struct OrtFileFlaws {
    std::optional<std::string> version = "6";  // of the format; nothing: the field is missing
    bool without_model = false;
    bool backwards = false;              // nodes from last to first
    bool compiled_nodes = false;         // by a provider
    bool external_data = false;          // tensors keep their data elsewhere
    bool runtime_optimizations = false;  // a list of them
    std::int32_t attribute_type = 0;     // of all attributes; 0: their own
    std::size_t raw_bytes_less = 0;      // of every tensor
    bool raw_data_shared = false;        // each tensor's bytes are those of the first
    // graphs of one If in the next, both branches the same table
    int shared_branches = 0;
};

/// Whether the tests were compiled beside the library; what follows throws otherwise.
bool can_write_ort();
/// The bytes of a file. Attributes of kinds that the format has no place for throw invalid_input.
std::vector<std::byte> ort_file_of(const Model& model, const OrtFileFlaws& flaws = {});

}  // namespace lapidary::test
