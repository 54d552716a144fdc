// SPDX-License-Identifier: Apache-2.0
#include <tokenizer/regex.h>

#include <array>
#include <mutex>
#include <utility>

#include <oniguruma.h>

#include <lapidary/base/error.h>

#include <tokenizer/utf8.h>

namespace lapidary::tokens {
namespace {

constexpr std::size_t longest_pattern = 64u << 10;
constexpr unsigned most_stack_entries = 4'000'000;  // of one search, some 30 bytes each
constexpr unsigned most_retries = 10'000'000;       // of one match, Oniguruma's default

const OnigUChar* bytes_of(std::string_view text) {
    return reinterpret_cast<const OnigUChar*>(text.data());
}

void begin_library() {
    static std::once_flag once;
    std::call_once(once, [] {
        OnigEncoding encodings[] = {ONIG_ENCODING_UTF8};
        if (onig_initialize(encodings, 1) != ONIG_NORMAL)
            fail(ErrorCode::internal, "Oniguruma does not start");
    });
}

std::string reason_of(int code, OnigErrorInfo* info = nullptr) {
    std::array<OnigUChar, ONIG_MAX_ERROR_MESSAGE_LEN> text{};
    const int length = info ? onig_error_code_to_str(text.data(), code, info)
                            : onig_error_code_to_str(text.data(), code);
    return {reinterpret_cast<const char*>(text.data()), static_cast<std::size_t>(length)};
}

/// Where a search writes the place that it found.
class Region {
public:
    Region() : region_(onig_region_new()) {}
    ~Region() { onig_region_free(region_, 1); }
    Region(const Region&) = delete;
    Region& operator=(const Region&) = delete;
    OnigRegion* get() { return region_; }
    Range range() const {
        return {static_cast<std::uint32_t>(region_->beg[0]),
                static_cast<std::uint32_t>(region_->end[0])};
    }

private:
    OnigRegion* region_;
};

class MatchLimits {
public:
    MatchLimits() : limits_(onig_new_match_param()) {
        onig_initialize_match_param(limits_);
        onig_set_match_stack_limit_size_of_match_param(limits_, most_stack_entries);
        onig_set_retry_limit_in_match_of_match_param(limits_, most_retries);
    }
    ~MatchLimits() { onig_free_match_param(limits_); }
    MatchLimits(const MatchLimits&) = delete;
    MatchLimits& operator=(const MatchLimits&) = delete;
    OnigMatchParam* get() { return limits_; }

private:
    OnigMatchParam* limits_;
};

}  // namespace

struct Regex::Compiled {
    Compiled() = default;
    Compiled(const Compiled&) = delete;
    Compiled& operator=(const Compiled&) = delete;
    ~Compiled() {
        if (program) onig_free(program);
    }
    OnigRegex program = nullptr;
};

Regex::Regex(std::string pattern)
    : pattern_(std::move(pattern)), compiled_(std::make_unique<Compiled>()) {
    if (pattern_.size() > longest_pattern)
        fail_limit("a regular expression has " + std::to_string(pattern_.size()) +
                   " bytes; the limit is " + std::to_string(longest_pattern));
    if (first_invalid_byte(pattern_) != std::string::npos)
        fail_input("the regular expression " + quote(pattern_) + " is not UTF-8");
    begin_library();
    OnigErrorInfo info{};
    const OnigUChar* text = bytes_of(pattern_);
    const int code = onig_new(&compiled_->program, text, text + pattern_.size(), ONIG_OPTION_NONE,
                              ONIG_ENCODING_UTF8, ONIG_SYNTAX_DEFAULT, &info);
    if (code != ONIG_NORMAL) {
        compiled_->program = nullptr;
        fail_input("the regular expression " + quote(pattern_) +
                   " cannot be read: " + reason_of(code, &info));
    }
}

Regex::~Regex() = default;
Regex::Regex(Regex&&) noexcept = default;
Regex& Regex::operator=(Regex&&) noexcept = default;

std::vector<Range> Regex::matches(std::string_view text) const {
    std::vector<Range> found;
    if (text.empty()) return found;
    thread_local Region region;
    thread_local MatchLimits limits;
    const OnigUChar* begin = bytes_of(text);
    const OnigUChar* end = begin + text.size();
    for (std::size_t at = 0; at <= text.size();) {
        const int place = onig_search_with_param(compiled_->program, begin, end, begin + at, end,
                                                 region.get(), ONIG_OPTION_NONE, limits.get());
        if (place == ONIG_MISMATCH) break;
        if (place < 0)
            fail_limit("the regular expression " + quote(pattern_) + " gives up at a text of " +
                       std::to_string(text.size()) + " bytes: " + reason_of(place));
        const Range range = region.range();
        if (range.begin == range.end && !found.empty() && found.back().end == range.end) {
            at += at < text.size() ? character_at(text, at).length : 1;
            continue;
        }
        found.push_back(range);
        at = range.end;
    }
    return found;
}

std::string escaped(std::string_view text) {
    constexpr std::string_view meaningful = "\\.+*?()|[]{}^$#&-~";
    std::string pattern;
    for (const char c : text) {
        if (meaningful.find(c) != std::string_view::npos) pattern += '\\';
        pattern += c;
    }
    return pattern;
}

const Regex& words_and_symbols() {
    constexpr std::string_view word = "\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}";
    static const Regex regex("[" + std::string(word) + "]+|[^" + std::string(word) +
                             "\\p{White_Space}]+");
    return regex;
}

Property::Property(std::string_view name) {
    begin_library();
    OnigUChar* text = const_cast<OnigUChar*>(bytes_of(name));
    type_ = ONIGENC_PROPERTY_NAME_TO_CTYPE(ONIG_ENCODING_UTF8, text, text + name.size());
    if (type_ < 0) fail(ErrorCode::internal, "Oniguruma knows no property " + quote(name));
}

bool Property::is_of(char32_t code) const {
    return ONIGENC_IS_CODE_CTYPE(ONIG_ENCODING_UTF8, static_cast<OnigCodePoint>(code),
                                 static_cast<OnigCtype>(type_)) != 0;
}

}  // namespace lapidary::tokens
