// SPDX-License-Identifier: GPL-3.0-or-later
// How the Optimize page is put together: panels, tools, actions.
#include <QActionGroup>
#include <QHBoxLayout>
#include <QSplitter>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

#include "canvas/layout_notice.h"
#include "optimize/change_panel.h"
#include "optimize/guard_panel.h"
#include "optimize/level_cards.h"
#include "optimize/near_miss_panel.h"
#include "optimize/optimize_page.h"
#include "optimize/pass_list_panel.h"
#include "optimize/step_bar.h"
#include "theme/theme.h"
#include "widgets/text/elided_label.h"
#include "widgets/visible_tabs.h"
#include "widgets/wide_labels.h"

namespace lapidary::views {
namespace {

constexpr int least_tabs_width = 320;  // pixels, in which the titles of all tabs are whole

}  // namespace

void OptimizePage::makeActions() {
    const auto add = [this](const QString& text, const char* icon, const QKeySequence& shortcut,
                            const QString& tip) {
        auto* action = new QAction(themedIcon(QLatin1String(icon)), text, this);
        action->setShortcut(shortcut);
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        action->setToolTip(
            shortcut.isEmpty()
                ? tip
                : QStringLiteral("%1 (%2)").arg(tip, shortcut.toString(QKeySequence::NativeText)));
        action->setStatusTip(tip);
        action->setProperty("commandGroup", tr("Optimize"));
        actions_.append(action);
        return action;
    };
    split_ = add(tr("Side by side"), "split", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_D),
                 tr("Show the graphs before and after side by side"));
    overlay_ = add(tr("Overlay"), "overlay", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O),
                   tr("Show both graphs on top of each other: dashed red with a minus went, green "
                      "with a plus came"));
    auto* modes = new QActionGroup(this);
    for (QAction* action : {split_, overlay_}) {
        action->setCheckable(true);
        modes->addAction(action);
    }
    overlay_->setChecked(true);
    compactResult_ = add(
        tr("Compact result"), "layout", {},
        tr("Lay the finished graph out for itself; without it what went stays drawn beneath it"));
    compactResult_->setCheckable(true);
    compactResult_->setChecked(true);
    connect(compactResult_, &QAction::toggled, diff_, &DiffView::setCompact);
    fit_ = add(tr("Fit all"), "zoom-fit", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F),
               tr("Show the whole graph"));
    zoomStep_ = add(tr("Zoom to the step"), "search", QKeySequence(Qt::ALT | Qt::Key_Z),
                    tr("Show what the step changed"));
    use_ = add(tr("Use this graph"), "check", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_U),
               tr("Show and run this variant on the other pages"));
    copy_ = add(tr("Copy command"), "copy", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C),
                tr("Copy the lapidary-cli command that repeats this"));
    guard_ =
        add(tr("Guard"), "guard", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_G),
            tr("Run the original and this variant on the same inputs and compare every output"));
    measure_ =
        add(tr("Measure the levels"), "clock", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_M),
            tr("Measure the levels in turn with the sizes and threads in force"));
    export_ = add(tr("Export …"), "export", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E),
                  tr("Write the optimized model: portable, plain ONNX or for this CPU"));
    connect(guard_, &QAction::triggered, this, [this] {
        tabs_->setCurrentWidget(guards_);
        guards_->run();
    });
    connect(measure_, &QAction::triggered, this, &OptimizePage::measureLevels);
    connect(export_, &QAction::triggered, this, &OptimizePage::exportModel);
    connect(split_, &QAction::triggered, this, [this] { diff_->setMode(DiffView::Mode::Split); });
    connect(overlay_, &QAction::triggered, this,
            [this] { diff_->setMode(DiffView::Mode::Overlay); });
    connect(fit_, &QAction::triggered, diff_, &DiffView::fit);
    connect(zoomStep_, &QAction::triggered, diff_, &DiffView::zoomToStep);
    connect(use_, &QAction::triggered, this, &OptimizePage::useVariant);
    connect(copy_, &QAction::triggered, this, &OptimizePage::copyCommand);
    actions_ += steps_->stepActions();
}

QWidget* OptimizePage::makeTools() {
    compare_ = new QComboBox;
    compare_->setObjectName(QStringLiteral("compareWith"));
    compare_->setAccessibleName(tr("Compare with"));
    compare_->setToolTip(tr("What the graph after the step is compared with"));
    compare_->addItem(tr("All changes so far"));
    compare_->addItem(tr("This step only"));
    connect(compare_, &QComboBox::currentIndexChanged, this,
            [this] { drawStep(steps_->step(), false); });
    // hides what does not fit behind its last button
    auto* bar = new QToolBar(tr("Optimize tools"));
    bar->setObjectName(QStringLiteral("optimizeTools"));
    bar->setMovable(false);
    bar->setIconSize(QSize(18, 18));
    bar->addAction(split_);
    bar->addAction(overlay_);
    bar->addAction(compactResult_);
    bar->addWidget(compare_);
    bar->addAction(fit_);
    bar->addAction(zoomStep_);
    bar->addSeparator();
    bar->addActions({measure_, guard_, export_, use_, copy_});
    for (QAction* action : bar->actions()) {
        auto* button = qobject_cast<QToolButton*>(bar->widgetForAction(action));
        if (!button) continue;
        button->setAccessibleName(action->text());
        button->setToolButtonStyle(Qt::ToolButtonIconOnly);
    }
    showLabelsWhereWide(*bar, {measure_, export_, guard_, use_, copy_});
    return bar;
}

QWidget* OptimizePage::makeContent() {
    verdict_ = new ElidedLabel;
    verdict_->setObjectName(QStringLiteral("optimizeVerdict"));
    verdict_->setFont(scaledFont(1.05, true));
    verdict_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    verdict_->setContentsMargins(12, 2, 12, 6);
    tabs_ = new QTabWidget;
    tabs_->setObjectName(QStringLiteral("optimizeTabs"));
    keepTabsVisible(*tabs_);
    tabs_->setDocumentMode(true);
    tabs_->setAccessibleName(tr("What the passes did"));
    tabs_->addTab(passes_, tr("&Passes"));
    tabs_->addTab(changes_, tr("&Changes"));
    tabs_->addTab(misses_, tr("&Near misses"));
    tabs_->addTab(guards_, tr("&Guard"));
    connect(misses_, &NearMissPanel::conversionRequested, this, &OptimizePage::conversionRequested);
    setTabTitle(*tabs_, tabs_->indexOf(misses_), tr("&Near misses"), tr("M&isses"));
    tabs_->setMinimumWidth(std::max(least_tabs_width, fontMetrics().averageCharWidth() * 34));
    auto* right = new QWidget;
    auto* column = new QVBoxLayout(right);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(makeTools());
    column->addWidget(diff_, 1);
    notice_ = new LayoutNotice(diff_);
    auto* splitter = new QSplitter(Qt::Horizontal);
    splitter->setObjectName(QStringLiteral("optimizeSplitter"));
    splitter->addWidget(tabs_);
    splitter->addWidget(right);
    splitter->setStretchFactor(0, 1);
    splitter->setStretchFactor(1, 3);
    splitter->setSizes({least_tabs_width, 680});
    splitter->setChildrenCollapsible(false);
    auto* content = new QWidget;
    auto* all = new QVBoxLayout(content);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addWidget(cards_);
    all->addWidget(verdict_);
    all->addWidget(splitter, 1);
    all->addWidget(steps_);  // as wide as the page
    return content;
}

}  // namespace lapidary::views
