// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/process_identity.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QFile>
#include <QStringList>
#include <QSysInfo>

#ifdef Q_OS_UNIX
#include <cerrno>
#include <csignal>
#endif

namespace lapidary::app {
namespace {

QString shortName(const QByteArray& id) {
    return id.isEmpty() ? QStringLiteral("0")
                        : QString::fromLatin1(QCryptographicHash::hash(id, QCryptographicHash::Sha256).toHex().left(8));
}

/// Field 22 of /proc/PID/stat; the fields are counted after the name, which may hold anything. A process that has ended
/// and whose parent has not asked yet counts as gone.
std::optional<quint64> startOf(qint64 pid) {
    QFile file(QStringLiteral("/proc/%1/stat").arg(pid));
    if (!file.open(QIODevice::ReadOnly)) return {};
    const QByteArray line = file.readAll();
    const QList<QByteArray> fields = line.mid(line.lastIndexOf(')') + 2).split(' ');
    if (fields.size() < 20 || fields[0] == "Z" || fields[0] == "X") return {};
    return fields[19].toULongLong();
}

}  // namespace

ProcessIdentity thisProcess() {
    static const ProcessIdentity identity = [] {
        QFile boot(QStringLiteral("/proc/sys/kernel/random/boot_id"));
        const QByteArray bootId = boot.open(QIODevice::ReadOnly) ? boot.readAll().trimmed() : QByteArray();
        QByteArray machine = QSysInfo::machineUniqueId();
        if (machine.isEmpty()) machine = QSysInfo::machineHostName().toUtf8();
        const qint64 pid = QCoreApplication::applicationPid();
        return ProcessIdentity{shortName(machine), shortName(bootId), pid, startOf(pid).value_or(0)};
    }();
    return identity;
}

bool isAlive(const ProcessIdentity& process) {
    const ProcessIdentity own = thisProcess();
    if (process.machine != own.machine || process.boot != own.boot || process.pid <= 0) return false;
    if (own.start != 0) return startOf(process.pid) == process.start;
#ifdef Q_OS_UNIX
    return kill(pid_t(process.pid), 0) == 0 || errno == EPERM;
#else
    return process == own;
#endif
}

QString toText(const ProcessIdentity& process) {
    return QStringLiteral("%1-%2-%3-%4").arg(process.machine, process.boot).arg(process.pid).arg(process.start);
}

std::optional<ProcessIdentity> processFromText(const QString& text) {
    const QStringList parts = text.split(QLatin1Char('-'));
    bool isPid = false, isStart = false;
    if (parts.size() != 4) return {};
    ProcessIdentity process{parts[0], parts[1], parts[2].toLongLong(&isPid), parts[3].toULongLong(&isStart)};
    if (!isPid || !isStart || process.pid <= 0) return {};
    return process;
}

}  // namespace lapidary::app
