// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory/context_memory_panel.h"

#include <QVBoxLayout>

#include <utility>

#include <lapidary/base/error.h>

#include "theme/theme.h"
#include "widgets/plot/context_memory_plot.h"
#include "widgets/plot/plot.h"
#include "widgets/text/quantity.h"
#include "worker/jobs/generation/context_memory_job.h"
#include "workbench/jobs/generating.h"
#include "workbench/text/bounded_text.h"
#include "workbench/workbench.h"

namespace lapidary::views {
QString contextMemorySentence(const DecoderMemory& memory) {
    if (memory.points.empty()) return {};
    QString text = contextMemorySum(memory, memory.points.back());
    if (memory.cache_row_bytes > 0)
        text += u' ' + ContextMemoryPanel::tr(
                           "Each token makes the caches %1 larger; caches of fixed size take the "
                           "room for their capacity from the beginning.")
                           .arg(formatBytes(memory.cache_row_bytes));
    return text + u' ' + contextMemoryLeftOut();
}

ContextMemoryPanel::ContextMemoryPanel(app::Workbench& workbench, QWidget* parent)
    : QWidget(parent), workbench_(workbench), sentence_(new QLabel), plot_(new Plot) {
    setObjectName(QStringLiteral("contextMemory"));
    sentence_->setObjectName(QStringLiteral("contextMemorySentence"));
    sentence_->setWordWrap(true);
    sentence_->setTextFormat(Qt::PlainText);
    sentence_->setMargin(spacing);
    sentence_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    plot_->setAxisTitles(tr("Tokens of context"), tr("Memory"));
    plot_->setLegendAbove();
    plot_->setAxisKinds(AxisKind::count, AxisKind::bytes);
    plot_->setAccessibleName(tr("Memory over the context"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(sentence_);
    column->addWidget(plot_, 1);
    connect(&workbench_.generating(), &app::Generating::changed, this, [this] {
        if (workbench_.generating().choice().capacity != capacity_) refresh();
    });
    refresh();
}

void ContextMemoryPanel::setVariant(const app::VariantPtr& variant,
                                    const MemoryAssumptions& assumptions) {
    MemoryAssumptions wanted = assumptions;
    wanted.dimensions.clear();
    if (variant == variant_ && wanted == assumptions_) return;
    job_.drop();
    variant_ = variant;
    assumptions_ = std::move(wanted);
    memory_.reset();
    problem_.clear();
    isStale_ = true;
    refresh();
    if (isVisible()) plan();
}

void ContextMemoryPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    plan();
}

void ContextMemoryPanel::plan() {
    if (!variant_ || !isStale_) return;
    isStale_ = false;
    app::ContextMemoryJob job;
    job.model = workbench_.sourceOf(variant_);
    job.assumptions = assumptions_;
    job_.start<DecoderMemory>(
        workbench_.jobs(), tr("Memory by context of %1").arg(variant_->name),
        [engine = &workbench_.engine(), job](const Progress& progress) {
            return engine->call(job, progress);
        },
        [this](DecoderMemory memory) {
            memory_ = std::move(memory);
            refresh();
        },
        [this](const Error& error) {
            isStale_ = error.code() == ErrorCode::cancelled;
            problem_ = isStale_ ? tr("It was cancelled.") : sentenceText(error.what());
            refresh();
        });
    refresh();
}

void ContextMemoryPanel::refresh() {
    capacity_ = workbench_.generating().choice().capacity;
    plot_->clear();
    plot_->setVisible(memory_ && !memory_->points.empty());
    if (!memory_) {
        sentence_->setText(job_.isRunning() ? tr("Planning memory by context …") : problem_);
        return;
    }
    sentence_->setText(contextMemorySentence(*memory_));
    if (memory_->points.empty()) return;
    drawContextMemory(*plot_, *memory_);
    drawWeights(*plot_, *memory_);
    if (capacity_ <= 0 || memory_->cache_row_bytes == 0) return;
    // Caches of fixed size, as chosen on the Generate page.
    const auto room = std::uint64_t(capacity_) * memory_->cache_row_bytes;
    plot_->addLevel(double(memory_->weight_bytes + room + memory_->points.back().activation_bytes),
                    tr("with caches for %1 tokens").arg(formatCount(capacity_)));
}

}  // namespace lapidary::views
