// SPDX-License-Identifier: GPL-3.0-or-later
// Which process wrote something, and whether it still lives: number and start time, so that a
// number that was given out anew is no sign of life; the machine too, for folders that several
// share.
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
/// False as well for those of other machines, of which nothing is known: see `machine`.
bool isAlive(const ProcessIdentity& process);

/// "machine-boot-pid-start", fit for file names, and back.
QString toText(const ProcessIdentity& process);
std::optional<ProcessIdentity> processFromText(const QString& text);

}  // namespace lapidary::app
