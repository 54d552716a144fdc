// SPDX-License-Identifier: GPL-3.0-or-later
// Looks for the first node at which the variants in slots A and B differ.
#pragma once

#include <QObject>

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "worker/jobs/proof/diverge_job.h"
#include "workbench/document/variant_store.h"
#include "workbench/jobs/latest_job.h"

namespace lapidary::app {

class OpenedModel;

/// What was found about one pair. Immutable.
struct DifferenceRecord {
    VariantPtr a, b;
    std::string output;  // of A, if only what it is computed from was compared
    FoundDifference found;
};
using DifferencePtr = std::shared_ptr<const DifferenceRecord>;

class DifferenceSearch : public QObject {
    Q_OBJECT
public:
    using Pair = std::pair<VariantPtr, VariantPtr>;  // of slots A and B; each may be null

    DifferenceSearch(std::function<Pair()> pair, OpenedModel& opened, JobRunner& jobs,
                     Engine& engine, QObject* parent);

    /// The newest result, if it is of the pair in the slots; else null.
    DifferencePtr result() const;
    bool isRunning() const { return job_.isRunning(); }
    Job* job() const { return job_.job(); }  // null unless running

    /// Runs both under the run settings. `output`: as in DifferenceRecord; empty: everything.
    void start(const std::string& output = {});
    void cancel() { job_.cancel(); }

signals:
    void started();
    void changed();  // result() is another one, or the search has ended
    void failed(const QString& reason);
    void logged(const QString& line);

private:
    void forget();

    std::function<Pair()> pair_;
    OpenedModel& opened_;
    JobRunner& jobs_;
    Engine& engine_;
    DifferencePtr newest_;
    LatestJob job_;
};

/// The node of the graph whose output the value is or, of a value of a body, the node that has the
/// body. Empty: the graph has no such node.
NodeId nodeOf(const Graph& graph, const ValuePair& value);

}  // namespace lapidary::app
