// SPDX-License-Identifier: Apache-2.0
#include <tokenizer/text_pattern.h>

#include <lapidary/base/error.h>

namespace lapidary::tokens {

TextPattern::TextPattern(JsonFields fields) {
    const bool is_text = fields.find("String") != nullptr;
    if (is_text == (fields.find("Regex") != nullptr))
        fields.fail("expected either \"String\" or \"Regex\"");
    text_ = fields.text(is_text ? "String" : "Regex");
    fields.finish();
    try {
        if (!is_text) regex_.emplace(text_);
        else if (text_.empty()) regex_.emplace("");  // stands between all characters
    } catch (Error& error) { throw error.at(fields.place()); }
}

std::vector<Range> TextPattern::matches(std::string_view text) const {
    if (regex_) return regex_->matches(text);
    std::vector<Range> found;
    for (std::size_t at = text.find(text_); at != std::string_view::npos;
         at = text.find(text_, at + text_.size()))
        found.push_back(
            {static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at + text_.size())});
    return found;
}

}  // namespace lapidary::tokens
