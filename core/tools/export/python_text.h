// SPDX-License-Identifier: Apache-2.0
// Writes values as Python source text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <lapidary/tensor/dtype.h>

namespace lapidary {

/// A string with its quotes. Bytes that are no UTF-8 become U+FFFD, as in names that Python's onnx
/// reads.
std::string python_literal(std::string_view text);
/// "True" or "False".
std::string_view python_bool(bool value);
/// "[\"a\", \"b\"]": on one line if it fits, else one element per line, indented by `indent` + 4.
std::string python_list(const std::vector<std::string>& texts, std::size_t indent);
/// "np.float32", also for types that NumPy does not have.
std::string_view numpy_type(DType dtype);
/// "(1, 3)"
std::string python_shape(const std::vector<std::int64_t>& shape);

}  // namespace lapidary
