// SPDX-License-Identifier: GPL-3.0-or-later
// Identifies the process that wrote something, and says whether it still runs. Besides the process
// id it holds the start time, because the system reuses ids, and the machine, because several
// machines may share a folder.
#pragma once

#include <QString>

#include <optional>

namespace lapidary::app {

struct ProcessIdentity {
    QString machine, boot;  // short names, letters and digits
    qint64 pid = 0;
    quint64 start = 0;  // since the boot, in the system's ticks; 0: the system does not say
    friend bool operator==(const ProcessIdentity&, const ProcessIdentity&) = default;
};

ProcessIdentity thisProcess();
/// Also false for processes of other machines, about which nothing is known: compare `machine`.
bool isAlive(const ProcessIdentity& process);

/// Writes and reads "machine-boot-pid-start", which is usable in file names.
QString toText(const ProcessIdentity& process);
std::optional<ProcessIdentity> processFromText(const QString& text);

}  // namespace lapidary::app
