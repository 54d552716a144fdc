// SPDX-License-Identifier: GPL-3.0-or-later
// The memory of a decoder over its context: weights, caches and activations, planned without a run.
#pragma once

#include <QLabel>
#include <QWidget>

#include <optional>

#include <lapidary/generation/context_memory.h>

#include "workbench/document/variant.h"
#include "workbench/jobs/latest_job.h"

namespace lapidary::app {
class Workbench;
}

namespace lapidary::views {

class Plot;

class ContextMemoryPanel : public QWidget {
    Q_OBJECT
public:
    explicit ContextMemoryPanel(app::Workbench& workbench, QWidget* parent = nullptr);
    /// Plans when it is next shown. Null: there is nothing to plan.
    void setVariant(const app::VariantPtr& variant, const MemoryAssumptions& assumptions);
    /// Nothing: it is not planned yet.
    const std::optional<DecoderMemory>& memory() const { return memory_; }
    QString sentence() const { return sentence_->text(); }

protected:
    void showEvent(QShowEvent* event) override;

private:
    void plan();
    void refresh();

    app::Workbench& workbench_;
    QLabel* sentence_;
    Plot* plot_;
    app::VariantPtr variant_;
    MemoryAssumptions assumptions_;
    std::optional<DecoderMemory> memory_;
    QString problem_;
    bool isStale_ = true;
    int capacity_ = 0;  // of caches of fixed size, as chosen on the Generate page; 0: as needed
    app::LatestJob job_;
};

/// "At 4,096 tokens of context: weights ... + caches ... + activations ... = ...", what each token
/// adds, and what of the process is not counted. Empty: there are no points.
QString contextMemorySentence(const DecoderMemory& memory);

}  // namespace lapidary::views
