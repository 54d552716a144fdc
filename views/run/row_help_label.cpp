// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/row_help_label.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <utility>

#include <lapidary/profile/session_overhead.h>

#include "run/verdict_text.h"
#include "theme/theme.h"
#include "widgets/text/quantity.h"
#include "workbench/jobs/checklist.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

using Kind = RowHelp::Kind;

constexpr int combine_ms = 100;            // of changes
constexpr qsizetype longest_reason = 140;  // characters
constexpr double least_left = 1e-3;        // of the run's time, so that a factor is finite

struct RowHelpText {
    Q_DECLARE_TR_FUNCTIONS(RowHelp)
};

QString escaped(const std::string& text, qsizetype most = longest_reason) {
    return labelText(text, most).toHtmlEscaped();
}

QString whatHelps(const RowHelp& help) {
    switch (help.kind) {
    case Kind::level:
        return RowHelpText::tr("a level that fuses nodes leaves fewer kernels to start.");
    case Kind::batch: return RowHelpText::tr("a larger batch shares it among more inferences.");
    case Kind::reference_kernel:
        return RowHelpText::tr("%1 runs on the plain reference kernel: %2.")
            .arg(escaped(help.name), escaped(help.detail));
    case Kind::near_miss:
        return RowHelpText::tr("%1 almost applied: %2.")
            .arg(escaped(help.name), escaped(help.detail));
    case Kind::quantize: break;
    }
    return RowHelpText::tr("weights in 8 bits may shorten it; measuring tells by how much.");
}

/// The page that a link leads to, and its words; "node": the node of the help.
std::pair<QString, QString> linkOf(const RowHelp& help) {
    switch (help.kind) {
    case Kind::level:
    case Kind::near_miss: return {QStringLiteral("optimize"), RowHelpText::tr("Optimize")};
    case Kind::batch: return {QStringLiteral("tune"), RowHelpText::tr("Measure batches")};
    case Kind::reference_kernel:
        return {QStringLiteral("node/%1").arg(help.node.index),
                RowHelpText::tr("Show in the graph")};
    case Kind::quantize: break;
    }
    return {QStringLiteral("quantize"), RowHelpText::tr("Quantize")};
}

}  // namespace

QString helpParagraph(const RowHelp& help) {
    const QString row = help.op == overhead_name ? RowHelpText::tr("Session overhead")
                                                 : operatorWords(help.op).toHtmlEscaped();
    QString text = QStringLiteral("<b>%1</b>, %2: %3")
                       .arg(row, formatRoundPercent(help.share), whatHelps(help));
    if (help.gain > 0)
        text +=
            u' ' + RowHelpText::tr("At most %1 times as fast.")
                       .arg(QLocale().toString(1 / std::max(least_left, 1 - help.gain), 'f', 2));
    const auto [target, words] = linkOf(help);
    return text + QStringLiteral(" <a href=\"%1\">%2</a>").arg(target, words.toHtmlEscaped());
}

RowHelpLabel::RowHelpLabel(app::Workbench& workbench, QWidget* parent)
    : QLabel(parent), workbench_(workbench) {
    setObjectName(QStringLiteral("rowHelp"));
    setAccessibleName(tr("What would help"));
    setTextFormat(Qt::RichText);
    setWordWrap(true);
    setContentsMargins(12, 4, spacing, 4);
    setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    hide();
    refreshing_.setSingleShot(true);
    refreshing_.setInterval(combine_ms);
    connect(&refreshing_, &QTimer::timeout, this, &RowHelpLabel::refresh);
    connect(&workbench_.checklist(), &app::Checklist::changed, this, [this] {
        if (parentWidget() && parentWidget()->isVisible()) refreshSoon();
    });
    connect(this, &QLabel::linkActivated, this, &RowHelpLabel::follow);
}

void RowHelpLabel::setRows(std::shared_ptr<const std::vector<OperatorTotal>> rows) {
    rows_ = std::move(rows);
    refresh();
}

void RowHelpLabel::refreshSoon() {
    if (rows_ && !refreshing_.isActive()) refreshing_.start();
}

void RowHelpLabel::refresh() {
    shown_ = rows_ ? workbench_.checklist().helpFor(*rows_) : std::vector<RowHelp>();
    QStringList paragraphs;
    for (const RowHelp& help : shown_) paragraphs << helpParagraph(help);
    setText(paragraphs.join(QStringLiteral("<br>")));
    setVisible(!shown_.empty());
}

void RowHelpLabel::follow(const QString& link) {
    if (!link.startsWith(QLatin1String("node/"))) return emit pageRequested(link);
    emit nodeRequested(NodeId(link.mid(5).toUInt()));
}

}  // namespace lapidary::views
