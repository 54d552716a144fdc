// SPDX-License-Identifier: Apache-2.0
// Values, names and tables as plain text for a terminal.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include <lapidary/base/progress.h>
#include <lapidary/tensor/runtime_value.h>
#include <lapidary/internal/shown_text.h>

namespace lapidary::cli {

inline constexpr std::int64_t shown_elements = 8;

/// Text from a file on one line: hidden characters as escapes, without the middle if it is too
/// long.
std::string plain(std::string_view text, std::size_t most = shown_characters);

/// The first `count` elements as a 1-D tensor that shares storage.
Tensor first_elements(const Tensor& tensor, std::int64_t count);
/// One text per element: floats with 6 digits, strings quoted.
std::vector<std::string> element_texts(const Tensor& tensor);
/// True for element types that statistics_of() takes.
bool has_statistics(const Tensor& tensor);

/// Prints a value in a few lines that begin with `indent`: first elements and statistics, or the
/// elements of a sequence or map. Throws cancelled.
void print_value(std::ostream& out, const RuntimeValue& value, const std::string& indent,
                 const CancelToken& cancel);

/// "1.5 MB", "12 B".
std::string byte_text(double bytes);

/// Prints rows with the columns aligned: the first left, others right unless listed in `left`.
class TextTable {
public:
    explicit TextTable(std::vector<std::string> header, std::vector<std::size_t> left = {0});
    void add(std::vector<std::string> row);
    void print(std::ostream& out, const std::string& indent = "  ") const;

private:
    std::vector<std::vector<std::string>> rows_;
    std::vector<std::size_t> left_;
};

}  // namespace lapidary::cli
