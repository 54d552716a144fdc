// SPDX-License-Identifier: Apache-2.0
// Reads inputs of a model from files: arrays, archives, ONNX test data, pictures.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <lapidary/graph/model.h>
#include <lapidary/base/progress.h>
#include <lapidary/tensor/tensor_file.h>

namespace lapidary::app {

struct InputFileOptions {
    // sizes of symbolic dimensions, to which a picture is resized
    std::map<std::string, std::int64_t> dimensions;
    ImageOptions image;  // how pictures are read
    // false: the layout is guessed from where the input has 1 or 3 channels
    bool has_image_layout = false;
    CancelToken cancel;  // checked while reading
};

/// A value from a file, and how it was changed: "cat.jpg, 640x480 resized to 224x224".
struct ReadInput {
    RuntimeValue value;
    std::string source;
};

/// Reads a .npy, .npz, .pb, .png or .jpg and fits it to the input's type. Throws invalid_input
/// naming input and file if it does not fit, before memory is allocated for an array; cancelled.
ReadInput read_input_file(const std::filesystem::path& path, const Value& input,
                          const InputFileOptions& options);

/// The inputs in an .npz archive, fitted to the model's types. Throws invalid_input for an array
/// that belongs to no input or does not fit, before memory is allocated for any; cancelled.
NamedValues load_input_archive(const Model& model, const std::filesystem::path& path,
                               const CancelToken& cancel = {});

struct TestCase {
    NamedValues inputs, expected;
};
/// Reads an ONNX test_data_set folder: input_K.pb and output_K.pb belong to the K-th input and
/// output.
TestCase load_test_case(const Model& model, const std::filesystem::path& folder);

/// Names of the inputs that need a value, for messages: "a", "b". At most about 100 characters.
std::string list_of_inputs(const Graph& graph);
/// ".npy" for "A.NPY".
std::string extension_of(const std::filesystem::path& path);

}  // namespace lapidary::app
