// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/compute_price.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

#include <algorithm>

#include <lapidary/exec/compute.h>

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

QString answersText(const std::vector<OutputComparison>& outputs) {
    std::int64_t all = 0, changed = 0;
    for (const OutputComparison& output : outputs) {
        all += output.answers;
        changed += output.changed_answers;
    }
    if (all == 0) return {};
    return changed == 0
               ? Text::tr("no answer changed")
               : Text::tr("%1 of %2 answers changed").arg(formatCount(changed), formatCount(all));
}

}  // namespace

QString computePriceSentence(const app::ComparisonRecord& record) {
    if (!record.a || !record.b || !record.outputs_compared || record.outputs.empty()) return {};
    const Compute a = computeOf(record.a->recipe), b = computeOf(record.b->recipe);
    if ((a == Compute::exact) == (b == Compute::exact) ||
        withExactWeights(record.a->recipe) != withExactWeights(record.b->recipe))
        return {};
    const bool isB = b != Compute::exact;
    QStringList parts;
    if (record.difference && record.difference->significant &&
        record.difference->ratio.median > 0) {
        const double ratio = record.difference->ratio.median;  // of times, of B by A
        parts << Text::tr("%1 × as fast").arg(QLocale().toString(isB ? 1 / ratio : ratio, 'f', 2));
    }
    const auto worst = std::ranges::min_element(
        record.outputs, {}, [](const OutputComparison& o) { return o.comparison.sqnr_db; });
    parts << (worst->comparison.mismatches == 0 && worst->comparison.max_abs == 0
                  ? Text::tr("the outputs are equal")
                  : Text::tr("SQNR %1").arg(formatDecibels(worst->comparison.sqnr_db)));
    if (const QString answers = answersText(record.outputs); !answers.isEmpty()) parts << answers;
    return Text::tr("%1: %2.").arg(labelText(name_of(isB ? b : a)),
                                   parts.join(QStringLiteral(", ")));
}

}  // namespace lapidary::views
