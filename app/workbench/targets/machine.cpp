// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/targets/machine.h"

#include "workbench/text/shell_word.h"

namespace lapidary::app {

QString Machine::text() const {
    return isHere() || cpu.isEmpty() ? host : QStringLiteral("%1 (%2)").arg(cpu, host);
}

QString onMachine(const QString& command, const Machine& machine) {
    return command.isEmpty() || machine.isHere()
               ? command
               : QStringLiteral("%1 --on %2").arg(command, shellWord(machine.host));
}

}  // namespace lapidary::app
