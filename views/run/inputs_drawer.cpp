// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/inputs_drawer.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QImage>
#include <QMimeData>
#include <QPainter>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>

#include "theme/theme.h"
#include "widgets/choices/model_choices.h"
#include "widgets/choices/slot_bar.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

constexpr int picture_side = 96;
constexpr int most_rows_seen = 4;  // without scrolling
const char* const input_endings[] = {"npy", "npz", "pb", "png", "jpg", "jpeg", "txt"};

QString number(double value) { return QLocale().toString(value, 'g', 4); }

QString sourceText(const app::PreviewedInput& input) {
    if (!input.failure.empty()) return InputsDrawer::tr("cannot be read");
    if (input.source.empty()) return InputsDrawer::tr("generated");
    if (input.source == app::given_text_source) return InputsDrawer::tr("the text below");
    return cellText(input.source);
}

const Column<app::PreviewedInput> input_columns[] = {
    {QT_TRANSLATE_NOOP("Columns", "Input"),
     [](const app::PreviewedInput& i) -> QVariant { return cellText(i.name); }},
    {QT_TRANSLATE_NOOP("Columns", "Type"),
     [](const app::PreviewedInput& i) -> QVariant { return cellText(i.type); }},
    {QT_TRANSLATE_NOOP("Columns", "From"),
     [](const app::PreviewedInput& i) -> QVariant { return sourceText(i); },
     {},
     [](const app::PreviewedInput& i) {
         return i.failure.empty() ? sourceText(i) : tipText(i.failure);
     }},
    {QT_TRANSLATE_NOOP("Columns", "Range"),
     [](const app::PreviewedInput& i) -> QVariant { return i.high - i.low; },
     [](const app::PreviewedInput& i) {
         return i.failure.empty() ? QStringLiteral("%1 … %2").arg(number(i.low), number(i.high))
                                  : QString();
     }},
    {QT_TRANSLATE_NOOP("Columns", "Mean"),
     [](const app::PreviewedInput& i) -> QVariant { return i.mean; },
     [](const app::PreviewedInput& i) { return i.failure.empty() ? number(i.mean) : QString(); }},
};

}  // namespace

QStringList inputFiles(const QMimeData* data) {
    QStringList files;
    if (!data || isDraggedVariant(data) || !data->hasUrls()) return files;
    for (const QUrl& url : data->urls()) {
        const QFileInfo file(url.toLocalFile());
        const QString ending = file.suffix().toLower();
        const bool isInput = std::ranges::any_of(
            input_endings, [&](const char* known) { return ending == QLatin1String(known); });
        if (file.isDir() || isInput) files << file.absoluteFilePath();
    }
    return files;
}

InputsDrawer::InputsDrawer(app::Workbench& workbench, QWidget* parent)
    : QFrame(parent), workbench_(workbench), model_(input_columns),
      table_(new TableView(tr("Inputs of the model"))), picture_(new QLabel), note_(new QLabel),
      text_(new QLineEdit), vocabulary_(new QPushButton),
      files_(new QPushButton(themedIcon(QStringLiteral("open")), tr("Add files …"))),
      one_(new QPushButton(tr("File for this input …"))),
      forget_(new QPushButton(tr("Generate this one"))),
      clear_(new QPushButton(tr("Generate all"))) {
    setObjectName(QStringLiteral("inputsDrawer"));
    model_.setRows(std::vector<app::PreviewedInput>());
    table_->setObjectName(QStringLiteral("inputTable"));
    table_->setModel(&model_);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->setEmptyText(tr("Looking at the inputs …"));
    picture_->setObjectName(QStringLiteral("inputPicture"));
    picture_->setFixedSize(picture_side, picture_side);
    picture_->setAlignment(Qt::AlignCenter);
    note_->setObjectName(QStringLiteral("inputNote"));
    note_->setTextFormat(Qt::PlainText);
    note_->setWordWrap(true);
    note_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* rows = new QHBoxLayout;
    rows->setSpacing(spacing);
    rows->addWidget(table_, 1);
    rows->addWidget(picture_, 0, Qt::AlignTop);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(20, 8, 20, 8);
    column->setSpacing(4);
    column->addLayout(rows, 1);
    column->addWidget(makeText());
    column->addWidget(note_);
    column->addWidget(makeButtons());
    setMaximumHeight(fontMetrics().height() * 16);

    app::GivenData& data = workbench_.givenData();
    connect(&data, &app::GivenData::changed, this, &InputsDrawer::refresh);
    connect(&workbench_, &app::Workbench::runSettingsChanged, this, [this] {
        if (isVisible()) workbench_.givenData().refresh();
    });
    connect(&workbench_, &app::Workbench::openedChanged, this, [this] {
        if (isVisible()) workbench_.givenData().refresh();
    });
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &InputsDrawer::showPicture);
    connect(table_, &QTreeView::activated, this, &InputsDrawer::chooseForInput);
    refresh();
}

