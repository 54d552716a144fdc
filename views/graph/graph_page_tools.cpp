// SPDX-License-Identifier: GPL-3.0-or-later
// The tool bar of the Graph page: its actions and the search.
#include <QAction>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QToolBar>

#include "graph/graph_extract.h"
#include "graph/graph_page.h"
#include "graph/graph_trace.h"
#include "graph/surgery/surgery_actions.h"
#include "widgets/cards/empty_state.h"
#include "widgets/wide_labels.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {

QAction* GraphPage::addAction(const QString& text, const QString& icon,
                              const QKeySequence& shortcut, const QString& tip) {
    auto* action = new QAction(text, this);
    if (!icon.isEmpty()) action->setIcon(themedIcon(icon));
    action->setShortcut(shortcut);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    action->setToolTip(shortcut.isEmpty() ? tip
                                          : QStringLiteral("%1 (%2)").arg(
                                                tip, shortcut.toString(QKeySequence::NativeText)));
    action->setStatusTip(tip);
    action->setProperty("commandGroup", tr("Graph"));
    actions_ << action;
    QWidget::addAction(action);
    return action;
}

void GraphPage::makeActions() {
    fit_ = addAction(tr("Fit all"), QStringLiteral("zoom-fit"),
                     QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F), tr("Show the whole graph"));
    zoomOut_ = addAction(tr("Zoom out"), QStringLiteral("zoom-out"),
                         QKeySequence(Qt::CTRL | Qt::Key_Minus), tr("Zoom out"));
    zoomIn_ = addAction(tr("Zoom in"), QStringLiteral("zoom-in"),
                        QKeySequence(Qt::CTRL | Qt::Key_Plus), tr("Zoom in"));
    zoomIn_->setShortcuts(
        {QKeySequence(Qt::CTRL | Qt::Key_Plus), QKeySequence(Qt::CTRL | Qt::Key_Equal)});
    actualSize_ = addAction(tr("Actual size"), {}, QKeySequence(Qt::CTRL | Qt::Key_0),
                            tr("Show the graph at 100 %"));
    openAll_ = addAction(tr("Open all groups"), QStringLiteral("unfold"),
                         QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Right), tr("Open all groups"));
    closeAll_ =
        addAction(tr("Close all groups"), QStringLiteral("fold"),
                  QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Left), tr("Close all groups"));
    sideways_ = addAction(tr("Left to right"), QStringLiteral("sideways"), {},
                          tr("Draw the graph from left to right instead of downwards"));
    columns_ = addAction(tr("In columns"), QStringLiteral("columns"), {},
                         tr("Draw what is much longer than wide in columns side by side"));
    constants_ = addAction(tr("Show constants"), QStringLiteral("constant"), {},
                           tr("Draw Constant nodes too"));
    asTable_ =
        addAction(tr("Table view"), QStringLiteral("table"),
                  QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_T), tr("Show the nodes as a table"));
    find_ = addAction(
        tr("Mark nodes"), QStringLiteral("search"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_L),
        tr("Mark nodes of the graph by operator, node or tensor name, or by filters as in Find"));
    export_ = addAction(tr("Export graph …"), QStringLiteral("save"),
                        QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E),
                        tr("Save the drawing as SVG, PDF or PNG"));
    print_ = addAction(tr("Print …"), {}, QKeySequence(Qt::CTRL | Qt::Key_P),
                       tr("Print the part of the graph that is seen"));
    extract_ = addAction(tr("Save the selection as a model …"), QStringLiteral("export"),
                         QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_X),
                         tr("Write the selected node or group as a separate ONNX model"));
    makeTraceActions();
    makePlaceActions();
    makeSurgery();
    for (QAction* action : {sideways_, columns_, constants_, asTable_}) action->setCheckable(true);
    columns_->setChecked(true);
    connectActions();
}

