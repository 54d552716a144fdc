// SPDX-License-Identifier: GPL-3.0-or-later
#include "graph/forms/rename_fields.h"

#include <QFormLayout>
#include <QHeaderView>
#include <QRegularExpression>
#include <QVBoxLayout>

#include "graph/forms/place_words.h"
#include "widgets/text/quantity.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

constexpr int mostHits = 200;  // that are listed

/// A pattern in which each * is any text, the shortest first.
QRegularExpression starPattern(const QString& pattern) {
    QStringList parts = pattern.split(u'*');
    for (QString& part : parts) part = QRegularExpression::escape(part);
    return QRegularExpression(
        QRegularExpression::anchoredPattern(parts.join(QStringLiteral("(.*?)"))));
}

/// The text with what the stars of the match stand for in place of its own.
QString withStars(const QString& text, const QRegularExpressionMatch& match) {
    QString result;
    int star = 0;
    for (const QChar c : text)
        if (c == u'*') result += match.captured(++star);
        else result += c;
    return result;
}

/// A row for each name that changes, with its new one.
QTreeWidget* makeHits() {
    auto* hits = new QTreeWidget;
    hits->setObjectName(QStringLiteral("renameHits"));
    hits->setAccessibleName(RenameFields::tr("Names that change"));
    hits->setHeaderLabels({RenameFields::tr("Name"), RenameFields::tr("New name")});
    hits->setRootIsDecorated(false);
    hits->setUniformRowHeights(true);
    hits->setMinimumHeight(hits->fontMetrics().lineSpacing() * 5);
    hits->header()->setSectionResizeMode(QHeaderView::Stretch);
    return hits;
}

}  // namespace

RenameFields::RenameFields(const QString& form, const FormModel& model, const EditTarget& target)
    : model_(model), plain_(new PlainFields(form, model, target)), sentence_(new QLabel),
      hits_(makeHits()) {
    sentence_->setObjectName(QStringLiteral("renameSentence"));
    sentence_->setTextFormat(Qt::PlainText);
    sentence_->setWordWrap(true);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(plain_);
    column->addWidget(sentence_);
    column->addWidget(hits_, 1);
    setFocusProxy(plain_);
    connect(plain_, &EditFields::changed, this, [this] {
        showHits();
        emit changed();
    });
    showHits();
}

bool RenameFields::changesNothing() const {
    const QString from = plain_->field(QStringLiteral("FROM"))->word();
    return !from.isEmpty() && from == plain_->field(QStringLiteral("TO"))->word();
}

void RenameFields::showHits() {
    using Names = FormModel::Names;
    hits_->clear();
    const auto* kinds =
        findChild<QComboBox*>(QStringLiteral("choice_node_value_input_output_scope"));
    const QString kind = kinds ? kinds->currentText() : QString();
    const QString from = plain_->field(QStringLiteral("FROM"))->word();
    const QString to = plain_->field(QStringLiteral("TO"))->word();
    const bool isLiteral = !from.contains(u'*') || from.startsWith(u'"');
    sentence_->setVisible(!from.isEmpty() && kind != QLatin1String("scope") && !changesNothing());
    hits_->setVisible(sentence_->isVisibleTo(this));
    if (!sentence_->isVisibleTo(this)) return;
    const QRegularExpression pattern = starPattern(from);
    qint64 count = 0;
    for (const NamedWord& name : model_.names(kind == QLatin1String("node")     ? Names::nodes
                                              : kind == QLatin1String("input")  ? Names::inputs
                                              : kind == QLatin1String("output") ? Names::outputs
                                                                                : Names::values)) {
        QString renamed = to;
        if (isLiteral) {
            if (name.word != from) continue;
        } else {
            const QRegularExpressionMatch match = pattern.match(name.shown);
            if (!match.hasMatch()) continue;
            renamed = withStars(to, match);
        }
        if (++count <= mostHits) new QTreeWidgetItem(hits_, {name.shown, labelText(renamed)});
    }
    sentence_->setText(count == 0 ? tr("No name fits.")
                                  : tr("Names that change: %1").arg(formatCount(count)));
}

RenameEachFields::RenameEachFields(const QString& form, const FormModel& model,
                                   const EditTarget& target)
    : to_(new TextField(placeTitle(form, QStringLiteral("TO")), WordStyle::asWritten,
                        QStringLiteral("encoder_*"))),
      hits_(makeHits()) {
    for (const QString& word : target.nodes) {
        const NodeId id = model.node(word);
        const Node* node = id ? &model.graph().node(id) : nullptr;
        nodes_.push_back({!node                ? word
                          : node->name.empty() ? exactText(node->op_type)
                                               : exactText(node->name),
                          word});
    }
    to_->setObjectName(QStringLiteral("place_TO"));
    to_->setWord(QStringLiteral("*"));
    auto* sentence = new QLabel(
        tr("* stands for the name that a node has now. Without it the nodes are numbered."));
    sentence->setTextFormat(Qt::PlainText);
    sentence->setWordWrap(true);
    auto* rows = new QFormLayout;
    rows->setRowWrapPolicy(QFormLayout::WrapLongRows);
    rows->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    rows->addRow(placeTitle(form, QStringLiteral("TO")), to_);
    auto* column = new QVBoxLayout(this);
    column->addLayout(rows);
    column->addWidget(sentence);
    column->addWidget(hits_, 1);
    setFocusProxy(to_);
    connect(to_, &PlaceField::changed, this, [this] {
        showHits();
        emit changed();
    });
    showHits();
}

QString RenameEachFields::newName(std::size_t node) const {
    QString name = to_->word();
    return name.contains(u'*') ? name.replace(u'*', nodes_[node].shown)
                               : name + u'_' + QString::number(node + 1);
}

void RenameEachFields::showHits() {
    hits_->clear();
    if (!missing().isEmpty()) return;
    for (std::size_t i = 0; i < nodes_.size() && i < std::size_t(mostHits); ++i)
        new QTreeWidgetItem(hits_, {labelText(nodes_[i].shown), labelText(newName(i))});
}

QStringList RenameEachFields::missing() const {
    if (!to_->word().isEmpty()) return {};
    return {placeTitle(QStringLiteral("rename"), QStringLiteral("TO"))};
}

bool RenameEachFields::changesNothing() const { return to_->word() == QLatin1String("*"); }

QString RenameEachFields::lines() const {
    if (!missing().isEmpty()) return {};
    QStringList lines;
    for (std::size_t i = 0; i < nodes_.size(); ++i)
        lines << QStringList{QStringLiteral("rename"), QStringLiteral("node"), nodes_[i].word,
                             QStringLiteral("->"), styledWord(newName(i), WordStyle::name)}
                     .join(u' ');
    return lines.join(u'\n');
}

}  // namespace lapidary::views
