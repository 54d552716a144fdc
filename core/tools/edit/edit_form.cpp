// SPDX-License-Identifier: Apache-2.0
#include "edit/edit_form.h"

#include <algorithm>
#include <cctype>

#include <lapidary/base/error.h>
#include <lapidary/internal/nearest_name.h>

#include "edit/edit_words.h"

namespace lapidary {
namespace {

std::vector<std::string_view> split_text(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    while (true) {
        const std::size_t at = text.find(separator);
        if (at != 0 && !text.empty()) parts.push_back(text.substr(0, at));
        if (at == std::string_view::npos) return parts;
        text.remove_prefix(at + 1);
    }
}

bool is_place(std::string_view part) {
    return !part.empty() && std::isupper(static_cast<unsigned char>(part.front())) != 0;
}

bool is_selection(std::string_view place) {
    return place == "NODE" || place == "NODES" || place == "VALUE" || place == "VALUES" ||
           place == "PLACE";
}

bool is_sign(std::string_view word) {
    return word == "->" || word == "=" || word == "&" || word == "," || word == ":";
}

bool joins_terms(std::string_view word) { return word == "&" || word == ","; }

}  // namespace

/// Walks form and words side by side.
class FormMatch {
public:
    explicit FormMatch(const std::vector<std::string>& words) : words_(words) {}

    bool run(std::string_view form) {
        const std::vector<std::string_view> parts = split_text(form, ' ');
        for (std::size_t i = 0; i < parts.size(); ++i) {
            if (!parts[i].starts_with('[')) {
                if (!match(parts[i])) return false;
                continue;
            }
            std::size_t last = i;
            while (!parts[last].ends_with(']')) ++last;
            std::vector<std::string_view> group(
                parts.begin() + static_cast<std::ptrdiff_t>(i),
                parts.begin() + static_cast<std::ptrdiff_t>(last + 1));
            group.front().remove_prefix(1);
            group.back().remove_suffix(1);
            i = last;
            if (!begins_with(group.front())) continue;
            for (const std::string_view part : group)
                if (!match(part)) return false;
        }
        return at_ == words_.size();
    }

    EditArguments take() { return std::move(arguments_); }

private:
    bool begins_with(std::string_view part) const {
        if (at_ >= words_.size()) return false;
        return is_place(part) || std::ranges::count(split_text(part, '|'), words_[at_]) > 0;
    }

    bool match(std::string_view part) {
        if (part.ends_with('*')) {
            part.remove_suffix(1);
            auto& rest = arguments_.words_[std::string(part)];
            while (at_ < words_.size()) rest.push_back(words_[at_++]);
            return !rest.empty();
        }
        if (part.ends_with(",...")) return match_list(part.substr(0, part.size() - 4));
        if (is_place(part)) return match_place(part);
        if (!begins_with(part)) return false;
        arguments_.words_[words_[at_]] = {words_[at_]};
        ++at_;
        return true;
    }

    bool match_list(std::string_view place) {
        auto& list = arguments_.words_[std::string(place)];
        while (true) {
            if (at_ >= words_.size() || is_sign(words_[at_])) return false;
            list.push_back(words_[at_++]);
            if (at_ >= words_.size() || words_[at_] != ",") return true;
            ++at_;
        }
    }

    bool match_place(std::string_view part) {
        const std::size_t dot = part.find('.');
        const std::string place(part.substr(0, dot));
        std::vector<std::string> found;
        while (true) {
            if (at_ >= words_.size() || is_sign(words_[at_])) return false;
            found.push_back(words_[at_++]);
            if (!is_selection(place) || at_ >= words_.size() || !joins_terms(words_[at_])) break;
            found.push_back(words_[at_++]);
        }
        if (dot != std::string_view::npos) {
            auto [before, after] = split_at_last_dot(found.back());
            if (before.empty() || after.empty()) return false;
            found.back() = before;
            arguments_.words_[std::string(part.substr(dot + 1))] = {after};
        }
        arguments_.words_[place] = std::move(found);
        return true;
    }

    const std::vector<std::string>& words_;
    std::size_t at_ = 0;
    EditArguments arguments_;
};

const std::vector<std::string>* EditArguments::find(std::string_view place) const {
    const auto found = words_.find(place);
    return found == words_.end() ? nullptr : &found->second;
}

const std::string& EditArguments::word(std::string_view place) const {
    const auto* words = find(place);
    if (words == nullptr || words->empty())
        fail(ErrorCode::internal, "the form of the line has no " + std::string(place));
    return words->front();
}

std::string EditArguments::text(std::string_view place) const { return unquoted_word(word(place)); }

std::vector<std::string> EditArguments::list(std::string_view place) const {
    std::vector<std::string> texts;
    for (const std::string& element : words(place)) texts.push_back(unquoted_word(element));
    return texts;
}

std::string EditArguments::selection(std::string_view place) const {
    return join_edit_words(words(place));
}

std::vector<std::string> EditArguments::words(std::string_view place) const {
    const auto* words = find(place);
    return words == nullptr ? std::vector<std::string>() : *words;
}

std::optional<EditArguments> match_form(std::string_view form,
                                        const std::vector<std::string>& words) {
    FormMatch match(words);
    const std::size_t verb_end = std::min(form.find(' '), form.size());
    if (!match.run(form.substr(verb_end))) return std::nullopt;
    return match.take();
}

std::size_t find_edit_form(const EditLine& line) {
    const std::span<const EditVerb> verbs = edit_verbs();
    std::vector<std::string> names;
    std::string forms;
    for (std::size_t i = 0; i < verbs.size(); ++i) {
        names.emplace_back(verbs[i].verb);
        if (verbs[i].verb != line.verb) continue;
        if (match_form(verbs[i].form, line.arguments)) return i;
        forms += (forms.empty() ? "" : "; or: ") + std::string(verbs[i].form);
    }
    if (!forms.empty())
        fail_input("expected: " + forms +
                   "; found: " + quote(line.verb + " " + join_edit_words(line.arguments)));
    std::string known;
    for (std::size_t i = 0; i < names.size(); ++i)
        if (i == 0 || names[i] != names[i - 1]) known += (i == 0 ? "" : ", ") + names[i];
    const std::string near = did_you_mean(line.verb, names);
    fail_input("no verb is called " + quote(line.verb) +
               (near.empty() ? "; there are: " + known : near));
}

}  // namespace lapidary
