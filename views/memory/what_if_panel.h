// SPDX-License-Identifier: GPL-3.0-or-later
// The switches that memory depends on, each with the change that switching it would cause.
#pragma once

#include <QCheckBox>
#include <QFormLayout>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QWidget>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <lapidary/cost/memory_report.h>

#include "worker/jobs/memory_job.h"

namespace lapidary::views {

/// Memory of a process under the current assumptions, and with one of them changed.
struct MemoryEffects {
    std::uint64_t total = 0;
    std::optional<std::uint64_t> plan, arena, inPlace, fusedSteps;  // with this switch changed
    // by dimension: with this dimension twice as large
    std::map<std::string, std::uint64_t> doubled;
};

/// For worker threads. `job`: what `report` answered.
MemoryEffects effectsOf(app::Engine& engine, const app::MemoryJob& job, const MemoryReport& report,
                        const Progress& progress);

class WhatIfPanel : public QWidget {
    Q_OBJECT
public:
    explicit WhatIfPanel(QWidget* parent = nullptr);
    /// Free dimensions with the sizes that apply by default.
    void setDimensions(const std::vector<std::pair<std::string, std::int64_t>>& dimensions);
    void setAssumptions(const MemoryAssumptions& assumptions);
    const MemoryAssumptions& assumptions() const { return assumptions_; }
    void setEffects(const MemoryEffects& effects);
    /// `applicable`: the assumptions differ from the run settings. `tip`: how.
    void setApplicable(bool applicable, const QString& tip);

signals:
    void assumptionsChanged();
    void applyRequested();
    void resetRequested();

private:
    struct Row {
        QCheckBox* box;
        QLabel* effect;
    };
    Row addSwitch(const char* name, const QString& label, const QString& tip,
                  bool MemoryAssumptions::*field);
    void makeSwitches();
    void makeThreads();
    void refresh();
    void fitWidth();

    MemoryAssumptions assumptions_;
    QWidget* content_ = nullptr;
    QGridLayout* grid_;
    Row plan_, arena_, inPlace_, fusedSteps_;
    QSpinBox* threads_;
    QWidget* dimensionBox_;
    QGridLayout* dimensionGrid_;
    struct Dimension {
        std::string name;
        QSpinBox* spin;
        QLabel* effect;
    };
    std::vector<Dimension> dimensions_;
    QPushButton *apply_, *reset_;
    bool refreshing_ = false;
};

}  // namespace lapidary::views
