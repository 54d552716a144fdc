// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/model_difference.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "compare/signed_text.h"
#include "widgets/text/quantity.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

constexpr std::size_t most_operators = 4;  // that are listed
constexpr qsizetype longest_operator = 40;

/// "Conv −2, Relu +1": the operators whose number changed most.
QString operatorChanges(const ModelSummary& before, const ModelSummary& after) {
    std::map<std::string, std::int64_t> changes = after.operators;
    for (const auto& [op, count] : before.operators) changes[op] -= count;
    std::vector<std::pair<std::string, std::int64_t>> sorted(changes.begin(), changes.end());
    std::erase_if(sorted, [](const auto& change) { return change.second == 0; });
    std::ranges::stable_sort(sorted, std::ranges::greater{},
                             [](const auto& change) { return std::abs(change.second); });
    const bool areMore = sorted.size() > most_operators;
    if (areMore) sorted.resize(most_operators);
    QStringList texts;
    for (const auto& [op, change] : sorted)
        texts << labelText(op, longest_operator) + u' ' + signedCount(change);
    if (areMore) texts << QStringLiteral("…");
    return texts.join(QStringLiteral(", "));
}

}  // namespace

QString differenceText(const ModelSummary& before, const ModelSummary& after) {
    QStringList sentences;
    if (const QString operators = operatorChanges(before, after); !operators.isEmpty())
        sentences << QCoreApplication::translate("ModelDifference",
                                                 "Nodes: %1 before, %2 now (%3).")
                         .arg(formatCount(before.nodes), formatCount(after.nodes), operators);
    if (before.weight_bytes != after.weight_bytes)
        sentences << QCoreApplication::translate("ModelDifference", "Weights: %1 before, %2 now.")
                         .arg(formatBytes(before.weight_bytes), formatBytes(after.weight_bytes));
    else if (before.parameters_by_dtype != after.parameters_by_dtype)
        sentences << QCoreApplication::translate("ModelDifference",
                                                 "The weights have other types.");
    if (before.inputs != after.inputs)
        sentences << QCoreApplication::translate("ModelDifference", "The inputs are different.");
    if (before.outputs != after.outputs)
        sentences << QCoreApplication::translate("ModelDifference", "The outputs are different.");
    if (sentences.isEmpty())
        sentences << QCoreApplication::translate(
            "ModelDifference", "Operators, size of the weights, inputs and outputs are as before.");
    return sentences.join(u' ');
}

}  // namespace lapidary::views
