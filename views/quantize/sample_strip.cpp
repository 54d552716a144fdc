// SPDX-License-Identifier: GPL-3.0-or-later
#include "quantize/sample_strip.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <QVBoxLayout>

#include <algorithm>

#include "models/rows_model.h"
#include "quantize/pixel_fields.h"
#include "theme/theme.h"
#include "widgets/flow_layout.h"
#include "widgets/choices/model_choices.h"
#include "workbench/text/bounded_text.h"
#include "workbench/text/core_words.h"
#include "workbench/jobs/quantizing.h"

namespace lapidary::views {
namespace {

constexpr int gap = 6;

QString fileName(const std::filesystem::path& path) {
    return labelText(QFileInfo(exactText(path.string())).fileName(), 60);
}

/// The .npz and the array of it that is named; both empty: the samples are something else.
std::pair<QString, QString> archiveOf(const app::SampleChoice& samples) {
    const QString path = exactText(samples.data.string()), ending = QStringLiteral(".npz");
    if (path.endsWith(ending)) return {path, {}};
    const qsizetype colon = path.lastIndexOf(ending + u':');
    if (colon < 0) return {};
    return {path.left(colon + ending.size()), path.mid(colon + ending.size() + 1)};
}

QString inputText(const app::SampleInput& input) {
    const QLocale locale;
    return SampleStrip::tr("%1 %2, %3 to %4, mean %5")
        .arg(labelText(input.name, 60), labelText(input.type, 60),
             locale.toString(input.low, 'g', 6), locale.toString(input.high, 'g', 6),
             locale.toString(input.mean, 'g', 5));
}

}  // namespace

SamplePictures::SamplePictures(app::Quantizing& quantizing, QWidget* parent)
    : QWidget(parent), quantizing_(quantizing) {
    setObjectName(QStringLiteral("samplePictures"));
    setAccessibleName(tr("Samples as the model sees them"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&quantizing_, &app::Quantizing::previewChanged, this, &SamplePictures::refresh);
    refresh();
}

int SamplePictures::side() const { return fontMetrics().height() * 3; }
QSize SamplePictures::sizeHint() const { return {int(images_.size()) * (side() + gap), side()}; }

void SamplePictures::refresh() {
    images_.clear();
    if (const auto preview = quantizing_.preview())
        for (const app::PreviewedSample& sample : preview->samples) {
            if (!sample.picture) continue;
            const auto& [width, height, rgb] = *sample.picture;
            const QImage image(reinterpret_cast<const uchar*>(rgb.data()), width, height, width * 3,
                               QImage::Format_RGB888);
            QStringList lines{labelText(sample.name),
                              sample.judges ? tr("judges the result") : tr("gives ranges")};
            for (const app::SampleInput& input : sample.inputs) lines << inputText(input);
            images_.append({image.copy(), lines.join(u'\n'), sample.judges});
        }
    setVisible(!images_.isEmpty());
    QStringList words;
    for (const Shown& shown : images_) words << shown.text;
    setAccessibleDescription(words.join(QStringLiteral("; ")));
    updateGeometry();
    update();
}

void SamplePictures::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const ThemeColors& colors = themeColors(palette());
    for (qsizetype i = 0; i < images_.size(); ++i) {
        const QRect place(int(i) * (side() + gap), 0, side(), side());
        if (place.right() > width()) break;
        const QSize size =
            images_[i].image.size().scaled(place.size() - QSize(4, 4), Qt::KeepAspectRatio);
        QRect inner({}, size);
        inner.moveCenter(place.center());
        painter.drawImage(inner, images_[i].image);
        painter.setPen(
            QPen(images_[i].judges ? colors.accent : colors.border, images_[i].judges ? 2 : 1));
        painter.drawRect(inner.adjusted(-1, -1, 0, 0));
    }
}

bool SamplePictures::event(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) update();
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const qsizetype at = help->pos().x() / (side() + gap);
    if (at < images_.size())
        QToolTip::showText(help->globalPos(), plainToolTip(images_[at].text), this);
    else QToolTip::hideText();
    return true;
}

