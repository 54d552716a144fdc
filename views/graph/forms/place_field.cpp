// SPDX-License-Identifier: GPL-3.0-or-later
#include "graph/forms/place_field.h"

#include <QCompleter>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QPushButton>

#include <algorithm>

#include <lapidary/edit/edit_operators.h>
#include <lapidary/edit/edit_script.h>

#include "theme/theme.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

constexpr int narrowestField = 12;  // letters that a list of names asks room for

QHBoxLayout* rowIn(QWidget* owner) {
    auto* row = new QHBoxLayout(owner);
    row->setContentsMargins(0, 0, 0, 0);
    return row;
}

/// Parts between commas that stand outside of quotes and brackets.
QStringList splitSelections(const QString& text) {
    QStringList parts(QString{});
    int depth = 0;
    bool isQuoted = false;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar c = text[i];
        if (isQuoted && c == u'\\' && i + 1 < text.size()) {
            parts.last() += c;
            parts.last() += text[++i];
            continue;
        }
        if (c == u'"') isQuoted = !isQuoted;
        else if (!isQuoted && QStringLiteral("([{").contains(c)) ++depth;
        else if (!isQuoted && QStringLiteral(")]}").contains(c)) --depth;
        if (c == u',' && !isQuoted && depth == 0) parts.append(QString());
        else parts.last() += c;
    }
    for (QString& part : parts) part = part.trimmed();
    parts.removeAll(QString());
    return parts;
}

}  // namespace

QString styledWord(const QString& text, WordStyle style) {
    const QString plain = style == WordStyle::text ? text : text.trimmed();
    if (plain.isEmpty() || style == WordStyle::asWritten) return plain;
    if (style != WordStyle::text && plain.size() > 1 && plain.startsWith(u'"') &&
        plain.endsWith(u'"'))
        return plain;
    if (style == WordStyle::value && plain.startsWith(u'[')) return plain;
    if (style == WordStyle::pattern) {
        QString letters = plain;
        letters.replace(u'*', u'x').replace(u'?', u'x');
        if (exactText(edit_word(letters.toStdString())) == letters) return plain;
    }
    return exactText(edit_word(plain.toStdString()));
}

TextField::TextField(const QString& title, WordStyle style, const QString& example)
    : text_(new QLineEdit), style_(style) {
    text_->setAccessibleName(title);
    text_->setPlaceholderText(example);
    rowIn(this)->addWidget(text_);
    setFocusProxy(text_);
    connect(text_, &QLineEdit::textChanged, this, &PlaceField::changed);
}

void TextField::setWord(const QString& word) { text_->setText(word); }

NameField::NameField(const QString& title, WordStyle style, NamedWords names)
    : box_(new QComboBox), style_(style) {
    box_->setEditable(true);
    box_->setInsertPolicy(QComboBox::NoInsert);
    box_->setAccessibleName(title);
    box_->lineEdit()->setAccessibleName(title);
    box_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box_->setMinimumContentsLength(narrowestField);
    box_->completer()->setFilterMode(Qt::MatchContains);
    box_->completer()->setCompletionMode(QCompleter::PopupCompletion);
    rowIn(this)->addWidget(box_);
    setFocusProxy(box_);
    setNames(std::move(names));
    connect(box_, &QComboBox::editTextChanged, this, &PlaceField::changed);
    connect(box_, &QComboBox::currentIndexChanged, this, &PlaceField::changed);
}

void NameField::takeList() {
    isList_ = true;
    connect(box_->lineEdit(), &QLineEdit::textEdited, this,
            [this](const QString& text) { listText_ = text; });
    connect(box_, &QComboBox::activated, this, [this](int row) {
        const QString added = box_->itemText(row);
        listText_ =
            listText_.trimmed().isEmpty() ? added : listText_ + QStringLiteral(", ") + added;
        box_->setEditText(listText_);
    });
}

void NameField::setNames(NamedWords names) {
    const QString kept = box_->currentText();
    const QSignalBlocker quiet(box_);
    box_->clear();
    for (const NamedWord& name : names) box_->addItem(name.shown, name.word);
    box_->setCurrentIndex(box_->findText(kept));
    box_->setEditText(kept);
}

int NameField::chosenRow() const {
    const QString shown = box_->currentText();
    if (shown.isEmpty() || shown == given_.shown) return -1;
    // two names may look the same where they are long: the chosen one counts
    const int row = box_->currentIndex();
    if (row >= 0 && box_->itemText(row) == shown) return row;
    return box_->findText(shown, Qt::MatchExactly | Qt::MatchCaseSensitive);
}

QString NameField::word() const {
    const QString shown = box_->currentText();
    if (!shown.isEmpty() && shown == given_.shown) return given_.word;
    const int row = chosenRow();
    if (row >= 0) return box_->itemData(row).toString();
    if (!isList_) return styledWord(shown, style_);
    QStringList parts = splitSelections(shown);
    for (QString& part : parts) part = wordOf(part);
    return parts.join(QStringLiteral(", "));
}

