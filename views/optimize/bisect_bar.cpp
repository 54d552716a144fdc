// SPDX-License-Identifier: GPL-3.0-or-later
#include "optimize/bisect_bar.h"

#include <QLocale>
#include <QVBoxLayout>

#include "theme/theme.h"
#include "widgets/flow_layout.h"
#include "widgets/text/quantity.h"
#include "workbench/text/bounded_text.h"
#include "workbench/text/job_command.h"

namespace lapidary::views {
BisectBar::BisectBar(app::Workbench& workbench, std::function<GuardOptions()> options,
                     QWidget* parent)
    : QWidget(parent), workbench_(workbench), options_(std::move(options)), start_(new QPushButton),
      go_(new QPushButton), verdict_(new QLabel) {
    setObjectName(QStringLiteral("bisectBar"));
    start_->setObjectName(QStringLiteral("bisectButton"));
    start_->setToolTip(
        tr("Optimizes again and again, stopping after fewer rewrites, until one is left: right "
           "before it all outputs "
           "agree, right after it one does not"));
    go_->setObjectName(QStringLiteral("bisectStep"));
    go_->setIcon(themedIcon(QStringLiteral("next")));
    verdict_->setObjectName(QStringLiteral("bisectVerdict"));
    verdict_->setTextFormat(Qt::PlainText);
    verdict_->setWordWrap(true);
    verdict_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(10, 4, 10, 8);
    column->setSpacing(4);
    auto* buttons = new QWidget;
    auto* flow = new FlowLayout(buttons, 6, 4);
    flow->addWidget(start_);
    flow->addWidget(go_);
    column->addWidget(verdict_);
    column->addWidget(buttons);
    connect(start_, &QPushButton::clicked, this, [this] {
        if (job_) job_.cancel();
        else start();
    });
    connect(go_, &QPushButton::clicked, this, [this] {
        if (finding_ && finding_->number > 0) emit stepChosen(finding_->number);
    });
    setVariant(nullptr);
}

BisectBar::~BisectBar() = default;

void BisectBar::setVariant(const app::VariantPtr& variant) {
    if (variant && variant == variant_) return;
    job_.drop();
    if (variant_) workbench_.jobs().releaseLater(std::exchange(variant_, nullptr));
    variant_ = variant;
    showFinding({});
}

/// False where the rewrites are edits, which are lines of a script and no passes.
bool BisectBar::hasPasses() const {
    return variant_ && !variant_->isOriginal() && !variant_->recipe.isEditedAlone();
}

void BisectBar::start() {
    if (!hasPasses() || job_) return;
    const app::BisectJob search{workbench_.sourceOf(variant_->parent), variant_->recipe, options_(),
                                workbench_.runSettings().given};
    app::Job* job = job_.start<BisectFinding>(
        workbench_.jobs(), tr("Find the rewrite of %1 that moves an output").arg(variant_->name),
        [engine = &workbench_.engine(), search](const Progress& progress) {
            return engine->call(search, progress);
        },
        [this](BisectFinding finding) {
            showFinding(std::move(finding));
            emit finished();
        },
        [this](const Error& error) {
            showFinding({}, error.code() == ErrorCode::cancelled
                                ? tr("The search was cancelled.")
                                : tr("The search failed: %1").arg(tipText(error.what())));
            emit finished();
        });
    if (workbench_.opened())
        job->setCommand(
            app::bisectCommand(workbench_.opened()->source, variant_->recipe, search.options));
    connect(job, &app::Job::progressed, this, [this] {
        if (job_) verdict_->setText(tr("Searching: %1 …").arg(labelText(job_.job()->stage(), 80)));
    });
    finding_.reset();
    refresh();
}

void BisectBar::showFinding(std::optional<BisectFinding> finding, const QString& failure) {
    finding_ = std::move(finding);
    refresh();
    if (!failure.isEmpty()) verdict_->setText(sentenceText(failure));
    verdict_->setVisible(!verdict_->text().isEmpty());
}

void BisectBar::refresh() {
    start_->setEnabled(hasPasses());
    start_->setText(job_ ? tr("Cancel") : tr("Find the rewrite"));
    start_->setIcon(themedIcon(job_ ? QStringLiteral("cancel") : QStringLiteral("search")));
    const bool found = finding_ && finding_->number > 0;
    const bool isStep = found && variant_ && finding_->number <= variant_->report.rewrites.size();
    go_->setVisible(isStep);
    QString verdict;
    if (job_) verdict = tr("Searching …");
    else if (finding_ && !found && finding_->differs)
        verdict =
            tr("The outputs differ, but no single rewrite was found after which they begin to: the "
               "result is not the "
               "same each time.");
    else if (finding_ && !found)
        verdict = tr("✓ Of %n rewrite(s) none moves an output beyond the tolerance.", nullptr,
                     int(finding_->rewrites));
    else if (found) {
        go_->setText(tr("Go to step %1").arg(finding_->number));
        verdict = tr("✕ Rewrite %1 of %2, by %3: %4.")
                      .arg(finding_->number)
                      .arg(finding_->rewrites)
                      .arg(labelText(finding_->pass), labelText(finding_->remark));
        verdict +=
            QLatin1Char(' ') +
            (!finding_->failure.empty()
                 ? tr("The model right after it does not run: %1").arg(tipText(finding_->failure))
                 : tr("Right after it output %1 is off by up to %2; right before it all outputs "
                      "agree (%3 "
                      "models compared).")
                       .arg(labelText(finding_->output),
                            QLocale().toString(finding_->largest, 'g', 3),
                            formatCount(qint64(finding_->trials))));
    }
    verdict_->setText(sentenceText(verdict));
    verdict_->setVisible(!verdict.isEmpty());
}

}  // namespace lapidary::views
