// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/values/value_facts.h"

#include <QCoreApplication>

#include <algorithm>

#include "widgets/text/figure.h"
#include "widgets/text/quantity.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

struct ValueFactTexts {
    Q_DECLARE_TR_FUNCTIONS(ValueFacts)
};

QString figure(double value) { return figureText(value, 6); }

QString roleText(const app::InspectedItem& item) {
    if (!item.op.empty()) {
        const QString by = labelText(item.node.empty() ? item.op : item.op + " " + item.node, 160);
        return item.role == "output" ? ValueFactTexts::tr("output of the model, made by %1").arg(by)
                                     : ValueFactTexts::tr("made by %1").arg(by);
    }
    if (item.role == "input") return ValueFactTexts::tr("an input of its graph");
    if (item.role == "constant") return ValueFactTexts::tr("a constant");
    return ValueFactTexts::tr("made by the model");
}

/// "12 (0.4 %)"; "none" for 0.
QString countText(std::int64_t count, std::int64_t elements) {
    if (count == 0) return ValueFactTexts::tr("none");
    return QStringLiteral("%1 (%2)").arg(
        formatCount(count),
        formatPercent(double(count) / double(std::max<std::int64_t>(1, elements))));
}

QString beyondText(const BeyondType& beyond, std::int64_t elements) {
    const std::int64_t all = beyond.too_large + beyond.too_small;
    if (all == 0) return ValueFactTexts::tr("none");
    return ValueFactTexts::tr("%1: %2 too large, %3 too small")
        .arg(formatPercent(double(all) / double(std::max<std::int64_t>(1, elements))),
             formatCount(beyond.too_large), formatCount(beyond.too_small));
}

}  // namespace

std::vector<ValueFact> factsOf(const app::InspectedItem& item) {
    std::vector<ValueFact> facts{
        {ValueFactTexts::tr("Type"), labelText(item.type)},
        {ValueFactTexts::tr("Is"), roleText(item)},
    };
    if (!item.numbers) return facts;
    const TensorStatistics& s = *item.numbers;
    facts.emplace_back(ValueFactTexts::tr("Elements"), formatCount(s.elements));
    if (s.elements > s.nans + s.infinities) {
        facts.emplace_back(ValueFactTexts::tr("Range"),
                           QStringLiteral("%1 … %2").arg(figure(s.minimum), figure(s.maximum)));
        facts.emplace_back(ValueFactTexts::tr("Mean ± deviation"),
                           QStringLiteral("%1 ± %2").arg(figure(s.mean), figure(s.stddev)));
    }
    facts.emplace_back(ValueFactTexts::tr("Zeros"), countText(s.zeros, s.elements));
    facts.emplace_back(ValueFactTexts::tr("NaN"), countText(s.nans, s.elements));
    facts.emplace_back(ValueFactTexts::tr("Infinite"), countText(s.infinities, s.elements));
    facts.emplace_back(ValueFactTexts::tr("Beyond float16"),
                       beyondText(s.beyond_float16, s.elements));
    facts.emplace_back(ValueFactTexts::tr("Beyond bfloat16"),
                       beyondText(s.beyond_bfloat16, s.elements));
    return facts;
}

QString factsHtml(const app::InspectedItem& item) {
    QString html = QStringLiteral("<table cellspacing='0' cellpadding='1'>");
    for (const auto& [what, text] : factsOf(item))
        html += QStringLiteral(
                    "<tr><td style='padding-right:12px; white-space:nowrap'>%1</td>"
                    "<td>%2</td></tr>")
                    .arg(what.toHtmlEscaped(), breakable(text).toHtmlEscaped());
    return html + QStringLiteral("</table>");
}

}  // namespace lapidary::views
