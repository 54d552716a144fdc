// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/help/help_search.h"

#include <QRegularExpression>

#include <algorithm>
#include <functional>
#include <utility>

namespace lapidary::views {
namespace {

constexpr int title_score = 100, heading_score = 20;
constexpr qsizetype most_headings = 3, most_occurrences = 15;  // that count, of one word
constexpr qsizetype excerpt_length = 90;                       // characters
constexpr qsizetype before_word = 30;                          // characters of it ahead of the word

/// The line as it is read: without targets of links, pictures and marks of emphasis and code.
QString readable(QString line) {
    static const QRegularExpression link(QStringLiteral(R"(!?\[([^\]]*)\]\([^)]*\))"));
    if (line.startsWith(QLatin1String("```"))) return {};
    if (line.contains(QLatin1String("]("))) line.replace(link, QStringLiteral("\\1"));
    line = line.remove(QStringLiteral("**")).remove(u'`').trimmed();
    while (line.startsWith(u'#')) line.remove(0, 1);
    for (const QLatin1String mark : {QLatin1String("- "), QLatin1String("* "), QLatin1String("| ")})
        if (line.startsWith(mark)) line.remove(0, mark.size());
    return line.trimmed();
}

/// The part of the line around its first word of those.
QString excerptOf(const QString& line, const QStringList& words) {
    qsizetype at = line.size();
    for (const QString& word : words)
        if (const qsizetype found = line.indexOf(word, 0, Qt::CaseInsensitive); found >= 0)
            at = std::min(at, found);
    qsizetype begin = std::max<qsizetype>(at - before_word, 0);
    if (begin > 0) {  // whole words, where there are some
        const qsizetype space = line.indexOf(u' ', begin);
        if (space >= 0 && space < at) begin = space + 1;
    }
    QString text = line.mid(begin, excerpt_length).trimmed();
    if (begin > 0) text.prepend(QStringLiteral("… "));
    if (begin + excerpt_length < line.size()) text += QStringLiteral(" …");
    return text;
}

}  // namespace

std::vector<HelpEntry> helpEntries(const QString& markdown) {
    static const QRegularExpression link(QStringLiteral(R"(\[([^\]]+)\]\(([\w-]+)\.md\))"));
    std::vector<HelpEntry> entries;
    QString topic;
    for (const QString& line : markdown.split(u'\n')) {
        if (line.startsWith(QLatin1String("## "))) topic = line.mid(3).trimmed();
        for (auto it = link.globalMatch(line); it.hasNext();) {
            const auto match = it.next();
            entries.push_back({match.captured(2), match.captured(1), topic});
        }
    }
    return entries;
}

HelpSearch::HelpSearch(const std::vector<Page>& pages) {
    for (const Page& page : pages) {
        Text text{page.name, page.title, {}, {}, {}};
        for (const QString& line : page.markdown.split(u'\n')) {
            const QString plain = readable(line);
            if (plain.isEmpty()) continue;
            if (line.startsWith(u'#')) text.headings += plain + u'\n';
            text.lines << plain;
        }
        text.whole = text.lines.join(u'\n');
        texts_.push_back(std::move(text));
    }
}

std::vector<HelpHit> HelpSearch::find(const QString& words) const {
    const QStringList wanted = words.split(u' ', Qt::SkipEmptyParts);
    std::vector<HelpHit> hits;
    if (wanted.isEmpty()) return hits;
    for (const Text& text : texts_) {
        HelpHit hit{text.name, text.title, {}, 0};
        bool hasAll = true;
        for (const QString& word : wanted) {
            const bool isInTitle = text.title.contains(word, Qt::CaseInsensitive);
            const qsizetype headings = text.headings.count(word, Qt::CaseInsensitive);
            const qsizetype all = text.whole.count(word, Qt::CaseInsensitive);
            hasAll = hasAll && (isInTitle || all > 0);
            hit.score += (isInTitle ? title_score : 0) +
                         heading_score * int(std::min(headings, most_headings)) +
                         int(std::min(all, most_occurrences));
        }
        if (!hasAll) continue;
        // the first line with the most words
        qsizetype most = 0;
        for (const QString& line : text.lines) {
            const qsizetype here = std::ranges::count_if(wanted, [&](const QString& word) {
                return line.contains(word, Qt::CaseInsensitive);
            });
            if (here > most && line != text.title) most = here, hit.excerpt = line;
        }
        if (!hit.excerpt.isEmpty()) hit.excerpt = excerptOf(hit.excerpt, wanted);
        hits.push_back(std::move(hit));
    }
    std::ranges::stable_sort(hits, std::ranges::greater{}, &HelpHit::score);
    return hits;
}

}  // namespace lapidary::views
