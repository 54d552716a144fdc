// SPDX-License-Identifier: Apache-2.0
#include <lapidary/internal/nearest_name.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include <lapidary/base/error.h>

namespace lapidary {
namespace {

std::string compared(std::string_view name) {
    std::string text(name.substr(0, 64));
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

/// Optimal string alignment distance: insertions, deletions, replacements and swaps of neighbours.
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1), last, before_last;
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        before_last = std::exchange(last, row);
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
            const bool exchanged = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (exchanged) row[j] = std::min(row[j], before_last[j - 2] + 1);
        }
    }
    return row[b.size()];
}

std::vector<std::pair<std::size_t, std::string>> by_distance(
    std::string_view name, const std::vector<std::string>& known) {
    const std::string text = compared(name);
    std::vector<std::pair<std::size_t, std::string>> near;
    for (const std::string& candidate : known)
        near.emplace_back(distance(text, compared(candidate)), candidate);
    std::ranges::sort(near);
    return near;
}

/// Whether the words of `name` between underscores, two or more, stand in `candidate` in this order
/// with others between them: "fuse_batch_norm" of "fuse_conv_batch_norm".
bool has_words_of(std::string_view candidate, std::string_view name) {
    std::size_t words = 0;
    while (!name.empty()) {
        const std::size_t end = std::min(name.find('_'), name.size());
        const std::string_view word = name.substr(0, end);
        name.remove_prefix(std::min(end + 1, name.size()));
        for (bool found = false; !found;) {
            if (candidate.empty()) return false;
            const std::size_t next = std::min(candidate.find('_'), candidate.size());
            found = candidate.substr(0, next) == word;
            candidate.remove_prefix(std::min(next + 1, candidate.size()));
        }
        ++words;
    }
    return words > 1;
}

}  // namespace

std::vector<std::string> nearest_names(std::string_view name, const std::vector<std::string>& known,
                                       std::size_t most) {
    std::vector<std::string> names;
    for (auto& [far, candidate] : by_distance(name, known))
        if (names.size() < most) names.push_back(std::move(candidate));
    return names;
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& known) {
    const auto near = by_distance(name, known);
    if (near.empty()) return {};
    if (near[0].first > 2) {  // more than a slip: a word may be missing
        const std::string text = compared(name);
        std::vector<std::string> meant;
        for (const auto& [far, candidate] : near)
            if (meant.size() < 3 && has_words_of(compared(candidate), text))
                meant.push_back(quote(candidate));
        std::string list;
        for (std::size_t i = 0; i < meant.size(); ++i)
            list += (i == 0 ? "" : i + 1 == meant.size() ? " or " : ", ") + meant[i];
        if (!list.empty()) return "; did you mean " + list + "?";
    }
    const std::size_t shorter = std::min(name.size(), near[0].second.size());
    if (near[0].first > std::max<std::size_t>(1, shorter / 3) || near[0].first >= shorter)
        return {};
    return "; did you mean " + quote(near[0].second) + "?";
}

}  // namespace lapidary
