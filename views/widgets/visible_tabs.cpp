// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/visible_tabs.h"

#include <QHelpEvent>
#include <QTabBar>
#include <QTabWidget>
#include <QToolTip>

#include "models/rows_model.h"
#include "widgets/mnemonics.h"

namespace lapidary::views {
namespace {

/// The whole title of the tab under the mouse, which may be cut, unless it has a tool tip of its own.
class TitleTips : public QObject {
public:
    explicit TitleTips(QTabBar* bar) : QObject(bar), bar_(bar) { bar->installEventFilter(this); }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() != QEvent::ToolTip) return QObject::eventFilter(watched, event);
        const auto* help = static_cast<QHelpEvent*>(event);
        const int tab = bar_->tabAt(help->pos());
        if (tab < 0 || !bar_->tabToolTip(tab).isEmpty()) return false;
        QToolTip::showText(help->globalPos(), plainToolTip(withoutMnemonic(bar_->tabText(tab))), bar_);
        return true;
    }

private:
    QTabBar* bar_;
};

}  // namespace

void keepTabsVisible(QTabWidget& tabs) {
    tabs.setUsesScrollButtons(false);
    tabs.setElideMode(Qt::ElideRight);
    new TitleTips(tabs.tabBar());
}

}  // namespace lapidary::views
