// SPDX-License-Identifier: Apache-2.0
#include "proof/changed_answers.h"

#include <algorithm>
#include <cmath>
#include <cctype>
#include <span>
#include <string>
#include <vector>

namespace lapidary {
namespace {

/// The words of a name in lower case. A word ends before what is no letter or digit, and where a
/// capital follows a small letter.
std::vector<std::string> words_in(std::string_view name) {
    std::vector<std::string> words(1);
    bool was_small = false;
    for (const char c : name) {
        const auto letter = static_cast<unsigned char>(c);
        const bool is_new = std::isupper(letter) != 0 && was_small;
        was_small = std::islower(letter) != 0;
        if ((is_new || std::isalnum(letter) == 0) && !words.back().empty()) words.emplace_back();
        if (std::isalnum(letter) != 0)
            words.back().push_back(static_cast<char>(std::tolower(letter)));
    }
    return words;
}

constexpr std::string_view words_of_others[] = {
    "present", "past",   "cache",   "hidden",   "state",      "embedding",
    "pooler",  "pooled", "feature", "features", "embeddings", "attention",
    "box",     "boxes",  "bbox",    "bboxes",   "attentions"};

}  // namespace

bool holds_answers(std::string_view name, const Tensor& output) {
    if (!is_float(output.dtype()) || output.rank() < 1 || output.rank() > 3 ||
        output.shape().back() < 2)
        return false;
    const std::vector<std::string> words = words_in(name);
    if (std::ranges::find(words, "logits") != words.end()) return true;
    return std::ranges::none_of(words, [](const std::string& word) {
        return std::ranges::find(words_of_others, word) != std::end(words_of_others);
    });
}

AnswerCounts count_answers(const Tensor& actual, const Tensor& expected) {
    AnswerCounts counts;
    if (expected.rank() == 0 || expected.size() == 0) return counts;
    const auto width = static_cast<std::size_t>(expected.shape().back());
    if (width < 2 || actual.shape() != expected.shape()) return counts;
    const std::vector<double> found = to_doubles(actual), exact = to_doubles(expected);
    for (std::size_t begin = 0; begin < exact.size(); begin += width) {
        const std::span<const double> row(exact.data() + begin, width);
        if (std::ranges::any_of(row, [](double v) { return std::isnan(v); })) continue;
        const std::span<const double> other(found.data() + begin, width);
        const double chosen =
            other[static_cast<std::size_t>(std::ranges::max_element(row) - row.begin())];
        ++counts.all;
        counts.changed += !std::ranges::all_of(other, [&](double v) { return v <= chosen; });
    }
    return counts;
}

AnswerCounts count_answers(std::string_view name, const Tensor& actual, const Tensor& expected) {
    return holds_answers(name, expected) ? count_answers(actual, expected) : AnswerCounts{};
}

}  // namespace lapidary
