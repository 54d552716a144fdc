// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/values/run_watch.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

#include <lapidary/base/error.h>

#include "theme/theme.h"
#include "widgets/text/figure.h"
#include "widgets/text/quantity.h"
#include "worker/jobs/input_job.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

constexpr int usual_runs = 8, most_runs = 100;

/// A column of figures that only tensors of numbers have.
template <typename Get>
Column<WatchedRun> numberColumn(const char* title, Get get) {
    return {title,
            [get](const WatchedRun& run) -> QVariant {
                return run.item.numbers ? QVariant(get(*run.item.numbers)) : QVariant();
            },
            [get](const WatchedRun& run) {
                return run.item.numbers ? figureText(double(get(*run.item.numbers)), 6)
                                        : QStringLiteral("–");
            }};
}

std::vector<Column<WatchedRun>> runColumns() {
    using S = TensorStatistics;
    const auto count = [](std::int64_t S::*member) {
        return [member](const S& s) { return qlonglong(s.*member); };
    };
    const auto figure = [](double S::*member) {
        return [member](const S& s) { return s.*member; };
    };
    return {{QT_TRANSLATE_NOOP("Columns", "Inputs"),
             [](const WatchedRun& run) -> QVariant { return run.inputs; }},
            numberColumn(QT_TRANSLATE_NOOP("Columns", "Minimum"), figure(&S::minimum)),
            numberColumn(QT_TRANSLATE_NOOP("Columns", "Maximum"), figure(&S::maximum)),
            numberColumn(QT_TRANSLATE_NOOP("Columns", "Mean"), figure(&S::mean)),
            numberColumn(QT_TRANSLATE_NOOP("Columns", "Std. dev."), figure(&S::stddev)),
            numberColumn(QT_TRANSLATE_NOOP("Columns", "Zeros"), count(&S::zeros)),
            numberColumn(QT_TRANSLATE_NOOP("Columns", "NaN"), count(&S::nans)),
            numberColumn(QT_TRANSLATE_NOOP("Columns", "Infinite"), count(&S::infinities))};
}

/// The range over all runs, and how many have elements that are no numbers.
QString sentenceOf(const std::vector<WatchedRun>& runs) {
    bool isFirst = true;
    double low = 0, high = 0;
    std::int64_t wrong = 0;
    for (const WatchedRun& run : runs) {
        if (!run.item.numbers) continue;
        const TensorStatistics& s = *run.item.numbers;
        if (s.nans + s.infinities > 0) ++wrong;
        if (s.elements == s.nans + s.infinities) continue;
        low = isFirst ? s.minimum : std::min(low, s.minimum);
        high = isFirst ? s.maximum : std::max(high, s.maximum);
        isFirst = false;
    }
    QStringList sentences;
    if (!isFirst)
        sentences << RunWatch::tr("Over %1 runs: from %2 to %3.")
                         .arg(formatCount(std::int64_t(runs.size())), figureText(low, 6),
                              figureText(high, 6));
    if (wrong > 0)
        sentences << RunWatch::tr("NaN or infinite elements in %1 of %2 runs.")
                         .arg(formatCount(wrong), formatCount(std::int64_t(runs.size())));
    return sentences.join(u' ');
}

/// With the values of that file in place of generated ones.
app::RunSettings withFile(const app::InspectJob& job, const std::string& file, app::Engine& engine,
                          const Progress& progress) {
    const app::InputPreview looked =
        engine.call(app::InputJob{job.model, job.settings, {file}}, progress);
    if (!looked.refused.empty()) throw Error(ErrorCode::invalid_input, looked.refused.front());
    app::RunSettings settings = job.settings;
    settings.given = looked.given;
    for (const auto& [name, size] : looked.sizes) settings.dimensions[name] = size;
    return settings;
}

}  // namespace

