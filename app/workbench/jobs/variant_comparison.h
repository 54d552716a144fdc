// SPDX-License-Identifier: GPL-3.0-or-later
// Several variants side by side: measured in turn, outputs compared with those of the first.
#pragma once

#include <QObject>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <lapidary/bench/bench.h>
#include <lapidary/proof/compare.h>

#include "workbench/document/variant.h"
#include "workbench/jobs/latest_job.h"
#include "worker/protocol/run_record.h"

namespace lapidary::app {

class Engine;
class OpenedModel;

/// What was found out about one of the variants.
struct VariantFigures {
    VariantPtr variant;
    std::optional<Measurement> measured;    // empty: not yet, or it failed
    std::optional<Difference> difference;   // against the first; empty: of the first, or not known
    std::vector<OutputComparison> outputs;  // against those of the first
    bool outputsCompared = false;           // false: of the first, or not known
    QString failure;                        // why it was not measured or compared; empty: it was
};

/// Immutable once published; published again whenever something was added.
struct VariantsRecord {
    std::vector<VariantFigures> variants;  // the first is what others are compared with
    RunSettings settings;
    std::map<std::string, std::int64_t> sizes;  // of the inputs, by dimension
    int threads = 1;
    QString ranOn;          // Machine::text(); empty: this computer
    bool complete = false;  // false: still running, or cancelled
};
using VariantsRecordPtr = std::shared_ptr<const VariantsRecord>;

class VariantComparison : public QObject {
    Q_OBJECT
public:
    static constexpr std::size_t fewest = 2, most = 8;  // variants

    VariantComparison(OpenedModel& opened, JobRunner& jobs, Engine& engine,
                      QObject* parent = nullptr);

    /// Of the newest start() with the open model; null: none.
    VariantsRecordPtr result() const { return result_; }
    bool isRunning() const { return job_.isRunning(); }
    Job* job() const { return job_.job(); }  // null unless running
    const MeasureOptions& options() const { return options_; }
    /// Of the next start(): seconds for each variant; warm-ups come from the run settings.
    void setOptions(const MeasureOptions& options) { options_ = options; }

public slots:
    /// Measures the variants in turn under the run settings, then compares the outputs of each with
    /// those of the first. A variant that fails keeps no other from being measured. Does nothing
    /// while it runs, and for fewer or more variants than are possible.
    void start(const std::vector<lapidary::app::VariantPtr>& variants);
    /// The complete result that these variants had before is there again; without one, what was
    /// found out is kept.
    void cancel() { job_.cancel(); }

signals:
    void changed();
    /// Nothing was measured.
    void failed(const QString& reason);
    /// A variant was measured: figures for the project. `machine`: Machine::text() of where.
    void measured(const lapidary::app::VariantPtr& variant, const lapidary::Measurement& figures,
                  const lapidary::app::RunSettings& settings, bool unasked, const QString& machine);

private:
    void publish(VariantsRecord record);

    OpenedModel& opened_;
    JobRunner& jobs_;
    Engine& engine_;
    VariantsRecordPtr result_;
    VariantsRecordPtr before_;  // complete and of the same variants; null unless running
    MeasureOptions options_;
    LatestJob job_;
};

}  // namespace lapidary::app
