// SPDX-License-Identifier: Apache-2.0
// Values as Python writes them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <lapidary/tensor/dtype.h>

namespace lapidary {

/// A string with its quotes. Bytes that are no UTF-8 could not be names in Python either; they
/// become U+FFFD there as here.
std::string python_literal(std::string_view text);
/// "True" or "False".
std::string_view python_bool(bool value);
/// "[\"a\", \"b\"]": on one line where that has room for it, else an element a line, indented by
/// `indent` and 4 more.
std::string python_list(const std::vector<std::string>& texts, std::size_t indent);
/// "np.float32"; that too for types that NumPy does not have.
std::string_view numpy_type(DType dtype);
/// "(1, 3)"
std::string python_shape(const std::vector<std::int64_t>& shape);

}  // namespace lapidary
