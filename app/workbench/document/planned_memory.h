// SPDX-License-Identifier: GPL-3.0-or-later
// Planned memory of runs of variants under the settings in force: computed once per variant, so
// that all pages show the same figures.
#pragma once

#include <QObject>

#include <map>
#include <optional>
#include <vector>

#include <lapidary/cost/memory_report.h>

#include "workbench/jobs/latest_job.h"
#include "workbench/document/variant.h"
#include "worker/protocol/model_source.h"
#include "worker/protocol/run_record.h"

namespace lapidary::app {

class OpenedModel;

/// The memory options of a session of the model under the settings.
MemoryAssumptions assumptionsOf(const ModelSource& source, const RunSettings& settings);

struct PlannedPeak {
    // bytes planned for activations; bytes held by the arena; both as in MemoryReport
    std::uint64_t needed_bytes = 0, block_bytes = 0;
    std::uint64_t process_bytes = 0;  // of the process, as in MemoryReport
    // false: sizes that only a run reports count as nothing
    bool complete = true;
    QString failure;  // why memory could not be planned; empty: it was planned
};

class PlannedMemory : public QObject {
    Q_OBJECT
public:
    PlannedMemory(OpenedModel& opened, JobRunner& jobs, Engine& engine, QObject* parent = nullptr);
    /// Null: not planned under the settings in force.
    const PlannedPeak* of(const VariantPtr& variant) const;
    /// Plans those that have no plan yet, in this order. Earlier requests are dropped. Null ones
    /// are skipped.
    void want(const std::vector<VariantPtr>& variants);

signals:
    void changed();

private:
    struct Entry {
        MemoryAssumptions assumptions;
        PlannedPeak peak;
    };
    void startNext();
    OpenedModel& opened_;
    JobRunner& jobs_;
    Engine& engine_;
    std::map<std::weak_ptr<const Variant>, Entry, std::owner_less<>> known_;  // of those that live
    std::vector<VariantPtr> wanted_;
    LatestJob job_;
};

}  // namespace lapidary::app
