// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/project/process_identity.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QStringList>
#include <QSysInfo>

#include "worker/process/running_process.h"

namespace lapidary::app {
namespace {

QString shortName(const QByteArray& id) {
    return id.isEmpty()
               ? QStringLiteral("0")
               : QString::fromLatin1(
                     QCryptographicHash::hash(id, QCryptographicHash::Sha256).toHex().left(8));
}

}  // namespace

ProcessIdentity thisProcess() {
    static const ProcessIdentity identity = [] {
        const QByteArray bootId = QByteArray::fromStdString(boot_name());
        QByteArray machine = QSysInfo::machineUniqueId();
        if (machine.isEmpty()) machine = QSysInfo::machineHostName().toUtf8();
        const qint64 pid = QCoreApplication::applicationPid();
        return ProcessIdentity{shortName(machine), shortName(bootId), pid,
                               process_start(pid).value_or(0)};
    }();
    return identity;
}

bool isAlive(const ProcessIdentity& process) {
    const ProcessIdentity own = thisProcess();
    if (process.machine != own.machine || process.boot != own.boot || process.pid <= 0)
        return false;
    if (own.start != 0) return process_start(process.pid) == process.start;
    return is_process(process.pid);
}

QString toText(const ProcessIdentity& process) {
    return QStringLiteral("%1-%2-%3-%4")
        .arg(process.machine, process.boot)
        .arg(process.pid)
        .arg(process.start);
}

std::optional<ProcessIdentity> processFromText(const QString& text) {
    const QStringList parts = text.split(QLatin1Char('-'));
    bool isPid = false, isStart = false;
    if (parts.size() != 4) return {};
    ProcessIdentity process{parts[0], parts[1], parts[2].toLongLong(&isPid),
                            parts[3].toULongLong(&isStart)};
    if (!isPid || !isStart || process.pid <= 0) return {};
    return process;
}

}  // namespace lapidary::app
