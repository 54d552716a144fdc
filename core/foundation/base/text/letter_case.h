// SPDX-License-Identifier: Apache-2.0
// Upper and lower case of letters by the rules of a language.
#pragma once

#include <memory>
#include <string>

namespace lapidary {

class LetterCase {
public:
    /// The rules of a language by its name ("en_US"); the language-neutral rules where the system
    /// does not know it.
    explicit LetterCase(const std::string& language);
    LetterCase(const LetterCase&) = delete;
    LetterCase& operator=(const LetterCase&) = delete;
    ~LetterCase();

    /// The letter in the other case, as one code point; characters without another case are
    /// unchanged.
    char32_t lower(char32_t letter) const;
    char32_t upper(char32_t letter) const;

private:
    struct Rules;
    std::unique_ptr<Rules> rules_;
};

}  // namespace lapidary
