// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory/context_memory_panel.h"

#include <QVBoxLayout>

#include <utility>

#include <lapidary/base/error.h>

#include "theme/theme.h"
#include "widgets/plot/plot.h"
#include "widgets/text/quantity.h"
#include "worker/jobs/generation/context_memory_job.h"
#include "workbench/jobs/generating.h"
#include "workbench/text/bounded_text.h"
#include "workbench/workbench.h"

namespace lapidary::views {
namespace {

std::uint64_t sumOf(const DecoderMemory& memory, const ContextMemory& point) {
    return memory.weight_bytes + point.cache_bytes + point.activation_bytes;
}

}  // namespace

QString contextMemorySentence(const DecoderMemory& memory) {
    if (memory.points.empty()) return {};
    const ContextMemory& last = memory.points.back();
    const QString leftOut = u' ' + ContextMemoryPanel::tr(
                                       "Not counted, but part of the process: the program itself, "
                                       "the graph and its plan, packed copies of weights, inputs.");
    if (memory.cache_row_bytes == 0)
        return ContextMemoryPanel::tr(
                   "At %1 tokens of context: weights %2 + activations %3 = %4. There are no "
                   "caches: the whole context is computed again for each token.")
                   .arg(formatCount(last.context), formatBytes(memory.weight_bytes),
                        formatBytes(last.activation_bytes), formatBytes(sumOf(memory, last))) +
               leftOut;
    return ContextMemoryPanel::tr(
               "At %1 tokens of context: weights %2 + caches %3 + activations %4 = %5. Each token "
               "makes the caches %6 larger; caches of fixed size take the room for their capacity "
               "from the beginning.")
               .arg(formatCount(last.context), formatBytes(memory.weight_bytes),
                    formatBytes(last.cache_bytes), formatBytes(last.activation_bytes),
                    formatBytes(sumOf(memory, last)), formatBytes(memory.cache_row_bytes)) +
           leftOut;
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
    QVector<double> contexts, bytes;
    for (const ContextMemory& point : memory_->points) {
        contexts.append(double(point.context));
        bytes.append(double(sumOf(*memory_, point)));
    }
    if (contexts.isEmpty()) return;
    const bool hasCaches = memory_->cache_row_bytes > 0;
    plot_->setLine(contexts, bytes,
                   hasCaches ? tr("weights + caches + activations") : tr("weights + activations"));
    plot_->addLevel(double(memory_->weight_bytes), tr("weights"));
    if (capacity_ <= 0 || !hasCaches) return;
    // Caches of fixed size, as chosen on the Generate page.
    const auto room = std::uint64_t(capacity_) * memory_->cache_row_bytes;
    plot_->addLevel(double(memory_->weight_bytes + room + memory_->points.back().activation_bytes),
                    tr("with caches for %1 tokens").arg(formatCount(capacity_)));
}

}  // namespace lapidary::views
