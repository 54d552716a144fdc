// SPDX-License-Identifier: Apache-2.0
// Upper and lower case of letters by the rules of a language.
#pragma once

#include <memory>
#include <string>

namespace lapidary {

class LetterCase {
public:
    /// Of a language by its name ("en_US"); where the system does not know it, the mapping that
    /// belongs to none.
    explicit LetterCase(const std::string& language);
    LetterCase(const LetterCase&) = delete;
    LetterCase& operator=(const LetterCase&) = delete;
    ~LetterCase();

    /// A letter of Unicode as one letter; what has no other case as it is.
    char32_t lower(char32_t letter) const;
    char32_t upper(char32_t letter) const;

private:
    struct Rules;
    std::unique_ptr<Rules> rules_;
};

}  // namespace lapidary
