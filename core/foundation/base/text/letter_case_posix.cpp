// SPDX-License-Identifier: Apache-2.0
#include "base/text/letter_case.h"

#include <locale.h>
#include <wctype.h>
#ifdef __APPLE__
#include <xlocale.h>
#endif

namespace lapidary {

// A locale of the C library; none: where not even C.UTF-8 is installed, letters of ASCII alone
// change.
struct LetterCase::Rules {
    locale_t handle = static_cast<locale_t>(nullptr);
    bool is_known() const { return handle != static_cast<locale_t>(nullptr); }
};

LetterCase::LetterCase(const std::string& language) : rules_(std::make_unique<Rules>()) {
    for (const std::string& candidate : {language, language + ".UTF-8", std::string("C.UTF-8")}) {
        // Only UTF-8 locales classify by code point.
        if (candidate.find("UTF-8") == std::string::npos &&
            candidate.find("utf8") == std::string::npos)
            continue;
        rules_->handle =
            ::newlocale(LC_CTYPE_MASK, candidate.c_str(), static_cast<locale_t>(nullptr));
        if (rules_->is_known()) break;
    }
}

LetterCase::~LetterCase() {
    if (rules_->is_known()) ::freelocale(rules_->handle);
}

char32_t LetterCase::lower(char32_t letter) const {
    if (!rules_->is_known()) return letter >= U'A' && letter <= U'Z' ? letter + 32 : letter;
    return static_cast<char32_t>(::towlower_l(static_cast<wint_t>(letter), rules_->handle));
}

char32_t LetterCase::upper(char32_t letter) const {
    if (!rules_->is_known()) return letter >= U'a' && letter <= U'z' ? letter - 32 : letter;
    return static_cast<char32_t>(::towupper_l(static_cast<wint_t>(letter), rules_->handle));
}

}  // namespace lapidary
