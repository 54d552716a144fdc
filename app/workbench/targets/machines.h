// SPDX-License-Identifier: GPL-3.0-or-later
// The targets that the user listed, what each says of itself, and the one that jobs of the open
// model run on. A target is tested before it can be chosen, so that its cores are known. Nothing
// here waits for a connection: tests are jobs, and engines connect when a job is called.
#pragma once

#include <QObject>
#include <QStringList>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "workbench/jobs/latest_job.h"
#include "workbench/targets/machine.h"
#include "workbench/targets/target_settings.h"

namespace lapidary::app {

class OpenedModel;

/// How targets are reached. Tests have another one.
struct TargetReach {
    /// As try_target(): blocks, for jobs.
    std::function<TargetFacts(const Target&, const Progress&)> ask;
    /// Connects when a job is called.
    std::function<std::shared_ptr<Engine>(const Target&)> open;
};
/// By the program ssh.
TargetReach reachBySsh();

/// One line of the list.
struct KnownTarget {
    QString host;
    std::optional<TargetFacts> facts;  // of the newest test that went well; empty: there is none
    QString failure;  // why the newest test failed, with what to do; empty: it did not
};

class Machines : public QObject {
    Q_OBJECT
public:
    Machines(OpenedModel& opened, JobRunner& jobs, QObject* parent = nullptr);
    ~Machines() override;

    const std::vector<KnownTarget>& targets() const { return targets_; }
    /// Null: it is not in the list.
    const KnownTarget* find(const QString& host) const;
    /// Why the text cannot be added as a target, as a sentence; empty: it can.
    QString refusalOf(const QString& text) const;
    /// The job that tests it; null: none runs.
    Job* testOf(const QString& host) const;
    /// What jobs of the open model run on: a target of the list, or empty for this computer.
    QString chosen() const;
    /// What will be chosen when its test went well; empty: nothing waits.
    QString awaited() const { return awaited_; }
    /// A target of the list, or this computer where the list has no such host.
    Machine machineOf(const QString& host);
    /// Sets how targets are reached; engines made before are released.
    void setReach(TargetReach reach);

public slots:
    /// Adds a target to the list. Does nothing where refusalOf() says why not.
    void add(const QString& text);
    /// Gives a target of the list another name or folder; what was known of it is forgotten.
    void rename(const QString& host, const QString& text);
    /// Where it was chosen, this computer is.
    void remove(const QString& host);
    /// Connects and asks what it is; changed() reports progress and end.
    void test(const QString& host);
    void cancelTest(const QString& host);
    /// Runs jobs of the open model there from now on, and when it is opened again. Empty: on this
    /// computer. A target that was never reached is tested first; failed() says if that is in vain.
    void choose(const QString& host);

signals:
    void changed();        // the list, or a test began, went on or ended
    void chosenChanged();  // chosen(), or what is known of it
    void listWanted();     // the user asked for the list
    /// The target that was to be chosen cannot be reached.
    void failed(const QString& host, const QString& reason);

private:
    QString document() const;
    void openModel();
    void put(const QString& host);
    void save() const;
    void finishTest(const QString& host);
    KnownTarget* at(const QString& host);
    void release(const QString& host);

    OpenedModel& opened_;
    JobRunner& jobs_;
    TargetReach reach_;
    std::vector<KnownTarget> targets_;
    std::map<QString, std::shared_ptr<Engine>> engines_;
    std::map<QString, std::unique_ptr<LatestJob>> tests_;
    QString awaited_;
};

}  // namespace lapidary::app
