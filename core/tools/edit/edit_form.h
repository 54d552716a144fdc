// SPDX-License-Identifier: Apache-2.0
// Matches the words of a line with a form of its verb (EditVerb::form).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <lapidary/edit/edit_script.h>
#include <lapidary/edit/edit_verbs.h>

namespace lapidary {

/// The words of a line by the places of its form.
class EditArguments {
public:
    /// Whether an optional keyword ("cut") or place ("NAME") was given.
    bool has(std::string_view place) const { return find(place) != nullptr; }
    /// The word as it stands, quotes kept. Throws internal for a place that the line does not have.
    const std::string& word(std::string_view place) const;
    /// The word without quotes.
    std::string text(std::string_view place) const;
    /// The elements of NAME,... without quotes.
    std::vector<std::string> list(std::string_view place) const;
    /// All words of the place as they stand: "op:Cast & scope:encoder".
    std::string selection(std::string_view place) const;
    /// The words of the place, quotes kept; none where it was not given.
    std::vector<std::string> words(std::string_view place) const;

private:
    friend class FormMatch;
    const std::vector<std::string>* find(std::string_view place) const;
    std::map<std::string, std::vector<std::string>, std::less<>> words_;
};

/// Nothing where the words behind the verb do not fit the form.
std::optional<EditArguments> match_form(std::string_view form,
                                        const std::vector<std::string>& words);

/// The first form of the line's verb that its words fit, by its place in edit_verbs(). Throws
/// invalid_input naming the forms of the verb, or close verbs.
std::size_t find_edit_form(const EditLine& line);

}  // namespace lapidary
