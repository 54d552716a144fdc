// SPDX-License-Identifier: GPL-3.0-or-later
// How the Tune page is put together: actions, axes, panels.
#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QMenu>
#include <QSignalBlocker>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

#include "models/rows_model.h"
#include "theme/theme.h"
#include "tune/cell_table.h"
#include "tune/heat_map_view.h"
#include "tune/operator_scaling.h"
#include "tune/queue_list.h"
#include "tune/recommendation_card.h"
#include "tune/scaling_curve.h"
#include "tune/serving_panel.h"
#include "tune/space_editor.h"
#include "tune/trade_off_panel.h"
#include "tune/tune_page.h"
#include "widgets/flow_layout.h"
#include "widgets/choices/machine_button.h"
#include "widgets/choices/runs_on_button.h"
#include "widgets/visible_tabs.h"

namespace lapidary::views {

void TunePage::makeActions() {
    const auto add = [this](const QString& text, const char* icon, const QKeySequence& shortcut,
                            const QString& tip) {
        auto* action = icon ? new QAction(themedIcon(QLatin1String(icon)), text, this)
                            : new QAction(text, this);
        action->setShortcut(shortcut);
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        action->setToolTip(
            shortcut.isEmpty()
                ? tip
                : QStringLiteral("%1 (%2)").arg(tip, shortcut.toString(QKeySequence::NativeText)));
        action->setStatusTip(tip);
        action->setProperty("commandGroup", tr("Tune"));
        actions_.append(action);
        return action;
    };
    start_ = add(tr("Measure settings"), "run", QKeySequence(Qt::CTRL | Qt::Key_Return),
                 tr("Measure the queue, or everything not measured yet"));
    pause_ = add(tr("Pause measuring"), "pause", QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_P),
                 tr("Pause or go on"));
    pause_->setCheckable(true);
    verify_ = add(tr("Verify the best 3"), "guard", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_V),
                  tr("Measure the best settings in turn, longer"));
    apply_ = add(tr("Apply the recommended setting"), "check",
                 QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_A),
                 tr("Run, export and write code with it from now on"));
    copy_ =
        add(tr("Copy the sweep command"), "copy", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C),
            tr("Copy the lapidary-cli command that measures these settings"));
    csv_ = add(tr("Save figures as CSV …"), "table", {},
               tr("Write all settings and their figures as comma-separated values"));
    json_ = add(tr("Save figures as JSON …"), "export", {},
                tr("Write everything that was measured, each sample too"));
    png_ = add(tr("Save the heat map as a picture …"), "save", {}, tr("Write the heat map as PNG"));
    forget_ =
        add(tr("Forget the figures"), "clear", {}, tr("Drop what was measured of this model"));
    connect(start_, &QAction::triggered, &tuning_, &app::Tuning::start);
    connect(pause_, &QAction::triggered, &tuning_, &app::Tuning::setPaused);
    connect(verify_, &QAction::triggered, this, [this] { tuning_.verifyBest(); });
    connect(apply_, &QAction::triggered, this, [this] {
        if (const auto result = tuning_.result(); result && result->recommendation.cell >= 0)
            apply(std::size_t(result->recommendation.cell));
    });
    connect(copy_, &QAction::triggered, this, [this] {
        QApplication::clipboard()->setText(tuning_.commandLine());
        emit statusMessage(tr("Copied: %1").arg(tuning_.commandLine()));
    });
    connect(csv_, &QAction::triggered, this, [this] { exportAs(QStringLiteral("csv")); });
    connect(json_, &QAction::triggered, this, [this] { exportAs(QStringLiteral("json")); });
    connect(png_, &QAction::triggered, this, [this] { exportAs(QStringLiteral("png")); });
    connect(forget_, &QAction::triggered, &tuning_, &app::Tuning::forget);
}

