// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory/what_if_panel.h"

#include <QCoreApplication>
#include <QScopedValueRollback>
#include <QScrollArea>
#include <QStyle>
#include <QVBoxLayout>

#include <lapidary/base/error.h>

#include "models/rows_model.h"
#include "theme/theme.h"
#include "widgets/text/elided_label.h"
#include "widgets/text/quantity.h"
#include "workbench/text/bounded_text.h"
#include "worker/protocol/run_record.h"

namespace lapidary::views {
namespace {

constexpr int largest_dimension = 1'000'000;
constexpr std::size_t most_dimensions = 24, most_doubled = 6;

/// "+1.2 MB", "−4 kB", "no change".
QString signedBytes(std::uint64_t before, std::uint64_t after) {
    if (after == before) return QCoreApplication::translate("WhatIfPanel", "no change");
    return after > before ? QStringLiteral("+") + formatBytes(after - before)
                          : QStringLiteral("\u2212") + formatBytes(before - after);
}

}  // namespace

MemoryEffects effectsOf(app::Engine& engine, const app::MemoryJob& job, const MemoryReport& report,
                        const Progress& progress) {
    const MemoryAssumptions& assumptions = job.assumptions;
    MemoryEffects effects;
    effects.total = report.process.total();
    const auto total = [&](const MemoryAssumptions& changed) -> std::optional<std::uint64_t> {
        try {
            app::MemoryJob other = job;
            other.assumptions = changed;
            return engine.call(other, progress).report.process.total();
        } catch (const Error& e) {
            if (e.code() == ErrorCode::cancelled) throw;
            return std::nullopt;  // a size at which the model cannot run
        }
    };
    const auto turned = [&](bool MemoryAssumptions::*field) {
        MemoryAssumptions changed = assumptions;
        changed.*field = !(assumptions.*field);
        return total(changed);
    };
    effects.plan = turned(&MemoryAssumptions::plan);
    effects.arena = turned(&MemoryAssumptions::arena);
    effects.inPlace = turned(&MemoryAssumptions::in_place);
    effects.fusedSteps = turned(&MemoryAssumptions::fused_steps);
    std::map<std::string, std::int64_t> sizes(report.assumed.begin(), report.assumed.end());
    sizes.insert(assumptions.dimensions.begin(), assumptions.dimensions.end());
    for (const auto& [name, size] : sizes) {
        if (effects.doubled.size() >= most_doubled) break;
        MemoryAssumptions changed = assumptions;
        changed.dimensions[name] = 2 * size;
        if (const auto bytes = total(changed)) effects.doubled[name] = *bytes;
    }
    return effects;
}

WhatIfPanel::WhatIfPanel(QWidget* parent)
    : QWidget(parent), grid_(new QGridLayout), threads_(new QSpinBox), dimensionBox_(new QWidget),
      dimensionGrid_(new QGridLayout(dimensionBox_)),
      apply_(new QPushButton(tr("&Apply to the run settings"))),
      reset_(new QPushButton(tr("&Reset"))) {
    setObjectName(QStringLiteral("whatIfPanel"));
    auto* title = new QLabel(tr("What if"));
    title->setFont(scaledFont(1.0, true));
    auto* hint =
        new QLabel(tr("Turn a switch or change a size: picture and tables follow. Beside each: "
                      "what it would change of "
                      "the process."));
    hint->setWordWrap(true);
    hint->setForegroundRole(QPalette::PlaceholderText);
    grid_->setColumnStretch(0, 1);
    grid_->setHorizontalSpacing(10);
    grid_->setVerticalSpacing(4);
    makeSwitches();
    makeThreads();

    dimensionGrid_->setContentsMargins(0, 8, 0, 0);
    dimensionGrid_->setColumnStretch(0, 1);
    dimensionGrid_->setHorizontalSpacing(10);
    dimensionGrid_->setVerticalSpacing(4);
    apply_->setObjectName(QStringLiteral("applyMemory"));
    apply_->setEnabled(false);
    reset_->setToolTip(tr("Back to what the run settings say"));

    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(12, 8, 12, 8);
    column->setSpacing(6);
    column->addWidget(title);
    column->addWidget(hint);
    column->addLayout(grid_);
    column->addWidget(dimensionBox_);
    column->addSpacing(8);
    column->addWidget(apply_);
    column->addWidget(reset_);
    column->addStretch(1);
    auto* scroll = new QScrollArea;
    scroll->setWidget(content);
    scroll->setWidgetResizable(true);
    scroll->setAccessibleName(tr("What other settings would take"));
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(scroll);
    content_ = content;
    connect(apply_, &QPushButton::clicked, this, &WhatIfPanel::applyRequested);
    connect(reset_, &QPushButton::clicked, this, &WhatIfPanel::resetRequested);
    setDimensions({});
}

void WhatIfPanel::makeSwitches() {
    plan_ = addSwitch("planSwitch", tr("&Plan memory"),
                      tr("One block, laid out for the shapes of the inputs (enable_mem_pattern)"),
                      &MemoryAssumptions::plan);
    arena_ = addSwitch("arenaSwitch", tr("Ar&ena"),
                       tr("What is not planned comes from an arena that grows by powers of two "
                          "(enable_cpu_mem_arena); "
                          "off: each value from the heap"),
                       &MemoryAssumptions::arena);
    inPlace_ = addSwitch("inPlaceSwitch", tr("&In place"),
                         tr("Results over inputs that are not read any more, views, Concat in "
                            "place. Sessions always "
                            "do: this shows what it saves."),
                         &MemoryAssumptions::in_place);
    fusedSteps_ =
        addSwitch("fusedSwitch", tr("&Fused steps"),
                  tr("Neighbouring nodes in one kernel: what lies between them is never stored"),
                  &MemoryAssumptions::fused_steps);
}

void WhatIfPanel::makeThreads() {
    auto* threadsLabel = new QLabel(tr("&Threads"));
    threads_->setRange(0, app::most_run_threads);
    threads_->setSpecialValueText(tr("auto"));
    threads_->setKeyboardTracking(false);
    threads_->setObjectName(QStringLiteral("memoryThreads"));
    threads_->setToolTip(tr("Kernels take working memory for each thread; auto: one per core"));
    threads_->setAccessibleName(tr("Threads"));
    threadsLabel->setBuddy(threads_);
    grid_->addWidget(threadsLabel, grid_->rowCount(), 0);
    grid_->addWidget(threads_, grid_->rowCount() - 1, 1);
    connect(threads_, &QSpinBox::valueChanged, this, [this](int value) {
        if (refreshing_) return;
        assumptions_.threads = value;
        emit assumptionsChanged();
    });
}

WhatIfPanel::Row WhatIfPanel::addSwitch(const char* name, const QString& label, const QString& tip,
                                        bool MemoryAssumptions::*field) {
    auto* box = new QCheckBox(label);
    box->setObjectName(QLatin1String(name));
    box->setToolTip(plainToolTip(tip));
    box->setChecked(true);
    auto* effect = new QLabel;
    effect->setObjectName(QLatin1String(name) + QStringLiteral("Effect"));
    effect->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    effect->setForegroundRole(QPalette::PlaceholderText);
    const int row = grid_->rowCount();
    grid_->addWidget(box, row, 0);
    grid_->addWidget(effect, row, 1);
    connect(box, &QCheckBox::toggled, this, [this, field](bool on) {
        if (refreshing_) return;
        assumptions_.*field = on;
        emit assumptionsChanged();
    });
    return {box, effect};
}

void WhatIfPanel::setDimensions(
    const std::vector<std::pair<std::string, std::int64_t>>& dimensions) {
    dimensions_.clear();
    while (QLayoutItem* item = dimensionGrid_->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    dimensionBox_->setVisible(!dimensions.empty());
    if (dimensions.empty()) return fitWidth();
    auto* title = new QLabel(tr("Sizes of free dimensions"));
    title->setFont(scaledFont(1.0, true));
    dimensionGrid_->addWidget(title, 0, 0, 1, 2);
    int row = 1;
    for (const auto& [name, usual] : dimensions) {
        if (dimensions_.size() >= most_dimensions) break;
        const QString shown = labelText(name);
        auto* label = new ElidedLabel;
        label->setText(shown);
        label->setToolTip(plainToolTip(shown));
        auto* spin = new QSpinBox;
        spin->setObjectName(QStringLiteral("memoryDimension_") + shown);
        spin->setRange(0, largest_dimension);
        spin->setSpecialValueText(tr("auto (%1)").arg(usual));
        spin->setKeyboardTracking(false);
        spin->setGroupSeparatorShown(true);
        spin->setAccessibleName(tr("Size of dimension %1").arg(shown));
        spin->setToolTip(
            tr("Size of the free dimension; auto takes %1, as generated inputs do").arg(usual));
        auto* effect = new QLabel;
        effect->setAlignment(Qt::AlignRight);
        effect->setForegroundRole(QPalette::PlaceholderText);
        dimensionGrid_->addWidget(label, row, 0);
        dimensionGrid_->addWidget(spin, row++, 1);
        dimensionGrid_->addWidget(effect, row++, 0, 1, 2);
        connect(spin, &QSpinBox::valueChanged, this, [this, dimension = name](int value) {
            if (refreshing_) return;
            if (value > 0) assumptions_.dimensions[dimension] = value;
            else assumptions_.dimensions.erase(dimension);
            emit assumptionsChanged();
        });
        dimensions_.push_back({name, spin, effect});
    }
    refresh();
    fitWidth();
}

void WhatIfPanel::setAssumptions(const MemoryAssumptions& assumptions) {
    assumptions_ = assumptions;
    refresh();
}

void WhatIfPanel::refresh() {
    const QScopedValueRollback guard(refreshing_, true);
    plan_.box->setChecked(assumptions_.plan);
    arena_.box->setChecked(assumptions_.arena);
    inPlace_.box->setChecked(assumptions_.in_place);
    fusedSteps_.box->setChecked(assumptions_.fused_steps);
    threads_->setValue(assumptions_.threads);
    for (const Dimension& d : dimensions_) {
        const auto size = assumptions_.dimensions.find(d.name);
        d.spin->setValue(size == assumptions_.dimensions.end()
                             ? 0
                             : int(std::min<std::int64_t>(size->second, largest_dimension)));
    }
}

void WhatIfPanel::setEffects(const MemoryEffects& effects) {
    const auto show = [&](const Row& row, const std::optional<std::uint64_t>& turned) {
        row.effect->setText(!turned ? QString()
                            : row.box->isChecked()
                                ? tr("off: %1").arg(signedBytes(effects.total, *turned))
                                : tr("on: %1").arg(signedBytes(effects.total, *turned)));
        row.box->setAccessibleDescription(row.effect->text());
    };
    show(plan_, effects.plan);
    show(arena_, effects.arena);
    show(inPlace_, effects.inPlace);
    show(fusedSteps_, effects.fusedSteps);
    for (const Dimension& d : dimensions_) {
        const auto doubled = effects.doubled.find(d.name);
        d.effect->setVisible(doubled != effects.doubled.end());
        if (doubled != effects.doubled.end())
            d.effect->setText(
                tr("twice as large: %1").arg(signedBytes(effects.total, doubled->second)));
    }
    fitWidth();
}

/// Makes the panel wide enough for its content, because it only scrolls vertically.
void WhatIfPanel::fitWidth() {
    for (QLayout* layout :
         {static_cast<QLayout*>(dimensionGrid_), static_cast<QLayout*>(grid_), content_->layout()})
        layout->invalidate();  // a label only reports the change to its outermost layout
    dimensionBox_->updateGeometry();
    setMinimumWidth(content_->minimumSizeHint().width() +
                    style()->pixelMetric(QStyle::PM_ScrollBarExtent));
}

void WhatIfPanel::setApplicable(bool applicable, const QString& tip) {
    apply_->setEnabled(applicable);
    apply_->setToolTip(plainToolTip(tip));
}

}  // namespace lapidary::views
