// SPDX-License-Identifier: Apache-2.0
// ONNX files in and out.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <lapidary/base/error.h>
#include <lapidary/base/limits.h>
#include <lapidary/graph/model.h>
#include <lapidary/base/progress.h>
#include <lapidary/tensor/runtime_value.h>

namespace lapidary {

/// What makes a node, and so its model, invalid.
struct ModelFault {
    NodeId node;          // of the main graph
    std::string message;  // a sentence with expected and found
};

/// How a file is read.
struct LoadOptions {
    Limits limits;            // what is refused
    bool infer_types = true;  // run infer_types() on the result
    /// for operators of com.microsoft.nchwc, 8 or 16, if the file does not state it; 0: unknown
    std::int64_t channel_block = 0;
    /// If not null, faults of nodes of the main graph (a node reads a value that does not exist, or
    /// its types do not fit) are added here and the model is read all the same: to be viewed, not
    /// to be run or saved. A missing value becomes an input; types are inferred up to the first
    /// fault.
    std::vector<ModelFault>* faults = nullptr;
};

/// Reads an ONNX model (IR 3 to 14, ai.onnx opset 7 to 28; newer ones with a warning) and validates
/// it into a trusted graph: after this, structure, sizes, attributes' kinds and tensor payloads are
/// right. Weights are mapped, not copied, where the platform allows. External data is opened only
/// beneath the folder of the model, or of the file that it links to. A file in ONNX Runtime's own
/// format (.ort, versions 1 to 6) is read in the same way, whatever it is called. Throws
/// Error{invalid_model, not_supported, limit_exceeded, io_failure, cancelled}, the file in where().
Model load_model(const std::filesystem::path& path, const LoadOptions& options = {},
                 const Progress& progress = {});
/// The same from memory; external data is refused unless `folder` is given.
Model load_model_from_memory(std::span<const std::byte> bytes, const LoadOptions& options = {},
                             const std::filesystem::path& folder = {});

/// Whether a file is in ONNX Runtime's own format (.ort), by what it holds, whatever it is called;
/// false where there is no file that can be read.
bool is_ort_format(const std::filesystem::path& path);

/// Why a model in ONNX Runtime's layout cannot run because its block of channels is unknown: the
/// file does not state it and the shapes allow both. LoadOptions::channel_block states it. Empty if
/// it is known or not needed.
std::string channel_block_problem(const Model& model);

/// How a file is written.
struct SaveOptions {
    /// Initializers of at least this many bytes go to "<file name>.data"; nothing: only when the
    /// model would pass 2 GB.
    std::optional<std::uint64_t> external_data_min_bytes;
    /// saving over the file the model was loaded from throws otherwise
    bool overwrite_source = false;
};

/// Writes atomically: temporary file in the same folder, fsync, rename, fsync of the folder;
/// external data first. Unknown fields and metadata are written back. Throws Error{io_failure} with
/// the reason; an existing file is then untouched. Weights of a model that is replaced, and those
/// that killed saves left in the folder, are removed where this program wrote them and no other
/// model in the folder names them. Returns a sentence for each file of weights of the replaced
/// model that stays, with the reason.
std::vector<std::string> save_model(const Model& model, const std::filesystem::path& path,
                                    const SaveOptions& options = {}, const Progress& progress = {});

/// Reads a protobuf value file of ONNX test data. `type` says which message it holds: tensor,
/// sequence, optional (unknown: tensor). Returns the stored name and the value. Throws
/// invalid_input.
std::pair<std::string, RuntimeValue> load_value_proto(const std::filesystem::path& path,
                                                      const Type& type, const Limits& limits = {});
/// Writes one tensor as a TensorProto file.
void save_tensor_proto(const std::filesystem::path& path, const std::string& name,
                       const Tensor& tensor);

}  // namespace lapidary