QWidget* TunePage::makeMapPanel() {
    auto* tools = new QWidget;
    auto* flow = new FlowLayout(tools, 10, 4);
    flow->setContentsMargins(12, 4, 8, 4);
    const auto field = [flow](const QString& label, QComboBox* box, const char* name,
                              const QString& tip) {
        auto* pair = new QWidget;
        auto* row = new QHBoxLayout(pair);
        row->setContentsMargins(0, 0, 0, 0);
        row->setSpacing(5);
        auto* text = new QLabel(label);
        text->setBuddy(box);
        box->setObjectName(QLatin1String(name));
        QString plain = label;
        box->setAccessibleName(plain.remove(u'&'));
        box->setToolTip(plainToolTip(tip));
        row->addWidget(text);
        row->addWidget(box);
        flow->addWidget(pair);
    };
    flow->addWidget(new RunsOnButton(workbench_));
    flow->addWidget(new MachineButton(workbench_));
    field(tr("Sho&w"), figure_, "heatFigure", tr("What the heat map shows"));
    field(tr("Acro&ss"), columnAxis_, "heatColumns", tr("What differs from column to column"));
    field(tr("Dow&n"), rowAxis_, "heatRows", tr("What differs from row to row"));
    field(tr("Res&t"), rest_, "heatRest",
          tr("Where settings differ in more than two things: one choice of the rest, or of all the "
             "best"));
    for (const TuneFigure figure : tune_figures) {
        figure_->addItem(nameOf(figure), int(figure));
        figure_->setItemData(figure_->count() - 1, plainToolTip(tipOf(figure)), Qt::ToolTipRole);
    }
    auto* more = new QToolButton;
    more->setIcon(themedIcon(QStringLiteral("export")));
    more->setText(tr("Copy and save"));
    more->setToolTip(tr("Copy the command, save figures or picture"));
    more->setAccessibleName(tr("Copy and save"));
    more->setObjectName(QStringLiteral("tuneExport"));
    more->setAutoRaise(true);
    more->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(more);
    menu->addActions({copy_, csv_, json_, png_});
    menu->addSeparator();
    menu->addAction(forget_);
    more->setMenu(menu);
    flow->addWidget(more);

    connect(figure_, &QComboBox::activated, this,
            [this](int row) { map_.setFigure(TuneFigure(figure_->itemData(row).toInt())); });
    connect(rowAxis_, &QComboBox::activated, this, [this](int row) {
        map_.setAxes(TuneAxis(rowAxis_->itemData(row).toInt()), map_.columnAxis());
    });
    connect(columnAxis_, &QComboBox::activated, this, [this](int row) {
        map_.setAxes(map_.rowAxis(), TuneAxis(columnAxis_->itemData(row).toInt()));
    });
    connect(rest_, &QComboBox::activated, this, [this](int row) { map_.setRest(row - 1); });

    auto* legend =
        new QLabel(tr("★ recommended · hatched: as fast · ?: not known · ✓ verified · ⚠ unsteady · "
                      "dashed: not measured"));
    legend->setForegroundRole(QPalette::PlaceholderText);
    legend->setFont(scaledFont(0.9));
    legend->setWordWrap(true);
    legend->setContentsMargins(12, 4, 8, 0);
    details_->setObjectName(QStringLiteral("tuneDetails"));
    details_->setTextFormat(Qt::PlainText);
    details_->setWordWrap(true);
    details_->setContentsMargins(12, 2, 8, 6);
    details_->setTextInteractionFlags(Qt::TextSelectableByMouse);

    auto* panel = new QWidget;
    auto* column = new QVBoxLayout(panel);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(tools);
    column->addWidget(mapView_, 1);
    column->addWidget(legend);
    column->addWidget(details_);
    return panel;
}

QWidget* TunePage::makeContent() {
    auto* operators = new QWidget;
    auto* operatorColumn = new QVBoxLayout(operators);
    operatorColumn->setContentsMargins(0, 0, 0, 0);
    operatorColumn->setSpacing(0);
    scalingOf_->setForegroundRole(QPalette::PlaceholderText);
    scalingOf_->setContentsMargins(12, 4, 8, 4);
    operatorColumn->addWidget(scalingOf_);
    operatorColumn->addWidget(operators_, 1);
    tabs_->setObjectName(QStringLiteral("tuneTabs"));
    keepTabsVisible(*tabs_);
    tabs_->setDocumentMode(true);
    tabs_->setAccessibleName(tr("More about the settings"));
    // All tabs have a brief title, so that arrows move along them where not even these fit.
    const auto add = [this](QWidget* page, const QString& whole, const QString& brief) {
        setTabTitle(*tabs_, tabs_->addTab(page, whole), whole, brief);
    };
    add(curve_, tr("Speed-&up"), tr("Speed-&up"));
    add(tradeOff_, tr("Front&ier"), tr("Front&ier"));
    add(operators, tr("&Operators"), tr("&Ops"));
    add(cells_, tr("&All settings"), tr("&All"));
    add(new QueueList(tuning_), tr("&Queue"), tr("&Queue"));
    add(new ServingPanel(workbench_), tr("Ca&llers"), tr("Ca&llers"));
    auto* splitter = new QSplitter(Qt::Horizontal);
    splitter->setObjectName(QStringLiteral("tuneSplitter"));
    splitter->addWidget(makeMapPanel());
    splitter->addWidget(tabs_);
    splitter->setStretchFactor(0, 5);
    splitter->setStretchFactor(1, 4);
    splitter->setSizes({520, 440});
    splitter->setChildrenCollapsible(false);
    decoder_->setObjectName(QStringLiteral("tuneDecoder"));
    decoder_->setTextFormat(Qt::RichText);
    decoder_->setText(
        tr("These are whole runs. Tokens of a decoder have threads of their own "
           "choice: <a href=\"generate/variants\">tokens a second by threads</a>, on "
           "the Generate page."));
    decoder_->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    decoder_->setAccessibleName(tr("Tokens a second"));
    decoder_->setWordWrap(true);
    decoder_->setContentsMargins(12, 4, 12, 4);
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addWidget(editor_);
    column->addWidget(card_);
    column->addWidget(decoder_);
    column->addWidget(splitter, 1);
    return content;
}

void TunePage::refreshChoices() {
    const auto fill = [this](QComboBox* box, TuneAxis chosen) {
        const QSignalBlocker quiet(box);
        box->clear();
        for (const TuneAxis axis : tune_axes)
            if (axis == chosen || axis == TuneAxis::threads || axis == TuneAxis::batch ||
                std::ranges::find(map_.usedAxes(), axis) != map_.usedAxes().end())
                box->addItem(nameOf(axis), int(axis));
        box->setCurrentIndex(box->findData(int(chosen)));
    };
    fill(rowAxis_, map_.rowAxis());
    fill(columnAxis_, map_.columnAxis());
    const QSignalBlocker quiet(rest_);
    rest_->clear();
    rest_->addItem(tr("best of all"));
    rest_->addItems(map_.restNames());
    rest_->setCurrentIndex(map_.rest() + 1);
    rest_->parentWidget()->setVisible(!map_.restNames().isEmpty());
}

}  // namespace lapidary::views
