// SPDX-License-Identifier: GPL-3.0-or-later
// Finds pages of the help by the words in them, the best one first.
#pragma once

#include <QString>
#include <QStringList>

#include <vector>

namespace lapidary::views {

/// A line of the table of contents.
struct HelpEntry {
    QString name;   // of the page: "page-run"
    QString title;  // "Run"
    QString topic;  // the heading above it: "Pages of the window"; may be empty
};

/// The links of the table of contents in their order. `markdown`: the text of contents.md.
std::vector<HelpEntry> helpEntries(const QString& markdown);

struct HelpHit {
    QString name, title;
    QString excerpt;  // a line of the page with a word that was searched for; may be empty
    int score = 0;    // larger is better
};

class HelpSearch {
public:
    struct Page {
        QString name, title, markdown;
    };
    explicit HelpSearch(const std::vector<Page>& pages);
    /// Pages that have all words, in upper or lower case and also as parts of longer words. A word
    /// in the title counts most, then one in a heading, then how often it occurs. Pages with equal
    /// scores stay in their order. No words: nothing.
    std::vector<HelpHit> find(const QString& words) const;

private:
    struct Text {
        QString name, title;
        QStringList lines;  // without the marks of Markdown
        QString headings;   // one a line
        QString whole;      // all lines
    };
    std::vector<Text> texts_;
};

}  // namespace lapidary::views
