// SPDX-License-Identifier: GPL-3.0-or-later
#include "graph/forms/weight_fields.h"

#include <QFormLayout>
#include <QLabel>
#include <QStackedWidget>
#include <QVBoxLayout>

#include "graph/forms/make_place_field.h"
#include "graph/forms/place_words.h"
#include "widgets/text/quantity.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

const QString fileForm = QStringLiteral("weight NAME = FILE");
const QString orderForm = QStringLiteral("weight NAME transpose AXES,... [plain]");
const QString castForm = QStringLiteral("weight NAME cast TYPE");

/// "1, 0": the axes the other way around, as products want them.
QString reversedAxes(std::size_t rank) {
    QStringList axes;
    for (std::size_t axis = rank; axis-- > 0;) axes << QString::number(axis);
    return axes.join(QStringLiteral(", "));
}

QFormLayout* wrappingRows(QWidget* owner) {
    auto* rows = new QFormLayout(owner);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setRowWrapPolicy(QFormLayout::WrapLongRows);
    rows->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    return rows;
}

QString placeName(const char* place) {
    return placeTitle(QStringLiteral("weight"), QString::fromLatin1(place));
}

}  // namespace

WeightFields::WeightFields(const QString& form, const FormModel& model, const EditTarget& target)
    : model_(model), change_(new QComboBox), pages_(new QStackedWidget),
      plain_(new QCheckBox(tr("Nodes read it transposed"))), facts_(new QLabel) {
    const auto make = [&](const QString& of, const char* place, FormPart::Kind kind) {
        PlaceField* field = makePlaceField(of, QString::fromLatin1(place), kind, model, target);
        connect(field, &PlaceField::changed, this, &EditFields::changed);
        return field;
    };
    weight_ = make(fileForm, "NAME", FormPart::Kind::place);
    file_ = make(fileForm, "FILE", FormPart::Kind::place);
    axes_ = make(orderForm, "AXES", FormPart::Kind::list);
    type_ = make(castForm, "TYPE", FormPart::Kind::place);
    facts_->setObjectName(QStringLiteral("weightFacts"));
    facts_->setTextFormat(Qt::PlainText);
    facts_->setWordWrap(true);
    change_->setObjectName(QStringLiteral("weightChange"));
    change_->setAccessibleName(tr("What to do with it"));
    change_->addItems({tr("Take the values of a file"), tr("Transpose"), tr("Cast")});
    change_->setCurrentIndex(form == castForm ? casted : form == orderForm ? transposed : replaced);
    plain_->setObjectName(QStringLiteral("wanted_plain"));
    plain_->setToolTip(tr("Otherwise they get the old order, and results stay"));
    for (int page = replaced; page <= casted; ++page) {
        auto* part = new QWidget;
        QFormLayout* rows = wrappingRows(part);
        if (page == replaced) rows->addRow(placeName("FILE"), file_);
        if (page == transposed) {
            rows->addRow(placeName("AXES"), axes_);
            rows->addRow(plain_);
        }
        if (page == casted) rows->addRow(placeName("TYPE"), type_);
        pages_->addWidget(part);
    }
    auto* rows = new QWidget;
    QFormLayout* top = wrappingRows(rows);
    top->addRow(placeName("NAME"), weight_);
    top->addRow(facts_);
    top->addRow(tr("What to do with it"), change_);
    auto* column = new QVBoxLayout(this);
    column->addWidget(rows);
    column->addWidget(pages_);
    column->addStretch(1);
    pages_->setCurrentIndex(change_->currentIndex());
    connect(change_, &QComboBox::currentIndexChanged, this, [this](int page) {
        pages_->setCurrentIndex(page);
        emit changed();
    });
    connect(plain_, &QCheckBox::toggled, this, &EditFields::changed);
    connect(weight_, &PlaceField::changed, this, &WeightFields::showWeight);
    showWeight();
    setFocusProxy(weight_->word().isEmpty() ? weight_ : field());
}

void WeightFields::showWeight() {
    if (weight_->word() == shown_ && !shown_.isEmpty()) return;
    shown_ = weight_->word();
    const ValueId id = model_.value(shown_);
    const Value* value = id ? &model_.graph().value(id) : nullptr;
    if (!value || !value->constant) {
        facts_->setText(shown_.isEmpty() ? tr("Name a constant.")
                                         : tr("The model has no constant of this name."));
        return;
    }
    const Tensor& tensor = *value->constant;
    facts_->setText(tr("%1, %2, readers: %3")
                        .arg(labelText(to_string(value->type)), formatBytes(tensor.byte_size()),
                             formatCount(qint64(value->uses.size()))));
    if (axes_->word().isEmpty()) axes_->setWord(reversedAxes(std::size_t(tensor.rank())));
}

PlaceField* WeightFields::field() const {
    return change_->currentIndex() == casted       ? type_
           : change_->currentIndex() == transposed ? axes_
                                                   : file_;
}

QStringList WeightFields::missing() const {
    QStringList names;
    if (weight_->word().isEmpty()) names << placeName("NAME");
    if (field()->word().isEmpty())
        names << placeName(field() == type_ ? "TYPE" : field() == axes_ ? "AXES" : "FILE");
    return names;
}

QString WeightFields::lines() const {
    if (!missing().isEmpty()) return {};
    const QString start = QStringLiteral("weight ") + weight_->word();
    if (field() == type_) return start + QStringLiteral(" cast ") + type_->word();
    if (field() == file_) return start + QStringLiteral(" = ") + file_->word();
    return start + QStringLiteral(" transpose ") + axes_->word() +
           (plain_->isChecked() ? QStringLiteral(" plain") : QString());
}

}  // namespace lapidary::views
