// SPDX-License-Identifier: GPL-3.0-or-later
// How a variant is made from its parent: the choices, their JSON text and the command line that repeats them.
#pragma once

#include <QMetaType>
#include <QStringList>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <lapidary/optimize.h>

namespace lapidary::app {

struct Recipe {
    Level level = Level::disabled;
    std::vector<std::string> disabled_passes;      // sorted
    std::vector<std::string> enabled_passes;       // sorted; those that are off by default
    std::optional<std::size_t> stop_after;         // rewrites
    std::map<std::string, std::int64_t> dimensions;
    friend bool operator==(const Recipe&, const Recipe&) = default;

    /// Changes nothing: what was opened.
    bool isOriginal() const { return level == Level::disabled && enabled_passes.empty() && dimensions.empty(); }
    bool isPlainLevel() const { return disabled_passes.empty() && enabled_passes.empty() && !stop_after && dimensions.empty(); }
    /// Switches a pass; a pass that is in its default state is listed nowhere.
    void setPass(const PassInfo& pass, bool on);
    bool isOn(const PassInfo& pass) const;
    OptimizeOptions options() const;
};

/// Compact JSON; equal recipes give equal text.
QString toJson(const Recipe& recipe);
/// Throws invalid_input naming the member that is wrong.
Recipe recipeFromJson(const QString& text);
/// "Extended", "Extended without 2 passes, first 40 rewrites".
QString nameOf(const Recipe& recipe);
QString nameOf(Level level);  // translated: "Original", "Basic" ...

/// One word of a POSIX command line, quoted where it must be.
QString shellWord(const QString& word);
/// `lapidary-cli optimize MODEL -o OUT ...`; `extra` is put at the end.
QString commandLine(const Recipe& recipe, const QString& model, const QString& output, const QStringList& extra = {});

}  // namespace lapidary::app

Q_DECLARE_METATYPE(lapidary::app::Recipe)