SampleStrip::SampleStrip(app::Quantizing& quantizing, QWidget* parent)
    : QFrame(parent), quantizing_(quantizing), what_(new QLabel), warning_(new QLabel),
      folder_(new QPushButton(themedIcon(QStringLiteral("open")), tr("&Folder …"))),
      file_(new QPushButton(themedIcon(QStringLiteral("file")), tr("F&ile …"))),
      vocabulary_(new QPushButton(themedIcon(QStringLiteral("file")), tr("Vo&cabulary …"))),
      labels_(new QPushButton(themedIcon(QStringLiteral("check")), tr("Labels …"))),
      generate_(new QPushButton(themedIcon(QStringLiteral("clear")), tr("Use generated ones"))),
      array_(new QLineEdit), arrayField_(new QWidget), pictures_(new SamplePictures(quantizing)) {
    setObjectName(QStringLiteral("sampleStrip"));
    what_->setObjectName(QStringLiteral("sampleText"));
    warning_->setObjectName(QStringLiteral("sampleWarning"));
    for (QLabel* label : {what_, warning_}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
    }
    nameButtons();
    layOut();

    connect(folder_, &QPushButton::clicked, this, &SampleStrip::chooseFolder);
    connect(file_, &QPushButton::clicked, this, &SampleStrip::chooseFile);
    connect(vocabulary_, &QPushButton::clicked, this, &SampleStrip::chooseVocabulary);
    connect(labels_, &QPushButton::clicked, this, [this] {
        if (quantizing_.choice().labels.empty()) chooseLabels();
        else setLabels({});
    });
    connect(generate_, &QPushButton::clicked, this, [this] { setData({}); });
    connect(array_, &QLineEdit::editingFinished, this, [this] {
        if (array_->isModified()) setArray(array_->text().trimmed());
    });
    connect(&quantizing_, &app::Quantizing::choiceChanged, this, &SampleStrip::refresh);
    connect(&quantizing_, &app::Quantizing::previewChanged, this, &SampleStrip::refresh);
    connect(&quantizing_, &app::Quantizing::changed, this,
            [this] { setEnabled(!quantizing_.isRunning()); });
    refresh();
}

void SampleStrip::nameButtons() {
    folder_->setObjectName(QStringLiteral("sampleFolder"));
    folder_->setToolTip(
        plainToolTip(tr("A folder of pictures, sounds (.wav), .npz, .npy or .pb files, one sample "
                        "each; it can be dropped on this "
                        "page too")));
    file_->setObjectName(QStringLiteral("sampleFile"));
    file_->setToolTip(
        plainToolTip(tr("An .npz or .npy file with one sample behind the other along its first "
                        "dimension, or a .txt of "
                        "one line of text per sample")));
    vocabulary_->setObjectName(QStringLiteral("sampleVocabulary"));
    vocabulary_->setToolTip(
        plainToolTip(tr("The tokens that lines of text are cut into: a tokenizer.json, or one per "
                        "line, as BERT has them in its vocab.txt")));
    labels_->setObjectName(QStringLiteral("sampleLabels"));
    labels_->setToolTip(
        plainToolTip(tr("The classes of the samples: a .csv of file names and classes, a .npy, or "
                        "an .npz with one array of "
                        "classes; a .csv can be dropped on this page too")));
    generate_->setObjectName(QStringLiteral("sampleGenerate"));
    generate_->setToolTip(plainToolTip(tr("Take made-up inputs instead")));
}

