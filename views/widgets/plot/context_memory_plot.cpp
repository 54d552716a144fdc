// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/context_memory_plot.h"

#include <QCoreApplication>
#include <QVector>

#include "widgets/plot/plot.h"
#include "widgets/text/quantity.h"

namespace lapidary::views {
namespace {

struct ContextMemoryTexts {
    Q_DECLARE_TR_FUNCTIONS(ContextMemory)
};

}  // namespace

std::uint64_t contextMemoryBytes(const DecoderMemory& memory, const ContextMemory& point) {
    return memory.weight_bytes + point.cache_bytes + point.activation_bytes;
}

QString contextMemorySum(const DecoderMemory& memory, const ContextMemory& point) {
    const QString context = formatCount(point.context), weights = formatBytes(memory.weight_bytes);
    const QString activations = formatBytes(point.activation_bytes);
    const QString sum = formatBytes(contextMemoryBytes(memory, point));
    if (memory.cache_row_bytes == 0)
        return ContextMemoryTexts::tr(
                   "At %1 tokens of context: weights %2 + activations %3 = %4. There are no "
                   "caches: the whole context is computed again for each token.")
            .arg(context, weights, activations, sum);
    return ContextMemoryTexts::tr(
               "At %1 tokens of context: weights %2 + caches %3 + activations %4 = %5.")
        .arg(context, weights, formatBytes(point.cache_bytes), activations, sum);
}

QString contextMemoryLeftOut() {
    return ContextMemoryTexts::tr(
        "Not counted, but part of the process: the program itself, the graph and its plan, packed "
        "copies of weights, inputs.");
}

void drawContextMemory(Plot& plot, const DecoderMemory& memory, const QString& name) {
    QVector<double> contexts, bytes;
    for (const ContextMemory& point : memory.points) {
        contexts.append(double(point.context));
        bytes.append(double(contextMemoryBytes(memory, point)));
    }
    if (contexts.isEmpty()) return;
    const QString parts = memory.cache_row_bytes > 0
                              ? ContextMemoryTexts::tr("weights + caches + activations")
                              : ContextMemoryTexts::tr("weights + activations");
    plot.setLine(contexts, bytes, name.isEmpty() ? parts : name);
}

void drawWeights(Plot& plot, const DecoderMemory& memory) {
    plot.addLevel(double(memory.weight_bytes), ContextMemoryTexts::tr("weights"));
}

}  // namespace lapidary::views