RunWatch::RunWatch(app::Workbench& workbench, std::function<app::InspectJob()> jobOf,
                   QWidget* parent)
    : QWidget(parent), workbench_(workbench), jobOf_(std::move(jobOf)), count_(new QSpinBox),
      watch_(new QPushButton(tr("&Watch"))), files_(new QPushButton(tr("F&iles …"))),
      cancel_(new QPushButton(tr("Cance&l"))), sentence_(new QLabel), rows_(runColumns()),
      table_(new TableView(tr("The value in several runs"))) {
    setObjectName(QStringLiteral("runWatch"));
    count_->setObjectName(QStringLiteral("watchCount"));
    count_->setAccessibleName(tr("Number of runs"));
    count_->setRange(2, most_runs);
    count_->setValue(usual_runs);
    count_->setSuffix(tr(" runs"));
    watch_->setObjectName(QStringLiteral("watchSeeds"));
    watch_->setToolTip(tr("Run the model with so many seeds of generated inputs"));
    files_->setObjectName(QStringLiteral("watchFiles"));
    files_->setToolTip(tr("Run the model once for each file of inputs"));
    cancel_->setObjectName(QStringLiteral("watchCancel"));
    for (QPushButton* button : {watch_, files_, cancel_}) button->setAutoDefault(false);
    sentence_->setObjectName(QStringLiteral("watchSentence"));
    sentence_->setTextFormat(Qt::PlainText);
    sentence_->setWordWrap(true);
    table_->setObjectName(QStringLiteral("watchedRuns"));
    table_->setModel(&rows_);
    table_->setSortingEnabled(true);
    table_->sortByColumn(-1, Qt::AscendingOrder);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(0, spacing, 0, 0);
    for (QWidget* part : std::initializer_list<QWidget*>{count_, watch_, files_, cancel_})
        bar->addWidget(part);
    bar->addStretch(1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addLayout(bar);
    column->addWidget(sentence_);
    column->addWidget(table_, 1);
    connect(watch_, &QPushButton::clicked, this, &RunWatch::watchSeeds);
    connect(files_, &QPushButton::clicked, this, &RunWatch::chooseFiles);
    connect(cancel_, &QPushButton::clicked, this, [this] { job_.cancel(); });
    clear();
}

void RunWatch::clear() {
    job_.drop();
    rows_.setRows(std::vector<WatchedRun>());
    sentence_->clear();
    table_->setEmptyText(
        tr("Press Watch: the value is looked at in several runs, a row for each."));
    refresh();
}

void RunWatch::drop() {
    job_.drop();
    refresh();
}

void RunWatch::refresh() {
    const bool isBusy = job_.isRunning();
    for (QWidget* part : std::initializer_list<QWidget*>{count_, watch_, files_})
        part->setEnabled(!isBusy);
    cancel_->setEnabled(isBusy);
}

void RunWatch::watchSeeds() {
    std::vector<Run> runs;
    const app::InspectJob job = jobOf_();
    for (int i = 0; i < count_->value(); ++i) {
        Run run{{}, job, {}};
        run.job.settings.seed += std::uint64_t(i);
        run.inputs = tr("seed %1").arg(run.job.settings.seed);
        runs.push_back(std::move(run));
    }
    start(std::move(runs));
}

void RunWatch::watchFiles(const QStringList& files) {
    std::vector<Run> runs;
    const app::InspectJob job = jobOf_();
    for (const QString& file : files)
        runs.push_back({labelText(QFileInfo(file).fileName()), job, file.toStdString()});
    start(std::move(runs));
}

void RunWatch::chooseFiles() {
    auto* dialog = new QFileDialog(window(), tr("Files of inputs"));
    dialog->setObjectName(QStringLiteral("watchFilesDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFiles);
    connect(dialog, &QFileDialog::filesSelected, this, &RunWatch::watchFiles);
    dialog->open();
}

void RunWatch::start(std::vector<Run> runs) {
    if (runs.empty()) return;
    const QString value = labelText(runs.front().job.value, 60);
    job_.start<std::vector<WatchedRun>>(
        workbench_.jobs(), tr("Watch %1 in several runs").arg(value),
        [runs = std::move(runs), &engine = workbench_.engine()](const Progress& progress) {
            std::vector<WatchedRun> watched;
            for (const Run& run : runs) {
                progress.step("run", double(watched.size()) / double(runs.size()));
                Progress quiet;
                quiet.cancel = progress.cancel;
                app::InspectJob look = run.job;
                if (!run.file.empty()) look.settings = withFile(look, run.file, engine, quiet);
                app::InspectedItems found = engine.call(look, quiet);
                watched.push_back({run.inputs, std::move(found.items.at(found.shown))});
            }
            return watched;
        },
        [this](std::vector<WatchedRun> watched) { show(std::move(watched)); },
        [this](const Error& error) {
            sentence_->setText(error.code() == ErrorCode::cancelled ? tr("Cancelled.")
                                                                    : sentenceText(error.what()));
            refresh();
        });
    sentence_->setText(tr("Running the model …"));
    refresh();
}

void RunWatch::show(std::vector<WatchedRun> runs) {
    sentence_->setText(sentenceOf(runs));
    rows_.setRows(std::move(runs));
    for (int column = 0; column < rows_.columnCount(); ++column)
        table_->resizeColumnToContents(column);
    refresh();
}

}  // namespace lapidary::views
