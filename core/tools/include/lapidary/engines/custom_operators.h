// SPDX-License-Identifier: Apache-2.0
// Libraries of custom operators that were made for ONNX Runtime (RegisterCustomOps), run without
// ONNX Runtime. A library runs in this process, and a fault in it can end the process. A program
// that must survive that opens it in another process.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace lapidary {

/// An operator that a library brings.
struct CustomOperatorInfo {
    std::string domain, name;        // as nodes call it
    std::int64_t since_version = 1;  // of the domain
};

/// An opened library.
struct CustomOperatorLibrary {
    std::filesystem::path file;                 // from which it was opened
    std::vector<CustomOperatorInfo> operators;  // that models can use from now on
    /// operators for other devices: "d::Op is made for CUDAExecutionProvider"
    std::vector<std::string> left_out;
};

/// Opens the library, once per process; it stays until the process ends, and its operators are
/// known to all models that are loaded from now on. Its operators find the functions of ONNX
/// Runtime's C interface that operators on the CPU need; an operator that calls another function
/// fails with an error that names both. Throws not_supported, invalid_input or io_failure with the
/// reason why it cannot be used; then none of its operators is known.
const CustomOperatorLibrary& open_custom_operators(const std::filesystem::path& file);

/// Files of all libraries that are open, in that order.
std::vector<std::filesystem::path> opened_custom_operators();

}  // namespace lapidary
