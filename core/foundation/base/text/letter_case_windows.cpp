// SPDX-License-Identifier: Apache-2.0
#include "base/text/letter_case.h"

#include <windows.h>

#include <algorithm>

namespace lapidary {
namespace {

constexpr char32_t first_beyond_one = 0x10000;  // from here on a letter takes two words of UTF-16
// what is beyond stands for something else, and stays as it is
constexpr char32_t last_letter = 0x10FFFF;

char32_t mapped(const std::wstring& name, DWORD how, char32_t letter) {
    if (letter > last_letter) return letter;
    wchar_t from[2], to[2];
    const int count = letter < first_beyond_one ? 1 : 2;
    if (count == 1) {
        from[0] = static_cast<wchar_t>(letter);
    } else {
        from[0] = static_cast<wchar_t>(0xD800 + ((letter - first_beyond_one) >> 10));
        from[1] = static_cast<wchar_t>(0xDC00 + ((letter - first_beyond_one) & 0x3FF));
    }
    if (::LCMapStringEx(name.c_str(), how, from, count, to, count, nullptr, nullptr, 0) != count)
        return letter;
    return count == 1
               ? to[0]
               : first_beyond_one + (static_cast<char32_t>(to[0] & 0x3FF) << 10) + (to[1] & 0x3FF);
}

}  // namespace

struct LetterCase::Rules {
    std::wstring name;  // "en-US"; empty: of no language
    DWORD linguistic = 0;
};

LetterCase::LetterCase(const std::string& language) : rules_(std::make_unique<Rules>()) {
    std::wstring name(language.begin(), std::find(language.begin(), language.end(), '.'));
    std::ranges::replace(name, L'_', L'-');
    if (name.empty() || !::IsValidLocaleName(name.c_str())) return;
    rules_->name = name;
    rules_->linguistic = LCMAP_LINGUISTIC_CASING;
}

LetterCase::~LetterCase() = default;

char32_t LetterCase::lower(char32_t letter) const {
    return mapped(rules_->name, LCMAP_LOWERCASE | rules_->linguistic, letter);
}

char32_t LetterCase::upper(char32_t letter) const {
    return mapped(rules_->name, LCMAP_UPPERCASE | rules_->linguistic, letter);
}

}  // namespace lapidary
