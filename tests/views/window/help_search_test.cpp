// SPDX-License-Identifier: Apache-2.0
// The help is searched by words: the best page comes first, and the list goes there.
#include <QLineEdit>
#include <QListWidget>
#include <QTextBrowser>
#include <QTextCursor>

#include <gtest/gtest.h>

#include "window/help/help_search.h"
#include "window/help/help_window.h"

namespace lapidary::views {
namespace {

QStringList namesOf(const std::vector<HelpHit>& hits) {
    QStringList names;
    for (const HelpHit& hit : hits) names << hit.name;
    return names;
}

TEST(HelpSearch, EntriesHaveTheHeadingAboveThem) {
    const auto entries = helpEntries(QStringLiteral(
        "# Help\n\n[Start](start.md)\n\n## One\n\n- [A b](a-b.md)\n\n## Two\n\n- [C](c.md)\n"));
    ASSERT_EQ(entries.size(), 3u);
    EXPECT_EQ(entries[0].topic, QString());
    EXPECT_EQ(entries[1].name, QStringLiteral("a-b"));
    EXPECT_EQ(entries[1].title, QStringLiteral("A b"));
    EXPECT_EQ(entries[1].topic, QStringLiteral("One"));
    EXPECT_EQ(entries[2].topic, QStringLiteral("Two"));
}

TEST(HelpSearch, RanksTitlesAboveHeadingsAboveTexts) {
    const HelpSearch search({
        {QStringLiteral("text"), QStringLiteral("First"),
         QStringLiteral("# First\n\nHere a thread is, and a thread, and one more thread.\n")},
        {QStringLiteral("heading"), QStringLiteral("Second"),
         QStringLiteral("# Second\n\n## Threads\n\nOther words.\n")},
        {QStringLiteral("title"), QStringLiteral("Threads"), QStringLiteral("# Threads\n")},
        {QStringLiteral("none"), QStringLiteral("Fourth"), QStringLiteral("# Fourth\n")},
    });
    EXPECT_EQ(
        namesOf(search.find(QStringLiteral("thread"))),
        QStringList({QStringLiteral("title"), QStringLiteral("heading"), QStringLiteral("text")}));
    EXPECT_EQ(namesOf(search.find(QStringLiteral("THREAD other"))),
              QStringList({QStringLiteral("heading")}))
        << "a page has all the words";
    EXPECT_TRUE(search.find(QStringLiteral("  ")).empty());
    EXPECT_TRUE(search.find(QStringLiteral("absent")).empty());
}

TEST(HelpSearch, ExcerptsAreReadable) {
    const HelpSearch search(
        {{QStringLiteral("a"), QStringLiteral("A"),
          QStringLiteral("# A\n\n- **Near misses**: see [the page](page-x.md#y) about `fuse_gelu`."
                         "\n")}});
    const auto hits = search.find(QStringLiteral("gelu"));
    ASSERT_EQ(hits.size(), 1u);
    const QString excerpt = hits.front().excerpt;
    EXPECT_TRUE(excerpt.contains(QStringLiteral("fuse_gelu"))) << excerpt.toStdString();
    for (const char* mark : {"**", "`", "](", "page-x.md"})
        EXPECT_FALSE(excerpt.contains(QLatin1String(mark))) << excerpt.toStdString();
}

TEST(HelpSearch, TheListShowsHitsAndLeadsToTheWord) {
    HelpWindow help;
    ASSERT_TRUE(help.showPage(QStringLiteral("contents")));
    auto* field = help.findChild<QLineEdit*>(QStringLiteral("helpSearch"));
    auto* pages = help.findChild<QListWidget*>(QStringLiteral("helpPages"));
    auto* text = help.findChild<QTextBrowser*>(QStringLiteral("helpText"));
    ASSERT_TRUE(field && pages && text);
    const int all = pages->count();
    field->setText(QStringLiteral("glossary"));
    ASSERT_GT(pages->count(), 0);
    EXPECT_LT(pages->count(), all);
    EXPECT_EQ(pages->item(0)->data(Qt::UserRole).toString(), QStringLiteral("glossary"));
    EXPECT_EQ(help.currentPage(), QStringLiteral("contents")) << "typing goes nowhere";
    field->setText(QStringLiteral("near miss"));
    ASSERT_GT(pages->count(), 0);
    pages->setCurrentRow(0);
    EXPECT_EQ(help.currentPage(), pages->item(0)->data(Qt::UserRole).toString());
    EXPECT_EQ(text->textCursor().selectedText().toLower(), QStringLiteral("near"));
    field->setText(QStringLiteral("no-such-word-anywhere"));
    ASSERT_EQ(pages->count(), 1);
    EXPECT_TRUE(pages->item(0)->data(Qt::UserRole).toString().isEmpty());
    field->clear();
    EXPECT_EQ(pages->count(), all);
    EXPECT_EQ(pages->currentItem()->data(Qt::UserRole).toString(), help.currentPage());
}

}  // namespace
}  // namespace lapidary::views
