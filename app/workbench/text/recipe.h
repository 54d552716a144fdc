// SPDX-License-Identifier: GPL-3.0-or-later
// Recipes as the window shows them: names, and the command lines that repeat them.
#pragma once

#include <QMetaType>
#include <QStringList>

#include "workbench/text/shell_word.h"
#include "worker/protocol/recipe.h"

namespace lapidary::app {

/// Compact JSON; equal recipes give equal text.
QString toJson(const Recipe& recipe);
/// Throws invalid_input naming the member that is wrong.
Recipe recipeFromJson(const QString& text);
/// The model as opened, run in the user's ONNX Runtime at its highest level.
Recipe onnxRuntimeRecipe();
/// "Extended", "Extended without 2 passes, first 40 rewrites", "Basic · edited: delete relu (+2)".
QString nameOf(const Recipe& recipe);
/// The proposed file name for a variant of the recipe: "net.static.onnx", "net.extended.onnx".
/// `title`: the name of the open model, with or without its ending. If the recipe uses another
/// model, that one's name is used.
QString fileNameOf(const Recipe& recipe, const QString& title);
QString nameOf(Level level);  // translated: "Disabled", "Basic" ...
/// The name of what runs where the recipe is in force: "Extended", or without a level "Original,
/// run at level All".
QString runNameOf(const Recipe& recipe);

/// "ONNX Runtime", "cuda", "ONNX Runtime with CUDA": what a variant runs on.
QString nameOf(const RunsOn& on);

/// `--engine onnxruntime --provider CUDA --fallback forbid`
QStringList runsOnWords(const RunsOn& on);
/// `--session-passes on|off`
QStringList sessionWords(bool fused);
/// `--rules FILE` for each file of rules
QStringList ruleWords(const Recipe& recipe);
/// `lapidary-cli optimize MODEL -o OUT ...`; `extra` is put at the end.
QString commandLine(const Recipe& recipe, const QString& model, const QString& output,
                    const QStringList& extra = {});

}  // namespace lapidary::app

Q_DECLARE_METATYPE(lapidary::app::Recipe)
