// SPDX-License-Identifier: Apache-2.0
// Recordings of a model in the framework that it was exported from, as resources/record/record.py
// writes them: inputs, outputs and what each module gave. Values that other engines dumped under
// the names of the model are read as recordings, too.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <lapidary/base/progress.h>
#include <lapidary/tensor/tensor.h>

namespace lapidary {

/// A recorded tensor, or every `stride`-th of its elements in the order of memory.
struct RecordedValue {
    std::string name;         // of inputs and outputs; of modules with several outputs: "0", "key"
    Shape shape;              // of the whole tensor
    std::int64_t stride = 1;  // 1: all elements
    Tensor elements;          // of `shape`, or of one axis where `stride` is not 1
    std::string left_out;     // why there are no elements; empty: there are
};

/// A call of a module.
struct RecordedModule {
    std::string path;                    // "encoder.layer.0.attention"
    std::string class_name;              // "torch.nn.modules.linear.Linear"
    std::string line;                    // "net.py:12" that called it; empty: not known
    std::int64_t call = 0;               // how often it was called before in this run
    std::vector<RecordedValue> outputs;  // that it returned
};

/// One run.
struct Recording {
    std::string framework;                       // "torch 2.6.0"
    std::string model;                           // its class
    std::vector<RecordedValue> inputs, outputs;  // in the order of the program
    std::vector<RecordedModule> modules;         // in the order in which they returned
    /// An engine dumped values of the model under their names: each is an input, an output and a
    /// module of its own, and their order says nothing.
    bool is_by_value = false;
    std::vector<std::string> notes;  // on what of the file was not read, a sentence each
};

/// What a recording may take in memory; further arrays are left out.
inline constexpr std::uint64_t most_recorded_bytes = 4ull << 30;

/// Reads what record.py wrote; values by name in an archive of NumPy; results and inputs that
/// Polygraphy saved (.json); a folder of tensors, such as ONNX Runtime's dump of node outputs
/// (.tensorproto, .pb, .npy, .npz, .json). Throws invalid_input with what is missing for files that
/// are none of these, and what reading an archive throws; the error names the file. An array that
/// the archive lacks, or that does not have the elements that the index announces, is left out with
/// the reason; so is what goes beyond `most_bytes`.
Recording load_recording(const std::filesystem::path& path,
                         std::uint64_t most_bytes = most_recorded_bytes,
                         const CancelToken& cancel = {});

}  // namespace lapidary