/// Of one element of a list.
QString NameField::wordOf(const QString& shown) const {
    const int row = box_->findText(shown, Qt::MatchExactly | Qt::MatchCaseSensitive);
    return row >= 0 ? box_->itemData(row).toString() : styledWord(shown, style_);
}

void NameField::setWord(const QString& word) {
    if (isList_) listText_ = labelText(word);
    const int row = box_->findData(word);
    if (row >= 0) {
        box_->setCurrentIndex(row);
        box_->setEditText(box_->itemText(row));
        return;
    }
    given_ = {labelText(word), word};
    // a shortened text stands for the whole word only while it stays as it is
    if (given_.shown == word) given_ = {};
    box_->setEditText(labelText(word));
}

KeywordNameField::KeywordNameField(const QString& title, WordStyle style, const FormModel& model)
    : NameField(title, style, {}), model_(model) {}

void KeywordNameField::useKeyword(const QString& keyword) {
    using Names = FormModel::Names;
    static const std::pair<const char*, Names> kinds[] = {
        {"node", Names::nodes},    {"before", Names::nodes},   {"after", Names::nodes},
        {"on", Names::values},     {"value", Names::values},   {"input", Names::inputs},
        {"inputs", Names::inputs}, {"output", Names::outputs}, {"outputs", Names::outputs},
        {"scope", Names::none},
    };
    for (const auto& [word, names] : kinds)
        if (keyword == QLatin1String(word)) setNames(model_.names(names));
}

InputField::InputField(const QString& title, const FormModel& model)
    : NameField(title, WordStyle::name, {}), model_(model) {}

/// "A (reads input)"; of an operator without a schema: numbers.
void InputField::useName(const QString& word) {
    const NodeId id = model_.node(word);
    if (!id) return setNames({});
    const Node& node = model_.graph().node(id);
    const auto form = operator_form(node.domain, node.op_type, node.version);
    NamedWords names;
    const std::size_t known = form ? form->inputs.size() : 0;
    for (std::size_t i = 0; i < std::max(known, node.inputs.size()); ++i) {
        const bool isNamed = i < known && !form->inputs[i].is_variadic;
        const QString name =
            isNamed ? exactText(form->inputs[i].name) : QString::number(qulonglong(i));
        const bool reads = i < node.inputs.size() && node.inputs[i];
        names.push_back(
            {reads ? tr("%1 (reads %2)")
                         .arg(labelText(name), labelText(model_.graph().value(node.inputs[i]).name))
                   : labelText(name),
             name});
    }
    setNames(std::move(names));
}

NumberField::NumberField(const QString& title, int least, int most, int value)
    : number_(new QSpinBox) {
    number_->setRange(least, most);
    number_->setValue(value);
    number_->setAccessibleName(title);
    QHBoxLayout* row = rowIn(this);
    row->addWidget(number_);
    row->addStretch(1);
    setFocusProxy(number_);
    connect(number_, &QSpinBox::valueChanged, this, &PlaceField::changed);
}

ShareField::ShareField(const QString& title, double value) : share_(new QDoubleSpinBox) {
    share_->setRange(0, 1);
    share_->setDecimals(3);
    share_->setSingleStep(0.05);
    share_->setValue(value);
    share_->setAccessibleName(title);
    QHBoxLayout* row = rowIn(this);
    row->addWidget(share_);
    row->addStretch(1);
    setFocusProxy(share_);
    connect(share_, &QDoubleSpinBox::valueChanged, this, &PlaceField::changed);
}

FileField::FileField(const QString& title, Use use, const QString& filter)
    : path_(new QLineEdit), use_(use), title_(title), filter_(filter) {
    path_->setAccessibleName(title);
    auto* find = new QPushButton(tr("Browse …"));
    find->setAutoDefault(false);
    find->setAccessibleName(tr("%1: look for a file").arg(title));
    QHBoxLayout* row = rowIn(this);
    row->addWidget(path_, 1);
    row->addWidget(find);
    setFocusProxy(path_);
    connect(path_, &QLineEdit::textChanged, this, &PlaceField::changed);
    connect(find, &QPushButton::clicked, this, &FileField::choose);
}

QString FileField::word() const {
    return styledWord(path(), use_ == Use::readOrValue ? WordStyle::value : WordStyle::name);
}

void FileField::setWord(const QString& word) { path_->setText(word); }

void FileField::choose() {
    auto* dialog = new QFileDialog(this, title_);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(use_ == Use::write ? QFileDialog::AnyFile : QFileDialog::ExistingFile);
    if (use_ == Use::write) dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters({filter_, tr("All files (*)")});
    connect(dialog, &QFileDialog::fileSelected, path_, &QLineEdit::setText);
    dialog->open();
}

}  // namespace lapidary::views
