// SPDX-License-Identifier: Apache-2.0
#include "cli/output/printable_stream.h"

#include <lapidary/internal/shown_text.h>

namespace lapidary::cli {

void PrintableBuffer::hand_on(const std::string& lines) {
    if (lines.empty()) return;
    if (before_) before_();
    out_ << printable_lines(lines);
}

PrintableBuffer::int_type PrintableBuffer::overflow(int_type c) {
    if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
    const char character = traits_type::to_char_type(c);
    xsputn(&character, 1);
    return c;
}

std::streamsize PrintableBuffer::xsputn(const char* text, std::streamsize count) {
    const std::string_view piece(text, static_cast<std::size_t>(count));
    const std::size_t end = piece.rfind('\n');
    line_ += piece.substr(0, end == std::string_view::npos ? piece.size() : end + 1);
    if (end == std::string_view::npos) return count;
    hand_on(line_);
    line_ = piece.substr(end + 1);
    return out_ ? count : 0;
}

int PrintableBuffer::sync() {
    hand_on(line_);
    line_.clear();
    out_.flush();
    return out_ ? 0 : -1;
}

}  // namespace lapidary::cli