QWidget* InputsDrawer::makeText() {
    textRow_ = new QWidget;
    auto* row = new QHBoxLayout(textRow_);
    row->setContentsMargins(0, 0, 0, 0);
    auto* label = new QLabel(tr("Te&xt"));
    label->setBuddy(text_);
    text_->setObjectName(QStringLiteral("inputText"));
    keepAcrossModels(*text_);
    text_->setAccessibleName(tr("Text that becomes tokens"));
    text_->setPlaceholderText(tr("A sentence; a vocabulary turns it into tokens"));
    text_->setToolTip(text_->placeholderText());  // which is cut where there is little room
    vocabulary_->setObjectName(QStringLiteral("inputVocabulary"));
    row->addWidget(label);
    row->addWidget(text_, 1);
    row->addWidget(vocabulary_);
    connect(text_, &QLineEdit::editingFinished, this,
            [this] { workbench_.givenData().setText(text_->text()); });
    connect(vocabulary_, &QPushButton::clicked, this, &InputsDrawer::chooseVocabulary);
    return textRow_;
}

QWidget* InputsDrawer::makeButtons() {
    auto* buttons = new QWidget;
    auto* row = new QHBoxLayout(buttons);
    row->setContentsMargins(0, 0, 0, 0);
    files_->setObjectName(QStringLiteral("addInputFiles"));
    one_->setObjectName(QStringLiteral("fileForInput"));
    forget_->setObjectName(QStringLiteral("forgetInput"));
    clear_->setObjectName(QStringLiteral("forgetInputs"));
    files_->setToolTip(plainToolTip(
        tr("Arrays (.npy, .npz), values of ONNX test data (.pb), pictures, a text or a "
           "vocabulary (.txt): each goes to the input that it fits; recorded outputs are "
           "compared with. Files and folders can be dropped on this page too.")));
    for (QPushButton* button : {files_, one_, forget_, clear_}) row->addWidget(button);
    row->addStretch(1);
    connect(files_, &QPushButton::clicked, this, &InputsDrawer::chooseFiles);
    connect(one_, &QPushButton::clicked, this, &InputsDrawer::chooseForInput);
    connect(forget_, &QPushButton::clicked, this, [this] {
        if (const app::PreviewedInput* input = current())
            workbench_.givenData().forget(exactText(input->name));
    });
    connect(clear_, &QPushButton::clicked, &workbench_.givenData(), &app::GivenData::clear);
    return buttons;
}

QString InputsDrawer::summaryOf(const app::GivenInputs& given, int inputs) {
    if (given.isText()) return tr("inputs: text");
    if (given.files.empty()) return tr("inputs: generated");
    return tr("inputs: %1 of %2 given").arg(given.files.size()).arg(inputs);
}

void InputsDrawer::give(const QStringList& paths) { workbench_.givenData().give(paths); }

void InputsDrawer::showEvent(QShowEvent* event) {
    QFrame::showEvent(event);
    workbench_.givenData().refresh();
}

const app::PreviewedInput* InputsDrawer::current() const {
    const QModelIndex at = table_->currentIndex();
    return at.isValid() ? &model_.row(at.row()) : nullptr;
}

