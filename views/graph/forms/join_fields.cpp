// SPDX-License-Identifier: GPL-3.0-or-later
#include "graph/forms/join_fields.h"

#include <QFileInfo>
#include <QFormLayout>
#include <QHeaderView>
#include <QVBoxLayout>

#include <algorithm>

#include <lapidary/base/error.h>

#include "graph/forms/place_words.h"
#include "theme/theme.h"
#include "widgets/tab_order.h"
#include "workbench/text/bounded_text.h"
#include "worker/jobs/open_job.h"

namespace lapidary::views {
namespace {

constexpr int inputRole = Qt::UserRole + 1;  // the word for an input of the other model
constexpr std::size_t mostPairs = 200;       // inputs that get a box

QString joinTitle(const char* place) {
    return placeTitle(QStringLiteral("join"), QString::fromLatin1(place));
}

}  // namespace

JoinFields::JoinFields(app::Workbench& workbench, const FormModel& model)
    : workbench_(workbench), model_(model),
      file_(new FileField(joinTitle("FILE"), FileField::Use::read, tr("Models (*.onnx)"))),
      prefix_(new TextField(joinTitle("PREFIX"), WordStyle::name, QStringLiteral("decoder/"))),
      byNames_(new QCheckBox(tr("Connect equal names"))), sentence_(new QLabel),
      pairs_(new QTreeWidget) {
    file_->setObjectName(QStringLiteral("place_FILE"));
    prefix_->setObjectName(QStringLiteral("place_PREFIX"));
    byNames_->setObjectName(QStringLiteral("joinByNames"));
    byNames_->setChecked(true);
    sentence_->setObjectName(QStringLiteral("joinSentence"));
    sentence_->setTextFormat(Qt::PlainText);
    sentence_->setWordWrap(true);
    pairs_->setObjectName(QStringLiteral("joinPairs"));
    pairs_->setAccessibleName(joinTitle("PAIRS"));
    pairs_->setHeaderLabels({tr("Input of the file"), tr("Type"), tr("Output of this model")});
    pairs_->setRootIsDecorated(false);
    pairs_->setSelectionMode(QAbstractItemView::NoSelection);
    pairs_->setFocusPolicy(Qt::NoFocus);  // the boxes in it have the focus
    pairs_->setMinimumHeight(fontMetrics().lineSpacing() * 6);
    pairs_->setEnabled(false);
    auto* rows = new QFormLayout;
    rows->setRowWrapPolicy(QFormLayout::WrapLongRows);
    rows->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    rows->addRow(joinTitle("FILE"), file_);
    rows->addRow(joinTitle("PREFIX"), prefix_);
    rows->addRow(byNames_);
    auto* column = new QVBoxLayout(this);
    column->addLayout(rows);
    column->addWidget(sentence_);
    column->addWidget(pairs_, 1);
    prefix_->setToolTip(tr("Stands before all names of the file, where both models have one"));
    setFocusProxy(file_);
    connect(file_, &PlaceField::changed, this, &JoinFields::readFile);
    connect(prefix_, &PlaceField::changed, this, &EditFields::changed);
    connect(byNames_, &QCheckBox::toggled, this, [this](bool checked) {
        pairs_->setEnabled(!checked);
        emit changed();
    });
}

void JoinFields::readFile() {
    pairs_->clear();
    sentence_->clear();
    read_.clear();
    reading_.drop();
    emit changed();
    const QString path = file_->path();
    if (path.isEmpty()) return;
    std::filesystem::path file = toPath(path);
    if (file.is_relative()) file = model_.model().path.parent_path() / file;
    if (!QFileInfo(exactText(file.string())).isFile()) return;
    app::ModelSource source;
    source.file = file;
    sentence_->setText(tr("Reading the file …"));
    reading_.start<app::OpenedFile>(
        workbench_.jobs(), tr("Look at %1").arg(labelText(file.filename().string(), 60)),
        [&engine = workbench_.engine(), source](const Progress& progress) {
            return open_model(engine, source, progress);
        },
        [this, path](const app::OpenedFile& opened) {
            read_ = path;
            showInputs(*opened.model);
        },
        [this](const Error& error) {
            if (error.code() != ErrorCode::cancelled)
                sentence_->setText(QStringLiteral("✕ ") + sentenceText(error.what()));
        });
}

void JoinFields::showInputs(const Model& other) {
    const NamedWords outputs = model_.names(FormModel::Names::outputs);
    std::size_t shown = 0;
    QList<QWidget*> boxes;
    for (const ValueId id : other.graph.inputs()) {
        const Value& value = other.graph.value(id);
        if (value.constant || ++shown > mostPairs) continue;
        const NamedWord name = namedWord(value.name);
        auto* row =
            new QTreeWidgetItem(pairs_, {name.shown, labelText(to_string(value.type)), QString()});
        row->setData(0, inputRole, name.word);
        auto* box = new QComboBox;
        box->setAccessibleName(tr("Output for %1").arg(name.shown));
        box->addItem(tr("stays an input"));
        for (const NamedWord& output : outputs) box->addItem(output.shown, output.word);
        box->setCurrentIndex(std::max(0, box->findData(name.word)));
        pairs_->setItemWidget(row, 2, box);
        boxes << box;
        connect(box, &QComboBox::currentIndexChanged, this, &EditFields::changed);
    }
    setTabOrderWithin(pairs_, boxes);
    for (int column = 0; column < 2; ++column) pairs_->resizeColumnToContents(column);
    const bool anyEqual = !chosenPairs().isEmpty();
    sentence_->setText(anyEqual
                           ? tr("Outputs and inputs of equal names are connected.")
                           : tr("No input of the file has the name of an output: choose pairs."));
    byNames_->setChecked(anyEqual);
    emit changed();
}

QStringList JoinFields::chosenPairs() const {
    QStringList pairs;
    for (int i = 0; i < pairs_->topLevelItemCount(); ++i) {
        QTreeWidgetItem* row = pairs_->topLevelItem(i);
        const auto* box = qobject_cast<const QComboBox*>(pairs_->itemWidget(row, 2));
        if (box && box->currentIndex() > 0)
            pairs << box->currentData().toString() + QStringLiteral(" -> ") +
                         row->data(0, inputRole).toString();
    }
    return pairs;
}

QStringList JoinFields::missing() const {
    QStringList names;
    if (file_->word().isEmpty()) names << joinTitle("FILE");
    else if (!byNames_->isChecked() && chosenPairs().isEmpty()) names << joinTitle("PAIRS");
    return names;
}

QString JoinFields::lines() const {
    if (!missing().isEmpty()) return {};
    QString line = QStringLiteral("join ") + file_->word();
    if (!prefix_->word().isEmpty()) line += QStringLiteral(" prefix ") + prefix_->word();
    if (!byNames_->isChecked())
        line += QStringLiteral(" with ") + chosenPairs().join(QStringLiteral(", "));
    return line;
}

}  // namespace lapidary::views
