// SPDX-License-Identifier: GPL-3.0-or-later
#include "optimize/rewrite_text.h"

#include <QCoreApplication>

#include <algorithm>

#include "optimize/rewrite_words.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

constexpr qsizetype longest_place = 80;  // characters

/// The scope of a name: without the part after the last slash and without a leading slash.
QString scopeOf(const QString& name) {
    const QString scope = name.section(u'/', 0, -2);
    return scope.startsWith(u'/') ? scope.mid(1) : scope;
}

}  // namespace

QString remarkOf(const AppliedRewrite& applied) {
    const Rewrite& rewrite = applied.rewrite;
    if (!rewrite.remark.empty()) return labelText(rewrite.remark);
    if (rewrite.added.empty())
        return QCoreApplication::translate("ChangeModel", "%n node(s) removed", nullptr,
                                           int(rewrite.removed.size()));
    return QCoreApplication::translate("ChangeModel", "%n node(s) became %1", nullptr,
                                       int(rewrite.removed.size()))
        .arg(rewrite.added.size());
}

QString placeOf(const app::Variant& variant, const AppliedRewrite& applied) {
    if (!applied.place.is_main()) return labelText(applied.place.text(), longest_place);
    if (variant.recipe.quantization) return {};  // origins are nodes of the quantized model
    const bool isOfEdits = !variant.recipe.edits.empty() && variant.parent;
    const Graph& original =
        isOfEdits ? variant.parent->model->graph : app::originalOf(variant).model->graph;
    QString common, first;
    for (const NodeId origin : applied.rewrite.origins) {
        if (!original.is_alive(origin) || original.node(origin).name.empty()) continue;
        const QString name = exactText(original.node(origin).name).left(longest_place);
        if (first.isEmpty()) {
            first = name;
            common = scopeOf(name);
            continue;
        }
        const QString other = scopeOf(name) + u'/';
        while (!common.isEmpty() && !other.startsWith(common + u'/'))
            common = common.section(u'/', 0, -2);
    }
    return labelText(common.isEmpty() ? first : common, longest_place);
}

QString describeRewrite(const app::Variant& variant, std::size_t step) {
    if (step == 0 || step > variant.report.rewrites.size()) return {};
    const AppliedRewrite& applied = variant.report.rewrites[step - 1];
    QString line = QStringLiteral("%1: %2").arg(labelText(applied.rewrite.pass), remarkOf(applied));
    if (!applied.place.is_main())
        line += QCoreApplication::translate("ChangeModel", " in %1")
                    .arg(labelText(applied.place.text()));
    if (applied.level == Level::session)
        line += QCoreApplication::translate(
            "ChangeModel", " (a session does this to its own copy; no file holds it)");
    return line;
}

QString rewriteLine(const app::Variant& variant, const AppliedRewrite& applied) {
    // the line of an edit names its place itself
    const bool isEdit = kindOf(applied.rewrite.pass) == RewriteKind::edit;
    const QString place = isEdit ? QString() : placeOf(variant, applied);
    return place.isEmpty() ? remarkOf(applied)
                           : QStringLiteral("%1: %2").arg(place, remarkOf(applied));
}

}  // namespace lapidary::views