void SampleStrip::layOut() {
    array_->setObjectName(QStringLiteral("sampleArray"));
    keepAcrossModels(*array_);
    array_->setAccessibleName(tr("Array"));
    array_->setPlaceholderText(tr("its name"));
    array_->setFixedWidth(fontMetrics().averageCharWidth() * 20);
    array_->setToolTip(
        plainToolTip(tr("The array of the .npz that holds the samples, where several would fit")));
    auto* arrayRow = new QHBoxLayout(arrayField_);
    arrayRow->setContentsMargins(0, 0, 0, 0);
    arrayRow->addWidget(new QLabel(tr("Array")));
    arrayRow->addWidget(array_);

    auto* tools = new QWidget;
    auto* flow = new FlowLayout(tools, 8, 4);
    auto* title = new QLabel(tr("Samples"));
    title->setFont(scaledFont(1, true));
    for (QWidget* widget :
         {static_cast<QWidget*>(title), static_cast<QWidget*>(folder_),
          static_cast<QWidget*>(file_), static_cast<QWidget*>(vocabulary_),
          static_cast<QWidget*>(labels_), static_cast<QWidget*>(generate_), arrayField_})
        flow->addWidget(widget);
    new PixelFields(quantizing_, *flow, this);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(24, 8, 20, 8);
    column->setSpacing(4);
    column->addWidget(tools);
    column->addWidget(what_);
    column->addWidget(warning_);
    column->addWidget(pictures_);
}

void SampleStrip::openDialog(const QString& title, const char* name, const QStringList& filters,
                             void (SampleStrip::*chosen)(const QString&)) {
    auto* dialog = new QFileDialog(this, title);
    dialog->setObjectName(QLatin1String(name));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(filters.isEmpty() ? QFileDialog::Directory : QFileDialog::ExistingFile);
    if (!filters.isEmpty()) dialog->setNameFilters(filters);
    connect(dialog, &QFileDialog::fileSelected, this, chosen);
    dialog->open();
}

void SampleStrip::chooseFolder() {
    openDialog(tr("Folder of samples"), "sampleFolderDialog", {}, &SampleStrip::setData);
}

void SampleStrip::chooseFile() {
    openDialog(tr("File of samples"), "sampleFileDialog",
               {tr("Samples (*.npz *.npy *.png *.jpg *.jpeg *.pb *.wav *.txt)")},
               &SampleStrip::setData);
}

void SampleStrip::chooseVocabulary() {
    openDialog(tr("Tokenizer, or one token per line"), "sampleVocabularyDialog",
               {tr("Tokens (*.json *.txt)")}, &SampleStrip::setVocabulary);
}

void SampleStrip::chooseLabels() {
    openDialog(tr("Labels of the samples"), "sampleLabelsDialog",
               {tr("Labels (*.csv *.npy *.npz)")}, &SampleStrip::setLabels);
}

void SampleStrip::setData(const QString& path) {
    app::QuantizeChoice choice = quantizing_.choice();
    choice.samples.data = path.isEmpty() ? std::filesystem::path() : toPath(path);
    if (path.isEmpty()) choice.labels.clear();  // labels belong to the previous samples
    quantizing_.setChoice(choice);
}

void SampleStrip::setArray(const QString& name) {
    const QString file = archiveOf(quantizing_.choice().samples).first;
    if (!file.isEmpty()) setData(name.isEmpty() ? file : file + u':' + name);
}

void SampleStrip::setVocabulary(const QString& path) {
    app::QuantizeChoice choice = quantizing_.choice();
    choice.samples.text.vocabulary = toPath(path);
    quantizing_.setChoice(choice);
}

void SampleStrip::setLabels(const QString& path) {
    app::QuantizeChoice choice = quantizing_.choice();
    choice.labels = path.isEmpty() ? std::filesystem::path() : toPath(path);
    quantizing_.setChoice(choice);
}

