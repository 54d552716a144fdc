// SPDX-License-Identifier: GPL-3.0-or-later
#include "optimize/guard_panel.h"

#include <QCoreApplication>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

#include "theme/theme.h"
#include "widgets/text/quantity.h"
#include "workbench/text/bounded_text.h"
#include "workbench/tuning/level_trial.h"
#include "workbench/project/project.h"

namespace lapidary::views {
namespace {

QString figure(double value) { return QLocale().toString(value, 'g', 3); }

const Column<GuardOutput> guard_columns[] = {
    {QT_TRANSLATE_NOOP("Columns", "Output"),
     [](const GuardOutput& o) -> QVariant { return cellText(o.name); },
     {},
     [](const GuardOutput& o) { return cellText(o.name) + u'\n' + cellText(o.type); }},
    {QT_TRANSLATE_NOOP("Columns", "Result"),
     [](const GuardOutput& o) -> QVariant { return int(o.comparison.matches); },
     [](const GuardOutput& o) {
         return o.comparison.matches ? QCoreApplication::translate("GuardPanel", "✓ agrees")
                                     : QCoreApplication::translate("GuardPanel", "✕ differs");
     },
     [](const GuardOutput& o) { return cellText(o.comparison.reason); },
     {},
     Qt::AlignLeft | Qt::AlignVCenter},
    {QT_TRANSLATE_NOOP("Columns", "Max. |Δ|"),
     [](const GuardOutput& o) -> QVariant { return o.comparison.max_abs; },
     [](const GuardOutput& o) { return figure(o.comparison.max_abs); }},
    {QT_TRANSLATE_NOOP("Columns", "Of the largest"),
     [](const GuardOutput& o) -> QVariant { return o.comparison.relative(); },
     [](const GuardOutput& o) {
         return figure(o.comparison.relative() * 100) + QStringLiteral(" %");
     },
     [](const GuardOutput& o) {
         return QCoreApplication::translate("GuardPanel", "Of the largest magnitude, %1")
             .arg(figure(o.comparison.magnitude));
     }},
    {QT_TRANSLATE_NOOP("Columns", "SQNR"),
     [](const GuardOutput& o) -> QVariant { return o.comparison.sqnr_db; },
     [](const GuardOutput& o) { return formatDecibels(o.comparison.sqnr_db); }},
    {QT_TRANSLATE_NOOP("Columns", "Differing"),
     [](const GuardOutput& o) -> QVariant { return qlonglong(o.comparison.mismatches); },
     [](const GuardOutput& o) {
         return QStringLiteral("%1 / %2").arg(formatCount(o.comparison.mismatches),
                                              formatCount(o.comparison.elements));
     }},
};

QDoubleSpinBox* tolerance(double value, const QString& name) {
    auto* spin = new QDoubleSpinBox;
    spin->setDecimals(7);
    spin->setRange(0, 10);
    spin->setSingleStep(value);
    spin->setValue(value);
    spin->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    spin->setAccessibleName(name);
    return spin;
}

}  // namespace

GuardPanel::GuardPanel(app::Workbench& workbench, QWidget* parent)
    : QWidget(parent), workbench_(workbench), model_(guard_columns), run_(new QPushButton),
      rtol_(tolerance(1e-3, tr("Relative tolerance"))),
      atol_(tolerance(1e-5, tr("Absolute tolerance"))), seeds_(new QSpinBox), verdict_(new QLabel),
      table_(new TableView(tr("Outputs compared"))),
      bisect_(new BisectBar(workbench, [this] { return options(); })) {
    setObjectName(QStringLiteral("guardPanel"));
    run_->setObjectName(QStringLiteral("guardButton"));
    seeds_->setRange(1, 100);
    seeds_->setValue(1);
    seeds_->setToolTip(tr("How many sets of generated inputs both models run on"));
    seeds_->setAccessibleName(tr("Sets of inputs"));
    verdict_->setObjectName(QStringLiteral("guardVerdict"));
    verdict_->setTextFormat(Qt::PlainText);
    verdict_->setWordWrap(true);
    verdict_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    table_->setObjectName(QStringLiteral("guardTable"));
    table_->setModel(&model_);
    table_->setSortingEnabled(true);
    table_->header()->setSortIndicator(-1, Qt::AscendingOrder);
    model_.sort(-1);
    auto* form = new QFormLayout;
    form->setContentsMargins(10, 8, 10, 4);
    form->addRow(tr("&Relative tolerance"), rtol_);
    form->addRow(tr("&Absolute tolerance"), atol_);
    form->addRow(tr("&Sets of inputs"), seeds_);
    form->addRow(run_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addLayout(form);
    verdict_->setContentsMargins(10, 4, 10, 4);
    column->addWidget(verdict_);
    column->addWidget(table_, 1);
    column->addWidget(bisect_);
    connect(bisect_, &BisectBar::stepChosen, this, &GuardPanel::stepChosen);
    connect(&workbench_.project(), &app::Project::figuresChanged, this, &GuardPanel::followFigures);
    connect(run_, &QPushButton::clicked, this, [this] {
        if (job_) job_.cancel();
        else run();
    });
    setVariant(nullptr);
}

GuardPanel::~GuardPanel() = default;

void GuardPanel::setVariant(app::VariantPtr variant) {
    if (variant && variant == variant_) return;
    bisect_->setVariant(variant);
    job_.drop();
    if (variant_) workbench_.jobs().releaseLater(std::exchange(variant_, nullptr));
    variant_ = std::move(variant);
    showReport(nullptr);
}

GuardOptions GuardPanel::options() const {
    GuardOptions options;
    if (variant_)
        options = app::guardJobOf(workbench_.model(), *variant_, workbench_.runSettings()).options;
    options.tolerance = same_result_within(rtol_->value(), atol_->value());
    options.seeds.clear();
    for (int i = 0; i < seeds_->value(); ++i) options.seeds.push_back(std::uint64_t(i));
    return options;
}

void GuardPanel::run() {
    if (!variant_ || variant_->isOriginal() || job_) return;
    app::GuardJob job = app::guardJobOf(workbench_.model(), *variant_, workbench_.runSettings());
    job.options = options();
    job_.start<std::shared_ptr<const GuardReport>>(
        workbench_.jobs(), tr("Compare %1 with the original").arg(variant_->name),
        [engine = &workbench_.engine(), job](const Progress& progress) {
            return std::make_shared<const GuardReport>(engine->call(job, progress));
        },
        [this, variant = variant_](std::shared_ptr<const GuardReport> report) {
            workbench_.project().addGuard(variant, *report);
            showReport(std::move(report));
            emit finished();
        },
        [this](const Error& error) {
            showReport(nullptr,
                       error.code() == ErrorCode::cancelled
                           ? tr("The comparison was cancelled.")
                           : tr("The original does not run: %1").arg(tipText(error.what())));
            emit finished();
        });
    refresh();
}

void GuardPanel::showReport(std::shared_ptr<const GuardReport> report, const QString& failure) {
    report_ = std::move(report);
    if (report_) model_.setRows({report_, &report_->outputs});
    else model_.setRows(nullptr);
    for (int column = 0; report_ && column < model_.columnCount(); ++column)
        table_->resizeColumnToContents(column);
    refresh();
    if (!failure.isEmpty()) verdict_->setText(sentenceText(failure));
}

/// Replaces the shown result if another page has compared the variant since.
void GuardPanel::followFigures() {
    const app::GuardFigures* known = knownFigures();
    if (report_ && known && known->matches != report_->matches) return showReport(nullptr);
    refresh();
}

/// The project's newest comparison of the variant, which cards and Checklist also show; null: none.
const app::GuardFigures* GuardPanel::knownFigures() const {
    if (!variant_ || variant_->isOriginal()) return nullptr;
    const auto& guards = workbench_.project().guards();
    const auto known = std::ranges::find(guards, variant_->recipe, &app::GuardFigures::recipe);
    return known == guards.end() ? nullptr : &*known;
}

void GuardPanel::refresh() {
    const bool possible = variant_ && !variant_->isOriginal();
    run_->setEnabled(possible);
    run_->setText(job_ ? tr("Cancel") : tr("Run both and compare"));
    run_->setIcon(themedIcon(job_ ? QStringLiteral("cancel") : QStringLiteral("guard")));
    run_->setToolTip(
        tr("Runs the original and the variant on the same inputs, those given on the Run page and "
           "generated ones, and "
           "compares every output"));
    QPalette::ColorRole role = QPalette::PlaceholderText;
    QString verdict = tr("Not compared yet.");
    if (!possible) verdict = tr("The original needs no proof. Choose a level above.");
    else if (job_) verdict = tr("Running both models …");
    else if (report_) {
        role = QPalette::WindowText;
        double worst = 0;
        for (const GuardOutput& output : report_->outputs)
            worst = std::max(worst, output.comparison.max_abs);
        if (!report_->failure.empty())
            verdict = tr("✕ The variant did not run: %1").arg(tipText(report_->failure));
        else if (report_->matches)
            verdict = tr("✓ All %n outputs agree within tolerance; the largest difference is %1.",
                         nullptr, int(report_->outputs.size()))
                          .arg(figure(worst));
        else
            verdict = tr("✕ The outputs differ beyond the tolerance; the largest difference is %1.")
                          .arg(figure(worst));
        verdict +=
            QLatin1Char('\n') + tr("A run took %1, the original %2 (one look, not a measurement).")
                                    .arg(formatMilliseconds(report_->result_ms),
                                         formatMilliseconds(report_->original_ms));
        if (report_->excess_precision) {
            double rounding = 0;
            for (const GuardOutput& output : report_->outputs)
                rounding = std::max(rounding, output.rounding);
            verdict += QLatin1Char('\n') +
                       tr("The variant keeps float32 where the original rounds to float16 "
                          "(drop_rounding_casts). These "
                          "roundings move outputs by up to %1; twice that was allowed.")
                           .arg(figure(rounding));
        }
        double moves = 0;
        for (const GuardOutput& output : report_->outputs)
            moves = std::max(moves, output.moves.value_or(0));
        if (moves > 0)
            verdict += QLatin1Char('\n') +
                       tr("In another order of its sums the original itself moves outputs by up to "
                          "%1; twice that was allowed.")
                           .arg(figure(moves));
        if (!report_->dropped.empty())
            verdict += QLatin1Char('\n') + tr("%n output(s) were dropped on request.", nullptr,
                                              int(report_->dropped.size()));
    }
    if (const app::GuardFigures* known = report_ || job_ ? nullptr : knownFigures()) {
        role = QPalette::WindowText;
        verdict =
            !known->failure.isEmpty()
                ? tr("✕ The variant did not run: %1").arg(tipText(known->failure))
            : known->matches
                ? tr("✓ All outputs agree within tolerance; the largest difference is %1.")
                      .arg(figure(known->largest))
                : tr("✕ The outputs differ beyond the tolerance; the largest difference is %1.")
                      .arg(figure(known->largest));
        verdict += QLatin1Char('\n') + tr("Found before; run both again to see each output.");
    }
    verdict_->setForegroundRole(role);
    verdict_->setText(sentenceText(verdict));
    table_->setEmptyText(possible ? tr("Each output gets a line here.") : QString());
}

}  // namespace lapidary::views
