// SPDX-License-Identifier: GPL-3.0-or-later
// Names of quantization options, and the command lines that repeat them.
#pragma once

#include <QString>
#include <QStringList>

#include <lapidary/quantize/quantize.h>

#include "worker/protocol/model_source.h"
#include "worker/protocol/quantization.h"

namespace lapidary::app {

/// "int8 static", "int8 dynamic", "int4 weights".
QString nameOfMode(const QuantizeOptions& options);
/// The options that differ from the defaults of the mode: "equalized, compensated, 2 kept float";
/// "plain" if none do.
QString improvementsOf(const QuantizeOptions& options);
/// The two together: "int8 static, equalized".
QString nameOf(const QuantizeOptions& options);
/// "dynamic", "static", "fp16", "weights4": the value of --mode.
QString wordOf(const QuantizeOptions& options);

/// `lapidary-cli quantize MODEL -o OUT ...`, as words that are not quoted.
QStringList quantizeWords(const Quantization& quantization, const QString& model,
                          const QString& output);
/// The command that repeats the search for recipes. Empty for a model that no other process can
/// open. `labels`: empty for none.
QString quantizeCommand(const ModelSource& model, const Quantization& quantization,
                        const std::filesystem::path& labels, double budgetSeconds);

}  // namespace lapidary::app
