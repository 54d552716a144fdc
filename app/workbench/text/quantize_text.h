// SPDX-License-Identifier: GPL-3.0-or-later
// Recipes of quantization in words, and the command lines that repeat them.
#pragma once

#include <QString>
#include <QStringList>

#include <lapidary/quantize/quantize.h>

#include "worker/protocol/model_source.h"
#include "worker/protocol/quantization.h"

namespace lapidary::app {

/// "int8 static", "int8 dynamic", "int4 weights".
QString nameOfMode(const QuantizeOptions& options);
/// What differs from the plain recipe of the mode: "equalized, compensated, 2 kept float"; "plain"
/// when nothing does.
QString improvementsOf(const QuantizeOptions& options);
/// Both: "int8 static, equalized".
QString nameOf(const QuantizeOptions& options);
/// "dynamic", "static", "fp16", "weights4": the mode in one word of the command line.
QString wordOf(const QuantizeOptions& options);

/// `lapidary-cli quantize MODEL -o OUT ...`, words not yet quoted.
QStringList quantizeWords(const Quantization& quantization, const QString& model,
                          const QString& output);
/// Of a model that another process can open, else empty: with the recipes tried. `labels`: empty
/// for none.
QString quantizeCommand(const ModelSource& model, const Quantization& quantization,
                        const std::filesystem::path& labels, double budgetSeconds);

}  // namespace lapidary::app