/// Actions that mark nodes along the data flow. Enter in the search field steps through them like
/// through matches.
void GraphPage::makeTraceActions() {
    const auto addTrace = [this](const QString& text, Qt::Key key, const QString& tip,
                                 TraceDirection way, int steps) {
        QAction* action = addAction(text, {}, QKeySequence(Qt::CTRL | Qt::SHIFT | key), tip);
        action->setObjectName(QStringLiteral("trace%1").arg(int(way)));
        action->setProperty("menuPath", QStringList{tr("Follow the data")});
        connect(action, &QAction::triggered, this, [this, way, steps] {
            const std::vector<OutlineIndex> found =
                outline_ ? traced(*outline_, canvas_->selection(), way, steps)
                         : std::vector<OutlineIndex>();
            if (found.empty())
                return emit statusMessage(tr("Choose a node or a tensor of the graph first."));
            markLeaves(found, canvas_->selection().leaf);
        });
    };
    addTrace(tr("Mark what it is made of"), Qt::Key_Up,
             tr("Mark all nodes that the selected one depends on"), TraceDirection::against, 0);
    addTrace(tr("Mark what is made of it"), Qt::Key_Down,
             tr("Mark all nodes that depend on the selected one"), TraceDirection::along, 0);
    addTrace(tr("Mark what is near"), Qt::Key_N,
             tr("Mark the nodes at most two tensors away from the selected one"),
             TraceDirection::both, 2);
    QAction* path =
        addAction(tr("Mark what is between"), {}, QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_B),
                  tr("Mark the nodes on the paths of data between the two selected ones"));
    path->setObjectName(QStringLiteral("traceBetween"));
    path->setProperty("menuPath", QStringList{tr("Follow the data")});
    connect(path, &QAction::triggered, this, [this] {
        const std::vector<OutlineIndex> ends = canvas_->selection().leaves();
        if (!outline_ || ends.size() != 2)
            return emit statusMessage(
                tr("Select two nodes first: click one, then the other with Shift held."));
        const std::vector<OutlineIndex> found = between(*outline_, ends[0], ends[1]);
        if (found.empty())
            return emit statusMessage(tr("No data flows between the two selected nodes."));
        markLeaves(found, ends[1]);
    });
}

void GraphPage::connectActions() {
    connect(fit_, &QAction::triggered, this, [this] {
        leavePlace();
        canvas_->fit();
    });
    connect(zoomIn_, &QAction::triggered, canvas_, &GraphCanvas::zoomIn);
    connect(zoomOut_, &QAction::triggered, canvas_, &GraphCanvas::zoomOut);
    connect(actualSize_, &QAction::triggered, canvas_, &GraphCanvas::resetZoom);
    connect(openAll_, &QAction::triggered, this, [this] { setAllGroups(true); });
    connect(closeAll_, &QAction::triggered, this, [this] { setAllGroups(false); });
    for (QAction* action : {sideways_, columns_, constants_}) {
        connect(action, &QAction::toggled, this, [this] {
            if (canvas_->scene()) layOut(canvas_->scene()->open);
        });
    }
    connect(asTable_, &QAction::toggled, this, [this] {
        showView();
        refreshSearch();
        shown();
    });
    connect(find_, &QAction::triggered, this, [this] {
        search_->setFocus(Qt::ShortcutFocusReason);
        search_->selectAll();
    });
    connect(export_, &QAction::triggered, this, &GraphPage::chooseExport);
    connect(print_, &QAction::triggered, this, &GraphPage::choosePrinter);
    connect(extract_, &QAction::triggered, this, &GraphPage::chooseExtract);
    connect(canvas_, &GraphCanvas::menuOpened, this, &GraphPage::addToMenu);
}

void GraphPage::makeToolWidgets() {
    zoom_ = new QLabel(QStringLiteral("100 %"));
    zoom_->setMinimumWidth(fontMetrics().horizontalAdvance(QStringLiteral(" 1000 % ")));
    zoom_->setAlignment(Qt::AlignCenter);
    zoom_->setAccessibleName(tr("Zoom"));
    colorBy_ = new QComboBox;
    colorBy_->setObjectName(QStringLiteral("colorBy"));
    colorBy_->setAccessibleName(tr("Colour by"));
    colorBy_->setToolTip(tr("What the colours of the boxes mean"));
    colorBy_->addItem(tr("No colours"), static_cast<int>(ColorBy::None));
    colorBy_->addItem(tr("Colour by type"), static_cast<int>(ColorBy::Type));
    colorBy_->addItem(tr("Colour by time"), static_cast<int>(ColorBy::Value));
    colorBy_->addItem(tr("Colour by share of peak"), static_cast<int>(ColorBy::Value));
    colorBy_->addItem(tr("Colour by loss in quantizing"), static_cast<int>(ColorBy::Value));
    colorBy_->addItem(tr("Colour by provider"), static_cast<int>(ColorBy::Kind));
    colorBy_->addItem(tr("Colour by difference"), static_cast<int>(ColorBy::Value));
    colorBy_->setCurrentIndex(by_type);
    connect(colorBy_, &QComboBox::currentIndexChanged, this, [this](int chosen) {
        wantedColours_ = chosen;
        showCosts();
        if (colorBy_->currentIndex() != chosen)
            emit statusMessage(tr("%1: nothing is known of that yet. Run, quantize or compare "
                                  "the model first; then it is shown.")
                                   .arg(colorBy_->itemText(chosen)));
    });

    search_ = new QLineEdit;
    search_->setObjectName(QStringLiteral("graphSearch"));
    search_->setAccessibleName(tr("Find nodes"));
    search_->setPlaceholderText(tr("Find node or tensor"));
    search_->setClearButtonEnabled(true);
    search_->setFixedWidth(fontMetrics().horizontalAdvance(search_->placeholderText()) + 56);
    search_->installEventFilter(this);
    searchCount_ = new QLabel;
    searchCount_->setObjectName(QStringLiteral("searchCount"));
    searchCount_->setAccessibleName(tr("Found"));
    searchDelay_.setSingleShot(true);
    searchDelay_.setInterval(90);
    connect(search_, &QLineEdit::textChanged, &searchDelay_, qOverload<>(&QTimer::start));
    connect(&searchDelay_, &QTimer::timeout, this, &GraphPage::refreshSearch);
}

