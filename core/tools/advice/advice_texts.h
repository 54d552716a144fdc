// SPDX-License-Identifier: Apache-2.0
// Sentences of resources/advice.json, with placeholders replaced by figures.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <lapidary/advice/advice.h>

namespace lapidary {

/// A value for a placeholder, which is formatted for the language.
struct AdviceValue {
    enum class Kind : std::uint8_t {
        text,
        sentence,
        count,
        factor,
        digits,
        percent,
        bytes,
        ms,
        interval
    } kind = Kind::text;
    double number = 0;
    std::string text;
    double low = 0, high = 0;  // of an interval
};
AdviceValue words(std::string text);  // of a file or program: bounded, not translated
AdviceValue few_words(const std::vector<std::string>& names);  // the first three
AdviceValue sentence(std::string text);  // of the engine, translated where it can be
AdviceValue count_of(std::size_t count);
AdviceValue factor_of(double factor);                         // "1.42"
AdviceValue digits_of(double number);                         // "2.09e-07"
AdviceValue percent_of(double share);                         // 0..1: "4.2 %"
AdviceValue bytes_of(double bytes);                           // "7.34 MB"
AdviceValue ms_of(double ms);                                 // "231 µs", "4.12 ms"
AdviceValue interval_of(double ms, double low, double high);  // "23.3 µs ± 0.9"

enum class AdviceSeverity : std::uint8_t { important, useful, minor };

class AdviceTexts {
public:
    explicit AdviceTexts(const AdviceLanguage& language);
    /// Checks in the order of the file.
    const std::vector<std::string>& ids() const;
    AdviceSeverity severity(const std::string& id) const;
    /// `member`: "title", "why", "how", "button", or "command", which is not translated.
    std::string text(const std::string& id, const char* member) const;
    /// A sentence of "findings", or of all checks where `id` is empty. {0} is the first value;
    /// {0|node|nodes} the first value with a word for one and one for other numbers. Throws
    /// internal if there is no such key.
    std::string finding(const std::string& id, const char* key,
                        const std::vector<AdviceValue>& values) const;

private:
    std::string written(const AdviceValue& value) const;
    AdviceLanguage language_;
};

}  // namespace lapidary
