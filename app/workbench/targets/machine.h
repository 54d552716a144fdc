// SPDX-License-Identifier: GPL-3.0-or-later
// The computer that jobs of the open model run on: this one, or a target that ssh reaches.
#pragma once

#include <QString>

#include <memory>

namespace lapidary::app {

class Engine;

/// A copy holds what a job needs of it, also after another one was chosen.
struct Machine {
    QString host;                    // "pi@board", as the user named it; empty: this computer
    QString cpu;                     // of a target, as it said when it was tested
    int cores = 0;                   // likewise; 0: not known
    std::shared_ptr<Engine> engine;  // of a target; null: this computer

    bool isHere() const { return host.isEmpty(); }
    /// What runs jobs there; `here` on this computer.
    Engine& engineOr(Engine& here) const { return engine ? *engine : here; }
    /// "Cortex-A76 (pi@board)", the same in every language, because results keep it. Empty: this
    /// computer.
    QString text() const;
    friend bool operator==(const Machine&, const Machine&) = default;
};

/// The lapidary-cli command as it runs there: with `--on HOST` where it is a target. An empty
/// command stays empty.
QString onMachine(const QString& command, const Machine& machine);

}  // namespace lapidary::app
