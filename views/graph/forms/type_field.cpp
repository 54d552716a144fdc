// SPDX-License-Identifier: GPL-3.0-or-later
#include "graph/forms/type_field.h"

#include <QHBoxLayout>

#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

/// "float[batch,3]" of a tensor; other types as Lapidary spells them.
QString typeWord(const Type& type) {
    if (!type.is_tensor())
        return type.kind == Type::Kind::unknown ? QString() : exactText(to_string(type));
    QString word = exactText(onnx_name_of(type.dtype));
    if (type.shape) word += exactText(to_string(*type.shape));
    return word;
}

}  // namespace

TypeField::TypeField(const QString& title, const FormModel& model)
    : model_(model), element_(new QComboBox), dimensions_(new QLineEdit) {
    element_->setEditable(true);
    element_->setInsertPolicy(QComboBox::NoInsert);
    element_->setAccessibleName(tr("Element type"));
    element_->lineEdit()->setAccessibleName(tr("Element type"));
    element_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    element_->setMinimumContentsLength(8);
    for (const DType dtype : {DType::f32, DType::f16, DType::bf16, DType::f64, DType::u8, DType::i8,
                              DType::i32, DType::i64, DType::boolean, DType::string})
        element_->addItem(exactText(onnx_name_of(dtype)));
    dimensions_->setAccessibleName(tr("%1: dimensions").arg(title));
    dimensions_->setPlaceholderText(tr("batch, 3, 224, 224; ? is not known; empty: any"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(element_, 1);
    row->addWidget(dimensions_, 2);
    setFocusProxy(dimensions_);
    connect(element_, &QComboBox::currentTextChanged, this, &PlaceField::changed);
    connect(dimensions_, &QLineEdit::textChanged, this, &PlaceField::changed);
    connect(element_->lineEdit(), &QLineEdit::textEdited, this, [this] { isEntered_ = true; });
    connect(element_, &QComboBox::activated, this, [this] { isEntered_ = true; });
    connect(dimensions_, &QLineEdit::textEdited, this, [this] { isEntered_ = true; });
}

QString TypeField::word() const {
    const QString element = element_->currentText().trimmed();
    QString dimensions = dimensions_->text();
    dimensions.remove(u' ').remove(u'[').remove(u']');
    return element.isEmpty() || dimensions.isEmpty() ? element : element + u'[' + dimensions + u']';
}

void TypeField::setWord(const QString& word) {
    const qsizetype bracket = word.contains(u'(') ? -1 : word.indexOf(u'[');
    QString dimensions = bracket < 0 ? QString() : word.mid(bracket + 1);
    if (dimensions.endsWith(u']')) dimensions.chop(1);
    element_->setEditText(bracket < 0 ? word : word.left(bracket));
    dimensions_->setText(dimensions.replace(u',', QStringLiteral(", ")));
    isEntered_ = true;
}

void TypeField::useName(const QString& word) {
    const ValueId id = model_.value(word);
    const QString type = id ? typeWord(model_.graph().value(id).type) : QString();
    present_ = QString(type).remove(u' ');
    if (isEntered_ || !id) return;
    setWord(type);
    isEntered_ = false;
}

}  // namespace lapidary::views
