// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/targets/machines.h"

#include <algorithm>
#include <utility>

#include <lapidary/base/error.h>

#include "workbench/document/opened_model.h"
#include "workbench/text/bounded_text.h"
#include "workbench/text/core_words.h"
#include "worker/jobs/engine.h"
#include "worker/remote/remote_engine.h"

namespace lapidary::app {

TargetReach reachBySsh() {
    return {try_target,
            [](const Target& target) { return std::make_shared<RemoteEngine>(target); }};
}

Machines::Machines(OpenedModel& opened, JobRunner& jobs, QObject* parent)
    : QObject(parent), opened_(opened), jobs_(jobs), reach_(reachBySsh()) {
    for (RememberedTarget& known : loadTargets())
        targets_.push_back({known.host, std::move(known.facts), {}});
    connect(&opened_, &OpenedModel::openedChanged, this, &Machines::openModel);
}

Machines::~Machines() = default;

const KnownTarget* Machines::find(const QString& host) const {
    const auto found = std::ranges::find(targets_, host, &KnownTarget::host);
    return found == targets_.end() ? nullptr : &*found;
}

KnownTarget* Machines::at(const QString& host) {
    const auto found = std::ranges::find(targets_, host, &KnownTarget::host);
    return found == targets_.end() ? nullptr : &*found;
}

QString Machines::refusalOf(const QString& text) const {
    try {
        const Target target = read_target(text.trimmed().toStdString());
        if (find(exactText(target.text()))) return tr("This target is in the list already.");
    } catch (const Error&) {
        return tr(
            "Type user@host or user@host:folder, with letters, digits and . _ - +. A folder "
            "may begin with ~/ and has no “..”.");
    }
    if (targets_.size() >= std::size_t(most_targets))
        return tr("The list has %1 targets, which is the most.").arg(most_targets);
    return {};
}

Job* Machines::testOf(const QString& host) const {
    const auto test = tests_.find(host);
    return test == tests_.end() ? nullptr : test->second->job();
}

QString Machines::chosen() const { return opened_.machine().host; }

/// By what the document is known again; empty: by nothing.
QString Machines::document() const {
    const DocumentPtr opened = opened_.opened();
    if (!opened) return {};
    const ModelSource& source = opened->source;
    if (!source.sample.empty()) return QStringLiteral("sample:") + exactText(source.sample);
    return exactText(source.file.string());
}

Machine Machines::machineOf(const QString& host) {
    const KnownTarget* known = find(host);
    if (!known) return {};
    Machine machine;
    machine.host = known->host;
    if (known->facts) {
        machine.cpu = labelText(known->facts->machine.cpu);
        machine.cores = known->facts->machine.cores;
    }
    std::shared_ptr<Engine>& engine = engines_[known->host];
    if (!engine) engine = reach_.open(read_target(known->host.toStdString()));
    machine.engine = engine;
    return machine;
}

void Machines::setReach(TargetReach reach) {
    reach_ = std::move(reach);
    for (auto& [host, engine] : std::exchange(engines_, {})) jobs_.releaseLater(std::move(engine));
    put(chosen());
}

/// Jobs that still run keep their engine; its end waits for the worker there, so not in this
/// thread.
void Machines::release(const QString& host) {
    const auto engine = engines_.find(host);
    if (engine == engines_.end()) return;
    jobs_.releaseLater(std::move(engine->second));
    engines_.erase(engine);
}

/// A model that is opened again runs where it ran before. Connections of the model before it end.
void Machines::openModel() {
    awaited_.clear();
    const QString host = document().isEmpty() ? QString() : loadTargetOf(document());
    const KnownTarget* known = host.isEmpty() ? nullptr : find(host);
    for (auto& [name, engine] : std::exchange(engines_, {})) jobs_.releaseLater(std::move(engine));
    if (known && known->facts) opened_.setMachine(machineOf(host));
    emit chosenChanged();
}

void Machines::put(const QString& host) {
    const Machine machine = machineOf(host);
    if (machine == opened_.machine()) return;
    opened_.setMachine(machine);
    emit chosenChanged();
}

void Machines::save() const {
    std::vector<RememberedTarget> remembered;
    for (const KnownTarget& target : targets_) remembered.push_back({target.host, target.facts});
    saveTargets(remembered);
}

void Machines::add(const QString& text) {
    if (!refusalOf(text).isEmpty()) return;
    targets_.push_back({exactText(read_target(text.trimmed().toStdString()).text()), {}, {}});
    save();
    emit changed();
}

void Machines::rename(const QString& host, const QString& text) {
    KnownTarget* target = at(host);
    if (!target || !refusalOf(text).isEmpty()) return;
    tests_.erase(host);
    if (awaited_ == host) awaited_.clear();
    if (chosen() == host) choose({});
    release(host);
    *target = {exactText(read_target(text.trimmed().toStdString()).text()), {}, {}};
    save();
    emit changed();
}

void Machines::remove(const QString& host) {
    if (!find(host)) return;
    tests_.erase(host);
    std::erase_if(targets_, [&](const KnownTarget& target) { return target.host == host; });
    save();
    if (awaited_ == host) awaited_.clear();
    if (chosen() == host) choose({});
    release(host);
    emit changed();
}

void Machines::test(const QString& host) {
    KnownTarget* target = at(host);
    if (!target || testOf(host)) return;
    target->failure.clear();
    std::unique_ptr<LatestJob>& test = tests_[host];
    if (!test) test = std::make_unique<LatestJob>();
    Job* job = test->start<TargetFacts>(
        jobs_, tr("Test %1").arg(labelText(host)),
        [ask = reach_.ask, of = read_target(host.toStdString())](const Progress& progress) {
            return ask(of, progress);
        },
        [this, host](TargetFacts facts) {
            if (KnownTarget* known = at(host)) known->facts = std::move(facts);
            save();
            finishTest(host);
        },
        [this, host](const Error& error) {
            KnownTarget* known = at(host);
            if (known && error.code() != ErrorCode::cancelled)
                known->failure = sentenceText(inWindowLanguage(error.what()));
            finishTest(host);
        });
    connect(job, &Job::progressed, this, &Machines::changed);
    emit changed();
}

void Machines::finishTest(const QString& host) {
    const KnownTarget* known = find(host);
    const bool wasAwaited = awaited_ == host;
    if (wasAwaited) awaited_.clear();
    if (known && wasAwaited && known->facts && known->failure.isEmpty()) choose(host);
    else if (chosen() == host) put(host);
    emit changed();
    if (known && wasAwaited && !known->failure.isEmpty()) emit failed(host, known->failure);
}

void Machines::cancelTest(const QString& host) {
    if (awaited_ == host) awaited_.clear();
    if (const auto test = tests_.find(host); test != tests_.end()) test->second->cancel();
}

void Machines::choose(const QString& host) {
    awaited_.clear();
    const KnownTarget* known = find(host);
    if (known && !known->facts) {
        awaited_ = host;
        return test(host);
    }
    put(host);
    if (!document().isEmpty()) saveTargetOf(document(), chosen());
}

}  // namespace lapidary::app
