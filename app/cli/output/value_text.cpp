// SPDX-License-Identifier: Apache-2.0
#include "cli/output/value_text.h"

#include <algorithm>
#include <ostream>

#include <fmt/format.h>

#include <lapidary/base/error.h>
#include <lapidary/base/quantity_text.h>
#include <lapidary/report/tensor_statistics.h>

namespace lapidary::cli {
namespace {

constexpr std::size_t shown_items = 4;

/// Characters on the screen: bytes that do not continue a UTF-8 sequence.
std::size_t display_width(const std::string& text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
    }));
}

void print_tensor(std::ostream& out, const Tensor& tensor, const std::string& indent,
                  const CancelToken& cancel) {
    if (tensor.size() == 0) {
        out << indent << "no elements\n";
        return;
    }
    const auto texts = element_texts(first_elements(tensor, shown_elements));
    out << indent << "values";
    for (const std::string& text : texts) out << "  " << text;
    out << (tensor.size() > shown_elements ? "  ...\n" : "\n");
    if (!has_statistics(tensor)) return;
    const TensorStatistics s = statistics_of(tensor, 1, cancel);
    out << indent
        << fmt::format("min {:.6g}  max {:.6g}  mean {:.6g}  std {:.6g}", s.minimum, s.maximum,
                       s.mean, s.stddev);
    if (s.nans) out << "  NaN " << s.nans;
    if (s.infinities) out << "  infinite " << s.infinities;
    out << '\n';
}

}  // namespace

std::string plain(std::string_view text, std::size_t most) { return printable(text, most); }

Tensor first_elements(const Tensor& tensor, std::int64_t count) {
    const Shape shape{std::min(count, tensor.size())};
    return Tensor::borrow(tensor.dtype(), shape, const_cast<void*>(tensor.raw()), tensor.owner());
}

std::vector<std::string> element_texts(const Tensor& tensor) {
    std::vector<std::string> texts;
    const auto complex_texts = [&]<typename T>(T) {
        for (const T& v : tensor.data<T>())
            texts.push_back(fmt::format("{:.6g}{:+.6g}i", v.real(), v.imag()));
    };
    if (tensor.dtype() == DType::string) {
        for (const std::string& s : tensor.data<std::string>()) texts.push_back(quote(s, 40));
    } else if (tensor.dtype() == DType::complex64) {
        complex_texts(std::complex<float>{});
    } else if (tensor.dtype() == DType::complex128) {
        complex_texts(std::complex<double>{});
    } else if (tensor.dtype() == DType::u64) {
        for (const std::uint64_t v : tensor.data<std::uint64_t>())
            texts.push_back(fmt::format("{}", v));
    } else if (tensor.dtype() == DType::boolean) {
        for (const bool v : tensor.data<bool>()) texts.push_back(v ? "true" : "false");
    } else if (is_integer(tensor.dtype())) {
        for (const std::int64_t v : to_int64s(tensor)) texts.push_back(fmt::format("{}", v));
    } else {
        for (const double v : to_doubles(tensor)) texts.push_back(fmt::format("{:.6g}", v));
    }
    return texts;
}

bool has_statistics(const Tensor& tensor) {
    return tensor && tensor.size() > 0 && tensor.dtype() != DType::string &&
           tensor.dtype() != DType::complex64 && tensor.dtype() != DType::complex128;
}

void print_value(std::ostream& out, const RuntimeValue& value, const std::string& indent,
                 const CancelToken& cancel) {
    if (value.is_tensor()) {
        print_tensor(out, value.tensor(), indent, cancel);
    } else if (value.is_sequence()) {
        const auto& items = value.sequence().items;
        for (std::size_t i = 0; i < std::min(items.size(), shown_items); ++i) {
            out << indent << '[' << i << "] " << plain(items[i].describe()) << '\n';
            print_value(out, items[i], indent + "  ", cancel);
        }
        if (items.size() > shown_items)
            out << indent << "... " << items.size() - shown_items << " more\n";
    } else if (value.is_map()) {
        const Map& map = value.map();
        const auto texts = element_texts(map.values);
        for (std::size_t i = 0;
             i < std::min(texts.size(), static_cast<std::size_t>(shown_elements)); ++i) {
            const std::string key = map.int_keys.empty() ? quote(map.string_keys.at(i), 60)
                                                         : std::to_string(map.int_keys.at(i));
            out << indent << key << ": " << texts[i] << '\n';
        }
        if (texts.size() > shown_elements)
            out << indent << "... " << texts.size() - shown_elements << " more\n";
    }
}

std::string byte_text(double bytes) { return bytes_text(bytes); }

TextTable::TextTable(std::vector<std::string> header, std::vector<std::size_t> left)
    : left_(std::move(left)) {
    rows_.push_back(std::move(header));
}

void TextTable::add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }

void TextTable::print(std::ostream& out, const std::string& indent) const {
    std::vector<std::size_t> widths(rows_[0].size(), 0);
    for (const auto& row : rows_)
        for (std::size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], display_width(row[i]));
    for (const auto& row : rows_) {
        std::string line = indent;
        for (std::size_t i = 0; i < row.size(); ++i) {
            const std::string padding(widths[i] - display_width(row[i]), ' ');
            const bool is_left = std::find(left_.begin(), left_.end(), i) != left_.end();
            line += is_left ? row[i] + padding : padding + row[i];
            if (i + 1 < row.size()) line += "  ";
        }
        line.erase(line.find_last_not_of(' ') + 1);
        out << line << '\n';
    }
}

}  // namespace lapidary::cli