QToolBar* GraphPage::makeToolBar() {
    makeActions();
    makeToolWidgets();
    auto* bar = new QToolBar(tr("Graph tools"));
    bar->setObjectName(QStringLiteral("graphTools"));
    bar->setMovable(false);
    bar->setIconSize(QSize(18, 18));
    bar->addAction(fit_);
    bar->addAction(zoomOut_);
    bar->addWidget(zoom_);
    bar->addAction(zoomIn_);
    bar->addSeparator();
    bar->addAction(openAll_);
    bar->addAction(closeAll_);
    bar->addAction(sideways_);
    bar->addAction(columns_);
    bar->addAction(constants_);
    bar->addSeparator();
    bar->addWidget(colorBy_);
    bar->addSeparator();
    bar->addWidget(search_);
    bar->addWidget(searchCount_);
    auto* gap = new QWidget;
    gap->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    bar->addWidget(gap);
    bar->addAction(asTable_);
    bar->addAction(export_);
    for (QAction* action : bar->actions()) {
        if (QWidget* widget = bar->widgetForAction(action);
            widget && widget->accessibleName().isEmpty())
            widget->setAccessibleName(action->text());
    }
    showLabelsWhereWide(*bar, {asTable_, export_, openAll_, closeAll_, columns_, sideways_});
    return bar;
}

bool GraphPage::eventFilter(QObject* watched, QEvent* event) {
    if (watched == search_ && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
            if (searchDelay_.isActive()) {
                searchDelay_.stop();
                refreshSearch();
            }
            if (asTable_->isChecked()) table_->view()->setFocus();
            else stepSearch(key->modifiers() & Qt::ShiftModifier ? -1 : 1);
            return true;
        }
        if (key->key() == Qt::Key_Escape) {
            if (search_->text().isEmpty()) shown();
            else search_->clear();
            return true;
        }
    }
    // of the table, in place of the menu that all tables have
    if (watched != search_ && event->type() == QEvent::ContextMenu) {
        showTableMenu(static_cast<QContextMenuEvent*>(event)->globalPos());
        return true;
    }
    return Page::eventFilter(watched, event);
}

void GraphPage::refreshActions() {
    const bool drawn = outline_ && canvas_->scene() && stack_->currentWidget() != empty_;
    const bool table = asTable_->isChecked();
    for (QAction* action :
         {fit_, zoomIn_, zoomOut_, actualSize_, sideways_, columns_, constants_, export_, print_})
        action->setEnabled(drawn && !table);
    for (QAction* action : {openAll_, closeAll_})
        action->setEnabled(drawn && !table && outline_->hasGroups());
    back_->setEnabled(drawn && !table && history_.hasBack());
    forward_->setEnabled(drawn && !table && history_.hasForward());
    extract_->setEnabled(drawn && workbench_.faultText().isEmpty() &&
                         !nodesOf(*outline_, canvas_->selection()).empty());
    surgery_->refresh();
    asTable_->setEnabled(drawn);
    find_->setEnabled(drawn);
    search_->setEnabled(drawn);
    colorBy_->setEnabled(drawn && !table);
    zoom_->setEnabled(drawn && !table);
}

}  // namespace lapidary::views
