// SPDX-License-Identifier: GPL-3.0-or-later
#include "quantize/pixel_fields.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QSignalBlocker>

#include <algorithm>
#include <cmath>

#include <lapidary/inputs/preprocessing.h>

#include "models/rows_model.h"
#include "widgets/flow_layout.h"
#include "widgets/choices/model_choices.h"
#include "workbench/text/bounded_text.h"
#include "workbench/jobs/quantizing.h"

namespace lapidary::views {
namespace {

constexpr int by_itself = -1, own_numbers = -2;  // in place of a PixelScale
constexpr int longest_numbers = 60;

QString nameOf(PixelScale scale) {
    switch (scale) {
    case PixelScale::bytes: return PixelFields::tr("0 … 255");
    case PixelScale::unit: return PixelFields::tr("0 … 1");
    case PixelScale::symmetric: return PixelFields::tr("−1 … 1");
    case PixelScale::imagenet: break;
    }
    return PixelFields::tr("ImageNet mean and deviation");
}

/// Arrays have an order of dimensions; pictures have not.
bool isPictureFile(const std::string& name) {
    const QString ending = QFileInfo(exactText(name)).suffix().toLower();
    return ending == QLatin1String("png") || ending == QLatin1String("jpg") ||
           ending == QLatin1String("jpeg");
}

}  // namespace

std::optional<std::array<float, 3>> channelsOf(const QString& text) {
    const QStringList parts = text.split(u',', Qt::SkipEmptyParts);
    if (parts.size() != 1 && parts.size() != 3) return std::nullopt;
    std::array<float, 3> values{};
    for (std::size_t c = 0; c < 3; ++c) {
        bool isNumber = false;
        values[c] = parts[parts.size() == 1 ? 0 : qsizetype(c)].trimmed().toFloat(&isNumber);
        if (!isNumber || !std::isfinite(values[c])) return std::nullopt;
    }
    return values;
}

QString channelsText(const std::array<float, 3>& values) {
    const auto text = [](float value) { return QString::number(double(value), 'g', 7); };
    if (values[0] == values[1] && values[1] == values[2]) return text(values[0]);
    return QStringLiteral("%1, %2, %3").arg(text(values[0]), text(values[1]), text(values[2]));
}

PixelFields::PixelFields(app::Quantizing& quantizing, FlowLayout& layout, QWidget* parent)
    : QObject(parent), quantizing_(quantizing), scale_(new QComboBox), crop_(new QComboBox),
      layout_(new QComboBox), mean_(new QLineEdit), deviation_(new QLineEdit),
      bgr_(new QCheckBox(tr("blue first"))) {
    scale_->addItem(tr("as found"), by_itself);
    for (const PixelScale scale : usual_pixel_scales) scale_->addItem(nameOf(scale), int(scale));
    scale_->addItem(tr("own numbers"), own_numbers);
    for (const auto& [text, share] : {std::pair(tr("stretched"), 0.0),
                                      {tr("the middle"), 1.0},
                                      {tr("the middle, 87.5 %"), 0.875}})
        crop_->addItem(text, share);
    layout_->addItem(tr("as they fit"), 0);
    layout_->addItem(tr("channels first"), 1);
    layout_->addItem(tr("channels last"), 2);
    for (QLineEdit* edit : {mean_, deviation_}) {
        keepAcrossModels(*edit);
        edit->setMaxLength(longest_numbers);
        edit->setFixedWidth(edit->fontMetrics().averageCharWidth() * 18);
    }
    bgr_->setObjectName(QStringLiteral("sampleBgr"));
    bgr_->setToolTip(
        plainToolTip(tr("The model wants the channels in the order blue, green, red")));
    scaleField_ = field(tr("&Pixels"), scale_, "samplePixels",
                        tr("What the values of pixels become, as the model was trained. Found by "
                           "right answers where "
                           "there are labels, or by the first layers, unless you choose it"));
    meanField_ =
        field(tr("mean"), mean_, "sampleMean",
              tr("Subtracted from the channels 0 … 255: one number, or three with commas between"));
    deviationField_ = field(tr("deviation"), deviation_, "sampleDeviation",
                            tr("Divides what is left: one number, or three with commas between"));
    cropField_ = field(tr("Crop"), crop_, "sampleCrop",
                       tr("Pictures are stretched to the input, or their middle is taken in its "
                          "proportions; of arrays "
                          "larger than the input the middle is taken"));
    layoutField_ =
        field(tr("Arrays lie"), layout_, "sampleLayout",
              tr("Order of dimensions in the file: channels before or behind height and width"));
    for (QWidget* widget : {scaleField_, meanField_, deviationField_, static_cast<QWidget*>(bgr_),
                            cropField_, layoutField_})
        layout.addWidget(widget);
    connect(scale_, &QComboBox::activated, this, &PixelFields::applyScale);
    connect(mean_, &QLineEdit::editingFinished, this, &PixelFields::applyNumbers);
    connect(deviation_, &QLineEdit::editingFinished, this, &PixelFields::applyNumbers);
    connect(bgr_, &QCheckBox::clicked, this, &PixelFields::apply);
    connect(crop_, &QComboBox::activated, this, &PixelFields::apply);
    connect(layout_, &QComboBox::activated, this, &PixelFields::apply);
    connect(&quantizing_, &app::Quantizing::choiceChanged, this, &PixelFields::refresh);
    connect(&quantizing_, &app::Quantizing::previewChanged, this, &PixelFields::refresh);
    refresh();
}

QWidget* PixelFields::field(const QString& label, QWidget* editor, const char* name,
                            const QString& tip) {
    auto* pair = new QWidget;
    auto* row = new QHBoxLayout(pair);
    row->setContentsMargins(0, 0, 0, 0);
    auto* text = new QLabel(label);
    text->setBuddy(editor);
    editor->setObjectName(QLatin1String(name));
    QString plain = label;
    editor->setAccessibleName(plain.remove(u'&'));
    editor->setToolTip(plainToolTip(tip));
    row->addWidget(text);
    row->addWidget(editor);
    return pair;
}

void PixelFields::applyScale(int row) {
    const int chosen = scale_->itemData(row).toInt();
    app::QuantizeChoice choice = quantizing_.choice();
    ImageOptions& images = choice.samples.images;
    ownNumbers_ = chosen == own_numbers;
    if (chosen >= 0) {
        images = scaled(images, PixelScale(chosen));
    } else if (chosen == by_itself) {
        const ImageOptions plain;
        images.mean = plain.mean;
        images.stddev = plain.stddev;
        images.scale_chosen = false;
        if (quantizing_.isGuessed()) images.bgr = false;
    }
    quantizing_.setChoice(choice);
    refresh();
}

void PixelFields::applyNumbers() {
    const auto mean = channelsOf(mean_->text()), deviation = channelsOf(deviation_->text());
    if (!mean || !deviation || std::ranges::find(*deviation, 0.0F) != deviation->end())
        return refresh();
    app::QuantizeChoice choice = quantizing_.choice();
    ImageOptions& images = choice.samples.images;
    if (images.mean == *mean && images.stddev == *deviation) return;
    images.mean = *mean;
    images.stddev = *deviation;
    images.scale_chosen = true;
    quantizing_.setChoice(choice);
}

void PixelFields::apply() {
    app::QuantizeChoice choice = quantizing_.choice();
    ImageOptions& images = choice.samples.images;
    images.bgr = bgr_->isChecked();
    images.crop = crop_->currentData().toDouble();
    const int lie = layout_->currentData().toInt();
    images.array_layout = std::nullopt;
    if (lie > 0)
        images.array_layout = lie == 1 ? ImageOptions::Layout::nchw : ImageOptions::Layout::nhwc;
    quantizing_.setChoice(choice);
}

void PixelFields::refresh() {
    const app::SampleChoice& samples = quantizing_.choice().samples;
    const ImageOptions& images = samples.images;
    const auto preview = quantizing_.preview();
    const bool hasFailed = !quantizing_.previewFailure().isEmpty();
    // fields do not appear or disappear during the inspection
    const bool isOpen = quantizing_.isPreviewing() && !scaleField_->isHidden();
    const bool has = !samples.isGenerated() && !app::is_text_file(samples.data) &&
                     (preview ? preview->pixels != PixelKind::none : hasFailed || isOpen);
    const auto scale = scale_of(images);
    int row = own_numbers;
    if (!has_chosen_scale(images)) row = by_itself;
    else if (scale && !ownNumbers_) row = int(*scale);
    if (row == by_itself) ownNumbers_ = false;
    const bool isPictures = preview && std::ranges::any_of(preview->samples, isPictureFile,
                                                           &app::PreviewedSample::name);
    scaleField_->setVisible(has);
    bgr_->setVisible(has);
    cropField_->setVisible(has);
    layoutField_->setVisible(has && !isPictures);
    for (QWidget* own : {meanField_, deviationField_})
        own->setVisible(has && (row == own_numbers || ownNumbers_));
    const QSignalBlocker quiet[]{QSignalBlocker(scale_), QSignalBlocker(crop_),
                                 QSignalBlocker(layout_)};
    scale_->setCurrentIndex(scale_->findData(ownNumbers_ ? own_numbers : row));
    mean_->setText(channelsText(images.mean));
    deviation_->setText(channelsText(images.stddev));
    bgr_->setChecked(images.bgr);
    crop_->setCurrentIndex(std::max(0, crop_->findData(images.crop)));
    layout_->setCurrentIndex(!images.array_layout                                 ? 0
                             : *images.array_layout == ImageOptions::Layout::nchw ? 1
                                                                                  : 2);
}

}  // namespace lapidary::views
