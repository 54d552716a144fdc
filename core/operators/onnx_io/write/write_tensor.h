// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <lapidary/graph/attribute.h>
#include <lapidary/tensor/tensor.h>

#include "onnx_io/wire/wire_writer.h"

namespace lapidary::onnx {
class TensorProto;
}

namespace lapidary::onnx_io {

/// Which tensors go to the file beside the model, and where in it.
struct ExternalPlan {
    std::string location;
    std::uint64_t min_bytes = 0;
    struct Entry {
        Tensor tensor;
        std::uint64_t offset = 0;
    };
    std::vector<Entry> entries;  // offsets ascend
    std::uint64_t size = 0;
    /// Folder of the model: tensors whose bytes are those of a file of weights in it stay where
    /// they are. Empty: none does.
    std::filesystem::path kept_folder = {};
    std::vector<std::filesystem::path> kept_files = {};   // that may be named again
    std::set<std::filesystem::path> kept_locations = {};  // that are named, below the folder
};

/// A TensorProto; `rest` holds its name and the fields a Tensor has no place for. With a plan, a
/// tensor that is large enough joins it and leaves only a reference. Payloads are referred to, not
/// copied.
WireWriter write_tensor(const Tensor& tensor, onnx::TensorProto rest, ExternalPlan* plan = nullptr);

WireWriter write_sparse_tensor(const SparseTensor& sparse, const std::string& name);

}  // namespace lapidary::onnx_io
