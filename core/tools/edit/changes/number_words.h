// SPDX-License-Identifier: Apache-2.0
// Numbers and tensors as words of edit scripts.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <lapidary/base/limits.h>
#include <lapidary/graph/type.h>
#include <lapidary/tensor/tensor.h>

namespace lapidary {

/// "0.5", "[1, 2.5]" or "1,2": its numbers. Throws invalid_input for anything else.
std::vector<double> read_numbers(std::string_view word);
/// The same of whole numbers.
std::vector<std::int64_t> read_whole_numbers(std::string_view word);

/// The number as short as it reads back.
std::string edit_number_text(double number);
/// The first finite number that a float type stores as infinite. Nothing: there is none.
std::optional<double> first_beyond(const std::vector<double>& numbers, DType dtype);

/// A tensor of this type, whose sizes have to be known: one number for all elements, or as many as
/// it has; of bool also "true" and "false". "inf" and "nan" are numbers of float types. Throws
/// invalid_input where the numbers do not fit the type.
Tensor tensor_of_numbers(std::string_view word, const Type& type);

/// The tensor of an .npy file. Throws as load_npy().
Tensor read_tensor_file(const std::filesystem::path& file, const Limits& limits);

}  // namespace lapidary
