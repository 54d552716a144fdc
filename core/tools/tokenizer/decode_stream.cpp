// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include <lapidary/tokenizer/tokenizer.h>

#include <tokenizer/utf8.h>

namespace lapidary {
namespace {

/// What a text has beyond the one that was given out; characters that both have in common at the
/// front are not repeated.
std::string text_beyond(const std::string& text, const std::string& given) {
    auto at = static_cast<std::size_t>(std::ranges::mismatch(text, given).in1 - text.begin());
    while (at > 0 && at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80)
        --at;
    return text.substr(at);
}

}  // namespace

DecodeStream::DecodeStream(Tokenizer tokenizer, bool skip_special)
    : tokenizer_(std::move(tokenizer)), skip_special_(skip_special) {}

std::string DecodeStream::next(std::int64_t id) {
    // Decoders look at the tokens before: the last ones whose text was given stay in the list.
    if (given_.empty() && !ids_.empty()) {
        std::string text = tokenizer_.decode(ids_, skip_special_);
        if (!text.ends_with(tokens::replacement_character)) {
            given_ = std::move(text);
            given_count_ = ids_.size();
        }
    }
    ids_.push_back(id);
    const std::string text = tokenizer_.decode(ids_, skip_special_);
    if (text.size() <= given_.size() || text.ends_with(tokens::replacement_character)) return {};
    std::string more = text_beyond(text, given_);
    const std::size_t count = ids_.size() - given_count_;
    ids_.erase(ids_.begin(), ids_.begin() + static_cast<std::ptrdiff_t>(given_count_));
    given_ = tokenizer_.decode(ids_, skip_special_);
    given_count_ = count;
    return more;
}

std::string DecodeStream::finish() {
    const std::string text = tokenizer_.decode(ids_, skip_special_);
    std::string more = text.size() > given_.size() ? text_beyond(text, given_) : std::string();
    ids_.clear();
    given_.clear();
    given_count_ = 0;
    return more;
}

}  // namespace lapidary
