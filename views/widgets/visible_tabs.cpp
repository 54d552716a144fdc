// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/visible_tabs.h"

#include <QCoreApplication>
#include <QHelpEvent>
#include <QStyle>
#include <QTabBar>
#include <QTabWidget>
#include <QToolTip>

#include "models/rows_model.h"
#include "theme/theme.h"
#include "widgets/text/mnemonics.h"

namespace lapidary::views {
namespace {

/// The whole title, as setTabTitle() got it.
QString wholeTitle(const QTabBar& bar, int tab) {
    const QStringList titles = bar.tabData(tab).toStringList();
    return titles.isEmpty() ? bar.tabText(tab) : titles.front();
}

/// The brief title; the whole one where there is no other.
QString briefTitle(const QTabBar& bar, int tab) {
    const QStringList titles = bar.tabData(tab).toStringList();
    return titles.isEmpty() ? bar.tabText(tab) : titles.back();
}

/// The icon of a tab and the gap before its title, as QTabBar reckons; 0 without one.
int iconSpace(const QTabBar& bar, int tab) {
    constexpr int gap = 4;
    return bar.tabIcon(tab).isNull() ? 0 : bar.iconSize().width() + gap;
}

/// The width of all tabs with these titles and `space` around each.
int widthOf(const QTabBar& bar, QString (*title)(const QTabBar&, int), int space) {
    int needed = 0;
    for (int tab = 0; tab < bar.count(); ++tab)
        if (bar.isTabVisible(tab))
            needed += bar.fontMetrics().size(Qt::TextShowMnemonic, title(bar, tab)).width() +
                      iconSpace(bar, tab) + space + 2;
    return needed;
}

bool haveBriefTitles(const QTabBar& bar) {
    for (int tab = 0; tab < bar.count(); ++tab)
        if (bar.isTabVisible(tab) && bar.tabData(tab).toStringList().isEmpty()) return false;
    return bar.count() > 0;
}

/// Arrows to move along the tabs with uncut titles, or all tabs side by side.
void setScrolling(QTabWidget& tabs, bool on) {
    if (tabs.usesScrollButtons() == on) return;
    tabs.setElideMode(on ? Qt::ElideNone : Qt::ElideRight);
    tabs.setUsesScrollButtons(on);
}

void setCompact(QTabBar& bar, bool on) {
    if (bar.property(compactTabs).toBool() == on) return;
    bar.setProperty(compactTabs, on);
    QEvent change(
        QEvent::StyleChange);  // otherwise the tab bar keeps the old positions of its tabs
    QCoreApplication::sendEvent(&bar, &change);
}

/// Shows whole titles if they fit, closer to each other if needed; else brief ones if there are
/// any. Where all tabs have brief titles and these do not fit, arrows move along them.
void fitTitles(QTabWidget& tabs) {
    QTabBar& bar = *tabs.tabBar();
    const int usualSpace = bar.style()->pixelMetric(QStyle::PM_TabBarTabHSpace);
    setCompact(bar, widthOf(bar, wholeTitle, usualSpace) > tabs.width());
    const bool fits = widthOf(bar, wholeTitle, compactTabSpace) <= tabs.width();
    for (int tab = 0; tab < bar.count(); ++tab) {
        const QStringList titles = bar.tabData(tab).toStringList();
        const QString title = titles.isEmpty() ? bar.tabText(tab) : fits ? titles[0] : titles[1];
        if (title != bar.tabText(tab)) bar.setTabText(tab, title);
    }
    setScrolling(tabs, !fits && haveBriefTitles(bar) &&
                           widthOf(bar, briefTitle, compactTabSpace) > tabs.width());
}

/// The whole title of the tab under the mouse, which may be cut, unless it has a tool tip of its
/// own; chosen anew when the tabs get another width.
class TitleTips : public QObject {
public:
    explicit TitleTips(QTabWidget* tabs) : QObject(tabs), tabs_(tabs), bar_(tabs->tabBar()) {
        bar_->installEventFilter(this);
        tabs_->installEventFilter(this);
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (watched == tabs_ && (event->type() == QEvent::Resize || event->type() == QEvent::Show))
            fitTitles(*tabs_);
        if (watched != bar_ || event->type() != QEvent::ToolTip)
            return QObject::eventFilter(watched, event);
        const auto* help = static_cast<QHelpEvent*>(event);
        const int tab = bar_->tabAt(help->pos());
        if (tab < 0 || !bar_->tabToolTip(tab).isEmpty()) return false;
        QToolTip::showText(help->globalPos(), plainToolTip(withoutMnemonic(wholeTitle(*bar_, tab))),
                           bar_);
        return true;
    }

private:
    QTabWidget* tabs_;
    QTabBar* bar_;
};

}  // namespace

void keepTabsVisible(QTabWidget& tabs) {
    tabs.setUsesScrollButtons(false);
    tabs.setElideMode(Qt::ElideRight);
    new TitleTips(&tabs);
}

void setTabTitle(QTabWidget& tabs, int tab, const QString& whole, const QString& brief) {
    tabs.tabBar()->setTabData(tab, QStringList{whole, brief});
    fitTitles(tabs);
}

}  // namespace lapidary::views
