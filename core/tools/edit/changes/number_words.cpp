// SPDX-License-Identifier: Apache-2.0
#include "edit/changes/number_words.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include <lapidary/base/error.h>
#include <lapidary/tensor/tensor_file.h>

#include "rewrite/constant_math.h"
#include "tensor_io/npy_read.h"

namespace lapidary {
namespace {

/// `has_truth`: "true" is 1 and "false" 0.
template <typename T>
std::vector<T> read_number_list(std::string_view word, const char* expected,
                                bool has_truth = false) {
    const std::string_view whole = word;
    if (word.starts_with('[') && word.ends_with(']') && word.size() > 1)
        word = word.substr(1, word.size() - 2);
    std::vector<T> numbers;
    while (true) {
        std::string_view part = word.substr(0, word.find(','));
        while (part.starts_with(' ')) part.remove_prefix(1);
        while (part.ends_with(' ')) part.remove_suffix(1);
        if (has_truth && part == "true") part = "1";
        if (has_truth && part == "false") part = "0";
        T number{};
        const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), number);
        if (error != std::errc{} || end != part.data() + part.size())
            fail_input(quote(whole) + " is no " + expected + " such as 2 or [1,2]");
        numbers.push_back(number);
        const std::size_t comma = word.find(',');
        if (comma == std::string_view::npos) return numbers;
        word.remove_prefix(comma + 1);
    }
}

void require_in_type(const std::vector<double>& numbers, DType dtype) {
    if (dtype == DType::boolean) {
        for (const double number : numbers)
            if (number != 0 && number != 1)
                fail_input("type bool does not have " + edit_number_text(number) +
                           ", expected true, false, 0 or 1");
    } else if (is_integer(dtype)) {
        const int bits = static_cast<int>(bit_width(dtype));
        const bool is_signed = is_signed_integer(dtype);
        const double most =
            std::min(std::ldexp(1.0, is_signed ? bits - 1 : bits), std::ldexp(1.0, 53));
        for (const double number : numbers)
            if (number != std::nearbyint(number) || number >= most ||
                number < (is_signed ? -most : 0))
                fail_input("type " + std::string(name_of(dtype)) + " does not have " +
                           edit_number_text(number));
    } else if (const auto number = first_beyond(numbers, dtype)) {
        fail_input(edit_number_text(*number) + " is beyond the largest number of type " +
                   std::string(name_of(dtype)) + ", which would store it as infinite");
    }
}

}  // namespace

std::optional<double> first_beyond(const std::vector<double>& numbers, DType dtype) {
    const std::vector<double> stored =
        to_doubles(tensor_of_doubles(dtype, {static_cast<std::int64_t>(numbers.size())}, numbers));
    for (std::size_t i = 0; i < numbers.size(); ++i)
        if (std::isfinite(numbers[i]) && !std::isfinite(stored[i])) return numbers[i];
    return std::nullopt;
}

std::string edit_number_text(double number) { return fmt::format("{}", number); }

std::vector<double> read_numbers(std::string_view word) {
    return read_number_list<double>(word, "number or list of numbers");
}

std::vector<std::int64_t> read_whole_numbers(std::string_view word) {
    return read_number_list<std::int64_t>(word, "whole number or list of them");
}

Tensor tensor_of_numbers(std::string_view word, const Type& type) {
    if (!type.is_tensor() || !type.is_static())
        fail_input("a value of type " + to_string(type) +
                   " needs a file: its sizes are not all known");
    std::int64_t size = 1;
    for (const std::int64_t dim : type.static_shape()) size *= dim;
    const std::vector<double> numbers =
        type.dtype == DType::boolean
            ? read_number_list<double>(word, "truth value or list of them, true, false, 0 or 1,",
                                       true)
            : read_numbers(word);
    if (numbers.size() != 1 && static_cast<std::int64_t>(numbers.size()) != size)
        fail_input(quote(word) + " has " + std::to_string(numbers.size()) + " numbers, " +
                   to_string(type) + " has " + std::to_string(size) + " elements");
    if (!is_float(type.dtype) && !is_integer(type.dtype) && type.dtype != DType::boolean)
        fail_unsupported("values of type " + to_string(type) + " are not made from numbers");
    if (is_packed(type.dtype) || bit_width(type.dtype) > 64 ||
        (is_float(type.dtype) && bit_width(type.dtype) < 16))
        fail_unsupported("values of type " + to_string(type) + " are not made from numbers");
    require_in_type(numbers, type.dtype);
    return tensor_of_doubles(type.dtype, Shape(type.static_shape()), numbers);
}

Tensor read_tensor_file(const std::filesystem::path& file, const Limits& limits) {
    if (file.extension() != ".npy")
        fail_input(quote(file.filename().string()) + " is no .npy file");
    return map_npy(file, limits);
}

}  // namespace lapidary
