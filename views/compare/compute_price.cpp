// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/compute_price.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

#include <optional>

#include <lapidary/proof/choose_compute.h>

#include "widgets/text/quantity.h"
#include "workbench/document/variant.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(ComputePrice)
};

Compute computeOf(const app::Recipe& recipe) {
    return recipe.runs_on ? recipe.runs_on->compute : Compute::exact;
}

/// The same, with exact weights on the CPU.
app::Recipe withExactWeights(const app::Recipe& recipe) {
    app::Recipe exact = recipe.running();
    if (exact.runs_on && exact.runs_on->isCpuOfThisProgram()) exact.runs_on.reset();
    return exact;
}

QString answersText(const ComputePrice& price) {
    if (price.answers == 0) return {};
    return price.changed_answers == 0
               ? Text::tr("no answer changed")
               : Text::tr("%1 of %2 answers changed")
                     .arg(formatCount(price.changed_answers), formatCount(price.answers));
}

}  // namespace

Compute roundedOnOneSide(const app::ComparisonRecord& record) {
    if (!record.a || !record.b) return Compute::exact;
    const Compute a = computeOf(record.a->recipe), b = computeOf(record.b->recipe);
    if ((a == Compute::exact) == (b == Compute::exact) ||
        withExactWeights(record.a->recipe) != withExactWeights(record.b->recipe))
        return Compute::exact;
    return b != Compute::exact ? b : a;
}

QString computePriceSentence(const app::ComparisonRecord& record) {
    const Compute compute = roundedOnOneSide(record);
    if (compute == Compute::exact || !record.outputs_compared || record.outputs.empty()) return {};
    const bool isB = computeOf(record.b->recipe) != Compute::exact;
    if (const app::RunRecordPtr& run = isB ? record.run_b : record.run_a;
        run && run->lowered && rounds_nothing(*run->lowered))
        return Text::tr("%1: no weight is large enough; nothing is computed differently.")
            .arg(labelText(name_of(compute)));
    std::optional<double> speedup;
    if (record.difference && record.difference->significant &&
        record.difference->ratio.median > 0) {
        const double ratio = record.difference->ratio.median;  // of times, of B by A
        speedup = isB ? 1 / ratio : ratio;
    }
    const ComputePrice price = price_of(speedup, record.outputs);
    QStringList parts;
    if (price.speedup)
        parts << Text::tr("%1 × as fast").arg(QLocale().toString(*price.speedup, 'f', 2));
    if (price.equal) parts << Text::tr("the outputs are equal");
    else if (price.sqnr_db) parts << Text::tr("SQNR %1").arg(formatDecibels(*price.sqnr_db));
    if (const QString answers = answersText(price); !answers.isEmpty()) parts << answers;
    return Text::tr("%1: %2.").arg(labelText(name_of(compute)), parts.join(QStringLiteral(", ")));
}

}  // namespace lapidary::views
