// SPDX-License-Identifier: GPL-3.0-or-later
#include "tune/tune_page.h"

#include <QFileDialog>
#include <QPointer>
#include <QUndoCommand>
#include <QVBoxLayout>

#include <algorithm>

#include <lapidary/base/error.h>
#include <lapidary/bench/measurement_json.h>
#include <lapidary/internal/text_file.h>

#include "tune/cell_table.h"
#include "tune/heat_map_view.h"
#include "tune/operator_scaling.h"
#include "tune/recommendation_card.h"
#include "tune/scaling_curve.h"
#include "tune/space_editor.h"
#include "tune/trade_off_panel.h"
#include "widgets/cards/empty_state.h"
#include "widgets/cards/message_banner.h"
#include "widgets/saved_bytes.h"
#include "workbench/text/bounded_text.h"
#include "workbench/jobs/generating.h"
#include "workbench/tuning/engine_beside.h"
#include "workbench/project/project.h"
#include "workbench/tuning/tune_export.h"
#include "workbench/workbench.h"

namespace lapidary::views {

class TunePage::Apply : public QUndoCommand {
public:
    Apply(app::Tuning& tuning, const QString& text, app::TuneChoice after)
        : QUndoCommand(text), tuning_(tuning), before_(tuning.choice()), after_(std::move(after)) {}
    void undo() override { tuning_.setChoice(before_); }
    void redo() override { tuning_.setChoice(after_); }
    int id() const override { return app::cheap_change_id; }

private:
    app::Tuning& tuning_;
    app::TuneChoice before_, after_;
};

TunePage::TunePage(app::Workbench& workbench, QWidget* parent)
    : Page(parent), workbench_(workbench), tuning_(workbench.tuning()),
      beside_(new app::EngineBeside(workbench.model(), tuning_, workbench.jobs(),
                                    workbench.engine(), this)),
      map_(tuning_), stack_(new QStackedWidget), empty_(new EmptyState), banner_(new MessageBanner),
      editor_(new SpaceEditor(tuning_)), card_(new RecommendationCard(tuning_, *beside_)),
      mapView_(new HeatMapView(tuning_, map_)), rowAxis_(new QComboBox), columnAxis_(new QComboBox),
      figure_(new QComboBox), rest_(new QComboBox), curve_(new ScalingCurve(tuning_)),
      tradeOff_(new TradeOffPanel(workbench, *beside_)), operators_(new OperatorScalingTable),
      cells_(new CellTable), tabs_(new QTabWidget), details_(new QLabel), scalingOf_(new QLabel),
      decoder_(new QLabel) {
    setObjectName(QStringLiteral("tunePage"));
    makeActions();
    empty_->setMessage(QStringLiteral("threads"), tr("No model is open"),
                       tr("Open a model or take a sample from the start page. Here you will see "
                          "how fast it runs with "
                          "which threads and batches."));
    empty_->setButton(QStringLiteral("open"), tr("Open …"));
    connect(empty_, &EmptyState::clicked, this, &TunePage::openRequested);
    stack_->addWidget(empty_);
    stack_->addWidget(makeContent());
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(banner_);
    layout->addWidget(stack_, 1);

    connect(editor_, &SpaceEditor::refused, this, [this](const QString& reason) {
        banner_->showMessage(MessageBanner::Kind::warning, tr("This setting cannot be measured"),
                             reason, reason);
    });
    connect(&tuning_, &app::Tuning::failed, this, [this](const QString& reason) {
        banner_->showMessage(MessageBanner::Kind::error, tr("Measuring failed"), reason, reason);
        if (!tuning_.machine().isHere())
            banner_->addAction(QStringLiteral("run"), tr("Retry"), [this] { tuning_.start(); });
    });
    connect(&tuning_, &app::Tuning::changed, this, &TunePage::refresh);
    connect(&map_, &HeatMapModel::axesChanged, this, &TunePage::refreshChoices);
    connect(mapView_, &HeatMapView::cellPicked, this, [this](std::ptrdiff_t cell) {
        pick(cell);
        cells_->selectCell(cell);
    });
    connect(mapView_, &HeatMapView::applyRequested, this, &TunePage::apply);
    connect(cells_, &CellTable::cellPicked, this, [this](std::ptrdiff_t cell) {
        pick(cell);
        if (const QModelIndex index = map_.indexOf(std::size_t(cell)); index.isValid())
            mapView_->selectionModel()->setCurrentIndex(index, QItemSelectionModel::ClearAndSelect);
    });
    connect(tradeOff_, &TradeOffPanel::cellPicked, this, [this](std::ptrdiff_t cell) {
        pick(cell);
        cells_->selectCell(cell);
    });
    connect(tradeOff_, &TradeOffPanel::statusMessage, this, &Page::statusMessage);
    connect(card_, &RecommendationCard::verifyRequested, verify_, &QAction::trigger);
    connect(card_, &RecommendationCard::applyRequested, apply_, &QAction::trigger);
    connect(&workbench_, &app::Workbench::openedChanged, this, [this] {
        banner_->hide();
        picked_ = -1;
    });
    connect(decoder_, &QLabel::linkActivated, this, &TunePage::pageRequested);
    connect(&workbench_.generating(), &app::Generating::changed, this, &TunePage::refreshDecoder);
    refreshChoices();
    refreshDecoder();
    refresh();
}

/// Where the speed of a decoder's tokens is measured.
void TunePage::refreshDecoder() {
    decoder_->setVisible(workbench_.opened() && workbench_.generating().refusal().isEmpty());
}

void TunePage::apply(std::size_t cell) {
    const auto result = tuning_.result();
    if (!result || cell >= result->cells.size()) return;
    const QString title = titleOf(result->cells[cell].configuration);
    workbench_.project().undoStack().push(
        new Apply(tuning_, tr("use %1").arg(title), tuning_.choiceOf(cell)));
    emit statusMessage(tr("Runs, exports and snippets now use %1.").arg(title));
}

void TunePage::pick(std::ptrdiff_t cell) {
    picked_ = cell;
    curve_->setFocusedCell(cell);
    tradeOff_->setPicked(cell);
    showDetails();
}

void TunePage::refresh() {
    const auto result = tuning_.result();
    stack_->setCurrentIndex(result ? 1 : 0);
    const bool running = tuning_.isRunning();
    const bool recommended = result && result->recommendation.cell >= 0;
    const bool any = result && std::ranges::any_of(result->cells, [](const SweepCell& cell) {
                         return cell.state == CellState::done;
                     });
    start_->setEnabled(result && !running);
    pause_->setEnabled(running);
    pause_->setChecked(tuning_.isPaused());
    verify_->setEnabled(recommended && !running);
    apply_->setEnabled(recommended);
    copy_->setEnabled(result != nullptr);
    forget_->setEnabled(any && !running);
    for (QAction* action : {csv_, json_, png_}) action->setEnabled(any);
    if (!result) return;
    if (picked_ >= std::ptrdiff_t(result->cells.size())) picked_ = -1;
    std::vector<CellRow> rows;
    rows.reserve(result->cells.size());
    for (std::size_t i = 0; i < result->cells.size(); ++i) {
        CellRow row;
        row.cell = i;
        row.figures = result->cells[i];
        row.figures.measurement.samples_ms.clear();
        row.speedUp = figureOf(result->cells, i, TuneFigure::speedUp);
        row.best = result->recommendation.cell == std::ptrdiff_t(i);
        row.equal = !row.best && std::ranges::find(result->recommendation.equals, i) !=
                                     result->recommendation.equals.end();
        const auto& undecided = result->recommendation.undecided;
        row.undecided = std::ranges::find(undecided, i) != undecided.end();
        row.queued = tuning_.isQueued(i);
        rows.push_back(std::move(row));
    }
    cells_->setRows(std::move(rows));
    showDetails();
    if (shown_ && shown_ != result) workbench_.jobs().releaseLater(shown_);
    shown_ = result;
    if (isVisible() || beside_->isRunning()) beside_->want();
}

/// Scaling by operator and a line for the picked cell, else for the recommended one.
void TunePage::showDetails() {
    const auto result = tuning_.result();
    if (!result || result->cells.empty()) return;
    std::ptrdiff_t cell = picked_ >= 0 ? picked_ : result->recommendation.cell;
    if (cell < 0 || std::size_t(cell) >= result->cells.size()) cell = 0;
    const std::vector<OperatorScaling>* scaling = tuning_.scalingOf(std::size_t(cell));
    static const std::vector<OperatorScaling> unknown;
    operators_->setScaling(scaling ? *scaling : unknown);
    const RunConfiguration& rest = result->cells[std::size_t(cell)].configuration;
    scalingOf_->setText(
        scaling && rest.batch > 0
            ? tr("Time per run by operator, %1").arg(placeTitle(TuneAxis::batch, rest.batch))
            : tr("Time per run by operator"));
    QStringList lines =
        describe(result->cells, std::size_t(cell), result->machine.cores).split(u'\n');
    details_->setText(labelText(lines.mid(0, 4).join(QStringLiteral("  ·  "))));
    details_->setToolTip(plainToolTip(lines.join(u'\n')));
}

void TunePage::exportAs(const QString& kind) {
    auto* dialog = new QFileDialog(this, tr("Save the figures"));
    dialog->setObjectName(QStringLiteral("saveTuneDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(kind);
    dialog->setNameFilters({kind == QLatin1String("csv")    ? tr("Comma-separated values (*.csv)")
                            : kind == QLatin1String("json") ? tr("JSON (*.json)")
                                                            : tr("Picture (*.png)")});
    dialog->selectFile(
        tr("%1 tuning.%2")
            .arg(workbench_.opened() ? workbench_.opened()->title : tr("model"), kind));
    connect(dialog, &QFileDialog::fileSelected, this, &TunePage::save);
    dialog->open();
}

void TunePage::save(const QString& path) {
    const auto result = tuning_.result();
    if (!result) return;
    QImage picture;
    if (path.endsWith(QLatin1String(".png"), Qt::CaseInsensitive)) picture = mapView_->picture(2);
    const QPointer<TunePage> page(this);
    workbench_.jobs().start<bool>(
        tr("Save %1").arg(path),
        [result, path, picture](const Progress&) {
            const bool isJson = path.endsWith(QLatin1String(".json"), Qt::CaseInsensitive);
            if (!picture.isNull())
                save_text(path.toStdU16String(), pngBytes(picture).toStdString());
            else
                save_text(path.toStdU16String(),
                          isJson ? to_json(*result) + '\n' : app::sweepCsv(*result));
            return true;
        },
        [page, path](bool) {
            if (page) emit page->statusMessage(TunePage::tr("Wrote %1").arg(path));
        },
        [page](const Error& error) {
            if (!page || error.code() == ErrorCode::cancelled) return;
            const QString reason = tipText(error.what());
            page->banner_->showMessage(MessageBanner::Kind::error,
                                       TunePage::tr("The figures were not saved"), reason, reason);
        });
}

}  // namespace lapidary::views
