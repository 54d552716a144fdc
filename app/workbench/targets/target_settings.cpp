// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/targets/target_settings.h"

#include <QCryptographicHash>
#include <QSettings>
#include <QVariant>

#include <utility>

#include <lapidary/base/error.h>

namespace lapidary::app {
namespace {

const QString targets_array = QStringLiteral("list");
constexpr int most_kept_cores = 1 << 16;

/// A path is no key: a slash would begin another group.
QString keyOfDocument(const QString& document) {
    return QString::fromLatin1(
        QCryptographicHash::hash(document.toUtf8(), QCryptographicHash::Sha1).toHex());
}

bool isTarget(const QString& host) {
    try {
        read_target(host.toStdString());
        return true;
    } catch (const Error&) { return false; }
}

std::string textOfValue(const QVariant& value) { return value.toString().toStdString(); }

}  // namespace

std::vector<RememberedTarget> loadTargets() {
    QSettings settings;
    settings.beginGroup(QStringLiteral("targets"));
    std::vector<RememberedTarget> targets;
    const int number = qMin(settings.beginReadArray(targets_array), most_targets);
    for (int i = 0; i < number; ++i) {
        settings.setArrayIndex(i);
        RememberedTarget target;
        target.host = settings.value(QStringLiteral("host")).toString();
        if (!isTarget(target.host)) continue;
        TargetFacts facts;
        facts.architecture = textOfValue(settings.value(QStringLiteral("architecture")));
        facts.version = textOfValue(settings.value(QStringLiteral("version")));
        facts.machine.cpu = textOfValue(settings.value(QStringLiteral("cpu")));
        facts.machine.isa = textOfValue(settings.value(QStringLiteral("isa")));
        facts.machine.system = textOfValue(settings.value(QStringLiteral("system")));
        facts.machine.cores =
            qBound(0, settings.value(QStringLiteral("cores")).toInt(), most_kept_cores);
        facts.machine.memory_gb = qMax(0.0, settings.value(QStringLiteral("memoryGb")).toDouble());
        if (!facts.machine.cpu.empty()) target.facts = std::move(facts);
        targets.push_back(std::move(target));
    }
    settings.endArray();
    return targets;
}

void saveTargets(const std::vector<RememberedTarget>& targets) {
    QSettings settings;
    settings.beginGroup(QStringLiteral("targets"));
    settings.remove(targets_array);
    settings.beginWriteArray(targets_array, int(targets.size()));
    for (int i = 0; i < int(targets.size()); ++i) {
        const RememberedTarget& target = targets[std::size_t(i)];
        settings.setArrayIndex(i);
        settings.setValue(QStringLiteral("host"), target.host);
        if (!target.facts) continue;
        const MachineInfo& machine = target.facts->machine;
        const auto text = [](const std::string& utf8) { return QString::fromStdString(utf8); };
        settings.setValue(QStringLiteral("architecture"), text(target.facts->architecture));
        settings.setValue(QStringLiteral("version"), text(target.facts->version));
        settings.setValue(QStringLiteral("cpu"), text(machine.cpu));
        settings.setValue(QStringLiteral("isa"), text(machine.isa));
        settings.setValue(QStringLiteral("system"), text(machine.system));
        settings.setValue(QStringLiteral("cores"), machine.cores);
        settings.setValue(QStringLiteral("memoryGb"), machine.memory_gb);
    }
    settings.endArray();
}

QString loadTargetOf(const QString& document) {
    QSettings settings;
    settings.beginGroup(QStringLiteral("targetOf"));
    return settings.value(keyOfDocument(document)).toString();
}

void saveTargetOf(const QString& document, const QString& host) {
    QSettings settings;
    settings.beginGroup(QStringLiteral("targetOf"));
    if (host.isEmpty()) settings.remove(keyOfDocument(document));
    else settings.setValue(keyOfDocument(document), host);
}

}  // namespace lapidary::app
