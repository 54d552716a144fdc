// SPDX-License-Identifier: Apache-2.0
// Nothing that distinguishes things is cut away: names of a table stay different where there is no
// room for all of them, and every tab of every page is there at 1280 pixels.
#include <QAbstractItemView>
#include <QHeaderView>
#include <QSet>
#include <QStyle>
#include <QStyleOptionTab>
#include <QTabBar>
#include <QTabWidget>
#include <QTreeView>

#include "widgets/text/mnemonics.h"
#include "widgets/text/shared_ends.h"
#include "widgets/visible_tabs.h"
#include "views/window_fixture.h"

namespace lapidary::views {
namespace {

TEST(SharedEnds, AreWholePartsOfTheNames) {
    EXPECT_EQ(sharedEnds({QStringLiteral("a/b/c"), QStringLiteral("a/b/d")}), (SharedEnds{4, 0}));
    EXPECT_EQ(sharedEnds({QStringLiteral("enc/layer.3/add"), QStringLiteral("enc/layer.30/add")}),
              (SharedEnds{10, 4}));
    EXPECT_EQ(sharedEnds({QStringLiteral("alone")}), SharedEnds{});
    EXPECT_EQ(sharedEnds({QStringLiteral("same"), QStringLiteral("same")}), SharedEnds{});
    EXPECT_EQ(sharedEnds({QStringLiteral("conv10"), QStringLiteral("conv11")}), SharedEnds{})
        << "no part is shared";
}

TEST(SharedEnds, WhatDistinguishesNamesIsKept) {
    QStringList names;
    for (int layer = 0; layer < 12; ++layer)
        for (const char* op : {"query", "key", "value"})
            names << QStringLiteral("bert/encoder/layer_%1/attention/self/%2/MatMul")
                         .arg(layer)
                         .arg(QLatin1String(op));
    const SharedEnds ends = sharedEnds(names);
    const QFontMetrics metrics(QApplication::font());
    const int room = metrics.horizontalAdvance(QStringLiteral("layer_11/attention/self/value…"));
    QSet<QString> shown;
    for (const QString& name : names)
        shown << metrics.elidedText(withoutSharedEnds(name, ends, metrics, room), Qt::ElideMiddle,
                                    room);
    EXPECT_EQ(shown.size(), names.size());
    EXPECT_EQ(withoutSharedEnds(names[0], ends, metrics, 10'000), names[0])
        << "with enough room it is shown in full";
}

TEST(SharedEnds, NeighboursThatWouldReadAlikeAreDistinguished) {
    const auto layer = [](int i) {
        return QStringLiteral(
                   "tf_bert_for_question_answering/bert/encoder/layer_._%1/attention/output/dense/"
                   "Tensordot")
            .arg(i);
    };
    const QFontMetrics metrics(QApplication::font());
    const int room = metrics.horizontalAdvance(QStringLiteral("layer_._11/attention/output"));
    const auto shown = [&](int i) {
        const QString name =
            distinguished(layer(i), {layer(4), layer(11)}, metrics, Qt::ElideMiddle, room);
        return metrics.elidedText(name, Qt::ElideMiddle, room);
    };
    EXPECT_TRUE(shown(3).startsWith(QStringLiteral("…layer_._3/"))) << shown(3).toStdString();
    EXPECT_NE(shown(3), shown(12));
    EXPECT_EQ(
        distinguished(layer(3), {QStringLiteral("qa_outputs/Add")}, metrics, Qt::ElideMiddle, room),
        layer(3));
}

TEST(VisibleTabs, ShowBriefTitlesAndThenArrowsWhereTheyDoNotFit) {
    QTabWidget tabs;
    keepTabsVisible(tabs);
    for (const char* brief : {"one", "two", "six"}) {
        const QString whole = QStringLiteral("A long title of %1").arg(QLatin1String(brief));
        setTabTitle(tabs, tabs.addTab(new QWidget, whole), whole, QLatin1String(brief));
    }
    tabs.resize(900, 100);
    tabs.show();
    EXPECT_EQ(tabs.tabText(0), QStringLiteral("A long title of one"));
    EXPECT_FALSE(tabs.usesScrollButtons());
    tabs.resize(tabs.fontMetrics().horizontalAdvance(QStringLiteral("one two six")) + 40, 100);
    EXPECT_EQ(tabs.tabText(0), QStringLiteral("one"));
    EXPECT_FALSE(tabs.usesScrollButtons());
    tabs.resize(40, 100);
    EXPECT_TRUE(tabs.usesScrollButtons());
    EXPECT_EQ(tabs.tabText(2), QStringLiteral("six"));
    tabs.resize(900, 100);
    EXPECT_FALSE(tabs.usesScrollButtons());
    EXPECT_EQ(tabs.tabText(2), QStringLiteral("A long title of six"));
}

TEST(VisibleTabs, LeaveRoomForIcons) {
    QTabWidget tabs;
    keepTabsVisible(tabs);
    QPixmap picture(16, 16);
    picture.fill(Qt::black);
    int titles = 0;
    for (const char* brief : {"one", "two", "six"}) {
        const QString whole = QStringLiteral("A long title of %1").arg(QLatin1String(brief));
        setTabTitle(tabs, tabs.addTab(new QWidget, QIcon(picture), whole), whole,
                    QLatin1String(brief));
        titles += tabs.tabBar()->fontMetrics().horizontalAdvance(whole) + compactTabSpace + 2;
    }
    tabs.resize(titles, 100);
    tabs.show();
    EXPECT_EQ(tabs.tabText(0), QStringLiteral("one")) << "the icons would cut the whole titles";
    tabs.resize(titles + 300, 100);
    EXPECT_EQ(tabs.tabText(0), QStringLiteral("A long title of one"));
}

/// The titles as they are drawn.
class DrawnTabs : public QTabBar {
public:
    QString drawn(int tab) const {
        QStyleOptionTab option;
        initStyleOption(&option, tab);
        return option.text;
    }
};

TEST(VisibleTabs, LettersBehindChineseTitlesAreNotCut) {
    applyTheme(ThemeChoice::light);
    DrawnTabs bar;
    bar.setElideMode(Qt::ElideRight);
    bar.setExpanding(false);  // as in a tab widget
    const QString titles[] = {QStringLiteral("部分(&P)"), QStringLiteral("时间线(&I)"),
                              QStringLiteral("&Teile")};
    for (const QString& title : titles) bar.addTab(title);
    bar.resize(600, 40);
    bar.show();
    for (int tab = 0; tab < bar.count(); ++tab)
        EXPECT_EQ(bar.drawn(tab).toStdString(), titles[tab].toStdString());
}

class WholeNames : public WindowTest {
protected:
    void showAt(int width) {
        QSettings().setValue(QStringLiteral("optimize/tryLevels"), false);
        window_->resize(width, 800);
        openSample("bert-tiny");
        runModel();
        for (const QString& id : window_->pageIds()) {
            window_->showPage(id);
            ASSERT_TRUE(waitFor([this] { return workbench_->jobs().jobs().isEmpty(); }));
        }
    }
};

TEST_F(WholeNames, AllTabsOfAllPagesAreVisible) {
    find<QDockWidget>("variantsDock")->show();
    showAt(1280);
    int bars = 0;
    for (const QString& id : window_->pageIds()) {
        window_->showPage(id);
        QCoreApplication::processEvents();
        EXPECT_LE(window_->width(), 1280) << id.toStdString();
        for (const auto* tabs : window_->page(id)->findChildren<QTabWidget*>()) {
            if (!tabs->isVisible()) continue;
            ++bars;
            const QTabBar* bar = tabs->tabBar();
            for (int tab = 0; tab < bar->count(); ++tab) {
                if (!bar->isTabVisible(tab)) continue;
                const QRect place = bar->tabRect(tab);
                EXPECT_TRUE(
                    bar->rect().contains(place) &&
                    tabs->rect().contains(QRect(bar->mapTo(tabs, place.topLeft()), place.size())))
                    << id.toStdString() << ": " << bar->tabText(tab).toStdString();
                const int space =
                    bar->style()->pixelMetric(QStyle::PM_TabBarTabHSpace, nullptr, bar);
                const QString title = withoutMnemonic(bar->tabText(tab));
                const QString shown =
                    bar->fontMetrics().elidedText(title, tabs->elideMode(), place.width() - space);
                EXPECT_GE(shown.size(), std::min<qsizetype>(title.size(), 3))
                    << id.toStdString() << ": " << title.toStdString() << " is "
                    << shown.toStdString();
            }
        }
    }
    EXPECT_GE(bars, 6);
    window_->showPage(QStringLiteral("run"));
    QCoreApplication::processEvents();
    const auto* operators = find<QTreeView>("operatorBars");
    const int figure = operators->fontMetrics().horizontalAdvance(QStringLiteral("100.0 %"));
    EXPECT_GE(operators->header()->sectionSize(1), figure) << "the share has room beside the time";
}

/// Rows that differ in a name differ in what is drawn of it, in the columns of names of all tables.
TEST_F(WholeNames, RowsOfTablesStayDifferent) {
    showAt(1280);
    int compared = 0;
    for (auto* tree : window_->findChildren<QTreeView*>()) {
        if (!tree->model() || tree->model()->rowCount() < 2 || tree->isHeaderHidden()) continue;
        tree->expandAll();
        const auto check = [&](const QModelIndex& parent) {
            QSet<QString> names, shown;
            // as QTreeView indents
            const int depth = int(parent.isValid()) + int(tree->rootIsDecorated());
            const int width = tree->columnWidth(0) - tree->indentation() * depth - 8;
            QStringList all;
            for (int row = 0; row < tree->model()->rowCount(parent); ++row)
                all << tree->model()->index(row, 0, parent).data().toString();
            const SharedEnds ends = sharedEnds(all);
            const QFontMetrics metrics(tree->font());
            for (const QString& name : all) {
                names << name;
                shown << metrics.elidedText(withoutSharedEnds(name, ends, metrics, width),
                                            tree->textElideMode(), width);
            }
            compared += int(names.size());
            EXPECT_GE(shown.size() * 4, names.size() * 3)
                << tree->objectName().toStdString() << ": of " << names.size() << " names "
                << shown.size() << " can be distinguished in " << width << " pixels, e.g. "
                << all.front().toStdString();
        };
        check({});
        for (int row = 0; row < std::min(10, tree->model()->rowCount()); ++row)
            if (const QModelIndex at = tree->model()->index(row, 0);
                tree->model()->rowCount(at) > 1)
                check(at);
    }
    EXPECT_GT(compared, 50);
}

}  // namespace
}  // namespace lapidary::views