void InputsDrawer::refresh() {
    const app::GivenData& data = workbench_.givenData();
    const app::InputPreviewPtr preview = data.preview();
    const int line = table_->currentIndex().row();
    model_.setRows(
        preview ? std::shared_ptr<const std::vector<app::PreviewedInput>>(preview, &preview->inputs)
                : nullptr);
    for (int column = 0; column < model_.columnCount(); ++column) {
        table_->resizeColumnToContents(column);
        table_->header()->resizeSection(column,
                                        std::min(table_->header()->sectionSize(column), 360) + 8);
    }
    const int rows = std::clamp(model_.rowCount(), 1, most_rows_seen);
    table_->setMinimumHeight(table_->header()->sizeHint().height() +
                             rows *
                                 std::max(table_->sizeHintForRow(0), fontMetrics().lineSpacing()) +
                             2 * table_->frameWidth());
    if (model_.rowCount() > 0)
        table_->setCurrentIndex(model_.index(std::clamp(line, 0, model_.rowCount() - 1), 0));
    const app::GivenInputs& given = data.given();
    // Tokens are integers: a model without an integer input takes no text.
    const bool takesText =
        preview && std::ranges::any_of(preview->inputs, [](const app::PreviewedInput& input) {
            return input.type.starts_with("i64[") || input.type.starts_with("i32[");
        });
    textRow_->setVisible(takesText || !given.text.empty() || !given.vocabulary.empty());
    if (!text_->hasFocus()) text_->setText(labelText(given.text));
    const QString vocabulary = labelText(QFileInfo(exactText(given.vocabulary)).fileName(), 30);
    vocabulary_->setText(vocabulary.isEmpty() ? tr("&Vocabulary …")
                                              : tr("&Vocabulary: %1").arg(vocabulary));
    QStringList notes = data.refused();
    if (preview && !preview->recorded.empty())
        notes.prepend(tr("Outputs are compared with %1 recorded ones of %2.")
                          .arg(preview->recorded.size())
                          .arg(labelText(QFileInfo(exactText(given.expected)).fileName(), 60)));
    else if (!given.text.empty() && given.vocabulary.empty())
        notes.prepend(tr("The text needs a vocabulary: a file with a token per line."));
    note_->setText(sentenceText(notes.join(u'\n')));
    note_->setVisible(!notes.isEmpty());
    clear_->setEnabled(!(given == app::GivenInputs()));
    showPicture();
}

void InputsDrawer::showPicture() {
    const app::PreviewedInput* input = current();
    one_->setEnabled(input != nullptr);
    forget_->setEnabled(input && !input->source.empty());
    picture_->setVisible(input && input->picture);
    if (!input || !input->picture) return;
    const app::SamplePicture& seen = *input->picture;
    const QImage image(reinterpret_cast<const uchar*>(seen.rgb.data()), seen.width, seen.height,
                       seen.width * 3, QImage::Format_RGB888);
    picture_->setPixmap(
        QPixmap::fromImage(image.scaled(picture_side, picture_side, Qt::KeepAspectRatio)));
    picture_->setToolTip(tr("As the model sees it: its values from the least to the largest"));
    picture_->setAccessibleName(tr("Input %1 as a picture").arg(labelText(input->name)));
}

void InputsDrawer::chooseFiles() {
    auto* dialog = new QFileDialog(this, tr("Inputs"));
    dialog->setObjectName(QStringLiteral("inputFilesDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFiles);
    dialog->setNameFilters(
        {tr("Inputs (*.npy *.npz *.pb *.png *.jpg *.jpeg *.txt)"), tr("All files (*)")});
    connect(dialog, &QFileDialog::filesSelected, this, &InputsDrawer::give);
    dialog->open();
}

void InputsDrawer::chooseForInput() {
    const app::PreviewedInput* input = current();
    if (!input) return;
    const QString name = exactText(input->name);
    auto* dialog = new QFileDialog(this, tr("File for input %1").arg(labelText(name, 60)));
    dialog->setObjectName(QStringLiteral("inputFileDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilters(
        {tr("Arrays and pictures (*.npy *.npz *.pb *.png *.jpg *.jpeg)"), tr("All files (*)")});
    connect(dialog, &QFileDialog::fileSelected, this,
            [this, name](const QString& path) { workbench_.givenData().giveInput(name, path); });
    dialog->open();
}

void InputsDrawer::chooseVocabulary() {
    auto* dialog = new QFileDialog(this, tr("Vocabulary"));
    dialog->setObjectName(QStringLiteral("vocabularyDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilters(
        {tr("Tokenizer, or a token per line (*.json *.txt)"), tr("All files (*)")});
    connect(dialog, &QFileDialog::fileSelected, &workbench_.givenData(),
            &app::GivenData::setVocabulary);
    dialog->open();
}

void InputsDrawer::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const ThemeColors& colors = themeColors(palette());
    painter.setPen(colors.border);
    painter.setBrush(colors.card);
    painter.drawRoundedRect(QRectF(rect()).adjusted(8.5, 0.5, -8.5, -0.5), 8, 8);
}

}  // namespace lapidary::views
