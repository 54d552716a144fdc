// SPDX-License-Identifier: Apache-2.0
// Every entry of every menu is reached by a letter, and no two of a menu by the same.
#include <QKeySequence>
#include <QMenuBar>
#include <QTranslator>

#include <set>

#include "widgets/text/mnemonics.h"
#include "views/window_fixture.h"

namespace lapidary::views {
namespace {

/// Of the menu and those in it, as they are when they are opened.
void lookThrough(QMenu& menu, const std::string& path, int& entries) {
    if (menu.objectName() == QLatin1String("recentMenu")) return;  // names of files
    emit menu.aboutToShow();
    std::set<int> letters;
    for (QAction* action : menu.actions()) {
        if (action->isSeparator() || !action->isVisible()) continue;
        const std::string name = path + " > " + action->text().toStdString();
        const QKeySequence keys = QKeySequence::mnemonic(action->text());
        EXPECT_FALSE(keys.isEmpty()) << name << " has no letter";
        if (!keys.isEmpty())
            EXPECT_TRUE(letters.insert(keys[0].key()).second) << name << ": the letter is taken";
        ++entries;
        if (action->menu()) lookThrough(*action->menu(), name, entries);
    }
}

void lookThroughMenus(const MainWindow& window) {
    std::set<int> letters;
    int entries = 0;
    for (QAction* action : window.menuBar()->actions()) {
        const QKeySequence keys = QKeySequence::mnemonic(action->text());
        ASSERT_FALSE(keys.isEmpty()) << action->text().toStdString();
        EXPECT_TRUE(letters.insert(keys[0].key()).second) << action->text().toStdString();
        ASSERT_NE(action->menu(), nullptr);
        lookThrough(*action->menu(), action->text().toStdString(), entries);
    }
    EXPECT_GT(entries, 100) << "commands of the pages among them";
}

using MnemonicsTest = WindowTest;

TEST_F(MnemonicsTest, NoMenuHasALetterTwiceAndNoEntryHasNone) { lookThroughMenus(*window_); }

TEST_F(MnemonicsTest, TheyAreKeptWhenTextsChange) {
    openSample("mlp");
    window_->showPage(QStringLiteral("optimize"));
    lookThroughMenus(*window_);
    command(QStringLiteral("Measure the levels"))
        ->setText(QStringLiteral("Stop measuring the levels"));
    lookThroughMenus(*window_);
}

TEST(Mnemonics, AreFreeLettersOfTheTextElseBehindIt) {
    QMenu menu;
    QAction* first = menu.addAction(QStringLiteral("&Save"));
    QAction* second = menu.addAction(QStringLiteral("&Save as"));
    QAction* third = menu.addAction(QStringLiteral("Sa"));
    QAction* chinese = menu.addAction(QStringLiteral("保存"));
    QAction* file = menu.addAction(QStringLiteral("a && b"));
    giveMnemonics(menu);
    EXPECT_EQ(first->text(), QStringLiteral("&Save"));
    EXPECT_EQ(second->text(), QStringLiteral("Sa&ve as")) << "it leaves A to the next one";
    EXPECT_EQ(third->text(), QStringLiteral("S&a"));
    EXPECT_EQ(chinese->text(), QStringLiteral("保存(&C)"));
    EXPECT_EQ(file->text(), QStringLiteral("a && &b")) << "an ampersand stays one";
    QMenu open;
    QAction* dots = open.addAction(QStringLiteral("打开……"));
    QAction* more = open.addAction(QStringLiteral("打开 …"));
    giveMnemonics(open);
    EXPECT_EQ(dots->text(), QStringLiteral("打开(&A)……"));
    EXPECT_EQ(more->text(), QStringLiteral("打开(&B) …"));
    EXPECT_EQ(withoutMnemonic(dots->text()), QStringLiteral("打开……"));
    EXPECT_EQ(withoutMnemonic(second->text()), QStringLiteral("Save as"));
    EXPECT_EQ(withoutMnemonic(chinese->text()), QStringLiteral("保存"));
    EXPECT_EQ(withoutMnemonic(file->text()), QStringLiteral("a & b"));
    giveMnemonics(menu);
    EXPECT_EQ(second->text(), QStringLiteral("Sa&ve as")) << "once given they stay";
    EXPECT_EQ(chinese->text(), QStringLiteral("保存(&C)"));
}

// An action is in several menus: what one of them had no letter for has one in another.
TEST(Mnemonics, ALetterBehindTheTextGoesWhereOneOfTheTextIsFree) {
    QMenu full, other;
    full.addAction(QStringLiteral("&A"));
    full.addAction(QStringLiteral("&B"));
    QAction* shared = full.addAction(QStringLiteral("ab && ba"));
    other.addAction(QStringLiteral("&A"));
    other.addAction(shared);
    giveMnemonics(full);
    EXPECT_EQ(shared->text(), QStringLiteral("ab && ba(&C)"));
    giveMnemonics(other);
    EXPECT_EQ(shared->text(), QStringLiteral("ab && &ba"));
    giveMnemonics(full);
    EXPECT_EQ(shared->text(), QStringLiteral("ab && ba(&C)"));
}

}  // namespace
}  // namespace lapidary::views
