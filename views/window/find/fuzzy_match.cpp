// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/find/fuzzy_match.h"

#include <QStringList>

#include <algorithm>
#include <limits>
#include <vector>

namespace lapidary::views {
namespace {

constexpr int letter_points = 1;
constexpr int run_points = 5;  // directly after the previous hit
constexpr int word_start_points = 8;
constexpr int no_fit = std::numeric_limits<int>::min() / 2;

bool starts_word(const QString& text, qsizetype at) {
    return at == 0 || !text[at - 1].isLetterOrNumber() ||
           (text[at].isUpper() && text[at - 1].isLower());
}

}  // namespace

std::optional<int> fuzzyScore(const QString& pattern, const QString& text) {
    QString letters;
    for (const QChar c : pattern)
        if (!c.isSpace()) letters += c.toCaseFolded();
    if (letters.isEmpty()) return 0;

    // best[j]: the best score of the letters so far with the last one at text[j]
    const auto length = static_cast<std::size_t>(text.size());
    std::vector<int> best(length, no_fit), next(length);
    for (qsizetype i = 0; i < letters.size(); ++i) {
        int before = i == 0 ? 0 : no_fit;  // best of the previous letters anywhere to the left
        for (std::size_t j = 0; j < length; ++j) {
            next[j] = no_fit;
            if (text[qsizetype(j)].toCaseFolded() == letters[i]) {
                const int points =
                    letter_points + (starts_word(text, qsizetype(j)) ? word_start_points : 0);
                if (before > no_fit) next[j] = before + points;
                if (i > 0 && j > 0 && best[j - 1] > no_fit)
                    next[j] = std::max(next[j], best[j - 1] + points + run_points);
            }
            if (i > 0) before = std::max(before, best[j]);
        }
        std::swap(best, next);
    }
    const int score = best.empty() ? no_fit : *std::max_element(best.begin(), best.end());
    if (score <= no_fit) return std::nullopt;
    return score * 4 - static_cast<int>(std::min<std::size_t>(length, 200)) / 4;
}

bool beginsWords(const QString& pattern, const QString& text) {
    const QStringList words = pattern.split(u' ', Qt::SkipEmptyParts);
    return std::ranges::all_of(words, [&](const QString& word) {
        for (qsizetype at = text.indexOf(word, 0, Qt::CaseInsensitive); at >= 0;
             at = text.indexOf(word, at + 1, Qt::CaseInsensitive))
            if (starts_word(text, at)) return true;
        return false;
    });
}

}  // namespace lapidary::views