QString SampleStrip::textOf(const app::SamplePreview* preview) const {
    const app::SampleChoice& samples = quantizing_.choice().samples;
    const QString where = samples.isGenerated() ? QString() : fileName(samples.data);
    if (!quantizing_.previewFailure().isEmpty()) return where;
    if (!preview)
        return samples.isGenerated() ? tr("Generated inputs")
                                     : tr("%1: looking at it …").arg(where);
    const QString split = preview->total > 1 ? tr("%1 give ranges, %2 judge the result")
                                                   .arg(preview->calibration_samples)
                                                   .arg(preview->evaluation_samples)
                                             : tr("it gives the ranges and judges the result");
    const QString count =
        preview->total == 1 ? tr("1 sample") : tr("%1 samples").arg(preview->total);
    QString text = samples.isGenerated() ? tr("Generated: %1, %2").arg(count, split)
                                         : tr("%1: %2, %3").arg(where, count, split);
    if (pictures_->pictures() == 0 && !preview->samples.empty()) {
        QStringList inputs;
        for (const app::SampleInput& input : preview->samples.front().inputs)
            inputs << inputText(input);
        text += QStringLiteral("\n") + tr("The first: %1").arg(inputs.join(QStringLiteral("; ")));
    }
    if (!quantizing_.choice().labels.empty())
        text +=
            QStringLiteral("\n") + tr("Labels: %1; right answers of those that judge are counted")
                                       .arg(fileName(quantizing_.choice().labels));
    if (!preview->float_answers.empty()) text += u'\n' + sentenceText(preview->float_answers);
    for (const std::string& note : preview->notes)
        text += u'\n' + sentenceText(app::inWindowLanguage(note));
    return text;
}

QString SampleStrip::warningOf(const app::SamplePreview* preview) const {
    constexpr quint64 few = 8;
    const app::SampleChoice& samples = quantizing_.choice().samples;
    if (!quantizing_.previewFailure().isEmpty()) return quantizing_.previewFailure();
    if (samples.isGenerated())
        return tr(
            "Made-up inputs say little: their ranges are not those of real ones, and neither is "
            "the accuracy. Drop "
            "a folder of real samples on this page.");
    if (!preview) return {};
    const auto broken = std::ranges::find_if(
        preview->samples,
        [](const app::PreviewedSample& sample) { return !sample.failure.empty(); });
    QStringList lines;
    for (const std::string& warning : preview->warnings)
        lines << sentenceText(app::inWindowLanguage(warning));
    if (broken != preview->samples.end())
        lines
            << tr("A sample cannot be read and is left out: %1").arg(sentenceText(broken->failure));
    else if (preview->calibration_samples < few)
        lines << tr("These are few samples: eight or more are advised for ranges that hold.");
    return lines.join(u'\n');
}

void SampleStrip::refresh() {
    const auto preview = quantizing_.preview();
    const QString text = textOf(preview.get()), warning = warningOf(preview.get());
    what_->setText(sentenceText(text));
    what_->setVisible(!text.isEmpty());
    warning_->setText(sentenceText(QStringLiteral("⚠ ") + warning));
    warning_->setVisible(!warning.isEmpty());
    refreshTools();
    update();
}

void SampleStrip::refreshTools() {
    const app::SampleChoice& samples = quantizing_.choice().samples;
    generate_->setVisible(!samples.isGenerated());
    labels_->setVisible(!samples.isGenerated());
    labels_->setText(quantizing_.choice().labels.empty() ? tr("Labels …") : tr("Without labels"));
    vocabulary_->setVisible(app::is_text_file(samples.data));
    const auto [archive, array] = archiveOf(samples);
    arrayField_->setVisible(!archive.isEmpty() &&
                            (!array.isEmpty() || !quantizing_.previewFailure().isEmpty()));
    if (array_->text() != array) array_->setText(array);
    array_->setModified(false);
}

void SampleStrip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const ThemeColors& colors = themeColors(palette());
    const bool warns = !warning_->isHidden();
    painter.setPen(warns ? colors.warning : colors.border);
    painter.setBrush(warns ? colors.warningFill : colors.card);
    painter.drawRoundedRect(QRectF(rect()).adjusted(8.5, 0.5, -8.5, -0.5), 8, 8);
}

}  // namespace lapidary::views
