// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/inspector_panel.h"

#include <QEvent>
#include <QFileDialog>
#include <QImage>
#include <QMimeData>
#include <QPainter>
#include <QPointer>
#include <QRegularExpression>
#include <QScrollBar>
#include <QTextDocumentFragment>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

#include <lapidary/base/error.h>
#include <lapidary/tensor/tensor_file.h>

#include "workbench/text/bounded_text.h"
#include "workbench/project/project.h"
#include "worker/protocol/bytes/weight_bytes.h"

namespace lapidary::views {
namespace {

constexpr int histogramWidth = 264, histogramHeight = 84;

/// Few values fill few bins.
int binsFor(std::int64_t elements) {
    return static_cast<int>(std::clamp(2 * std::cbrt(static_cast<double>(elements)), 8.0, 64.0));
}

QImage drawHistogram(const TensorStatistics& statistics, const QPalette& palette, double ratio) {
    QImage image(
        QSize(static_cast<int>(histogramWidth * ratio), static_cast<int>(histogramHeight * ratio)),
        QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(ratio);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    const ThemeColors& colors = themeColors(palette);
    const auto& bins = statistics.histogram;
    const double most =
        static_cast<double>(std::max<std::int64_t>(1, *std::max_element(bins.begin(), bins.end())));
    const double foot = histogramHeight - 14,
                 step = static_cast<double>(histogramWidth) / static_cast<double>(bins.size());
    for (std::size_t i = 0; i < bins.size(); ++i) {
        if (bins[i] == 0) continue;
        const double height = std::max(1.0, foot * static_cast<double>(bins[i]) / most);
        painter.fillRect(
            QRectF(static_cast<double>(i) * step, foot - height, std::max(1.0, step - 1), height),
            colors.accent);
    }
    painter.setPen(QPen(colors.border, 1));
    painter.drawLine(QPointF(0, foot + 0.5), QPointF(histogramWidth, foot + 0.5));
    QFont font = painter.font();
    font.setPixelSize(10);
    painter.setFont(font);
    painter.setPen(colors.mutedText);
    const QRectF line(0, foot + 1, histogramWidth, 13);
    painter.drawText(line, Qt::AlignLeft, QString::number(statistics.minimum, 'g', 4));
    painter.drawText(line, Qt::AlignRight, QString::number(statistics.maximum, 'g', 4));
    return image;
}

}  // namespace

/// Loads nothing but the histogram we drew ourselves: no text of a model can make it read a file.
class InspectorPanel::Browser : public QTextBrowser {
public:
    using QTextBrowser::QTextBrowser;
    QImage histogram;
    static QString withoutBreaks(QString text) { return text.remove(QChar(0x200b)); }

protected:
    /// What is copied has no places to break lines.
    QMimeData* createMimeDataFromSelection() const override {
        auto* data = new QMimeData;
        data->setText(withoutBreaks(textCursor().selection().toPlainText()));
        return data;
    }

public:
    QVariant loadResource(int, const QUrl& name) override {
        return name == QUrl(QLatin1String(histogramName)) ? QVariant(histogram) : QVariant();
    }
};

InspectorPanel::InspectorPanel(app::Workbench& workbench, QWidget* parent)
    : QWidget(parent), workbench_(workbench), browser_(new Browser) {
    setObjectName(QStringLiteral("inspectorPanel"));
    setAccessibleName(tr("Inspector"));
    browser_->setObjectName(QStringLiteral("inspectorText"));
    browser_->setAccessibleName(tr("Details of the selection"));
    browser_->setOpenLinks(false);
    browser_->setFrameShape(QFrame::NoFrame);
    browser_->document()->setDocumentMargin(spacing + 4);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(browser_);
    connect(browser_, &QTextBrowser::anchorClicked, this, &InspectorPanel::follow);
    connect(&workbench_, &app::Workbench::documentChanged, this, [this] { showFocus({}); });
    connect(&workbench_, &app::Workbench::runChanged, this, &InspectorPanel::invalidate);
    connect(&workbench_, &app::Workbench::focusChanged, this, &InspectorPanel::showFocus);
    connect(&workbench_.variants(), &app::VariantStore::made, this, &InspectorPanel::invalidate);
    connect(&workbench_.project(), &app::Project::recipeChanged, this, &InspectorPanel::invalidate);
    connect(&workbench_.project(), &app::Project::figuresChanged, this,
            &InspectorPanel::invalidate);
    connect(&workbench_, &app::Workbench::runSettingsChanged, this, &InspectorPanel::invalidate);
    showFocus(workbench_.focus());
}

QString InspectorPanel::plainText() { return Browser::withoutBreaks(browser()->toPlainText()); }

QTextBrowser* InspectorPanel::browser() {
    refreshIfStale();
    return browser_;
}

void InspectorPanel::showFocus(const app::Focus& focus) {
    const bool same =
        focus.node == focus_.node && focus.value == focus_.value && focus.body == focus_.body;
    focus_ = focus;
    if (same && (focus.node || focus.value)) return;  // only the time range moved
    statistics_ = nullptr;
    failure_.clear();
    counting_.drop();
    fromTop_ = true;
    invalidate();
}

void InspectorPanel::enterPage(bool showsFocus) {
    if (showsFocus) elsewhere_.reset();
    else elsewhere_ = focus_;
    fromTop_ = true;
    if (focus_.node || focus_.value || group_.outline) invalidate();
}

void InspectorPanel::showGroup(const GroupContent& content) {
    if (!content.outline && !group_.outline) return;
    fromTop_ = fromTop_ || content.outline != group_.outline || content.group != group_.group;
    group_ = content;
    invalidate();
}

/// A group of another model, or while a page is shown that has no groups, is not described.
bool InspectorPanel::describesGroup(const app::Document& document) const {
    return group_.outline && group_.leaf == noIndex && group_.outline->model() == document.model &&
           !elsewhere_ && !focus_.node && !focus_.value;
}

bool InspectorPanel::knowsGroupsAround(const app::Focus& focus) const {
    if (!group_.outline || group_.leaf == noIndex || !focus.node) return false;
    const OutlineIndex place = group_.outline->placeOf(focus.body.get());
    return place != noIndex && group_.outline->leafOf(place, focus.node) == group_.leaf &&
           group_.outline->model() == workbench_.document()->model;
}

bool InspectorPanel::isChosenElsewhere() const {
    return elsewhere_ && elsewhere_->node == focus_.node && elsewhere_->value == focus_.value &&
           elsewhere_->body == focus_.body;
}

void InspectorPanel::invalidate() {
    if (!std::exchange(stale_, true))
        QMetaObject::invokeMethod(
            this,
            [this] {
                if (isVisible()) refreshIfStale();
            },
            Qt::QueuedConnection);
}

void InspectorPanel::refreshIfStale() {
    if (std::exchange(stale_, false)) refresh();
}

void InspectorPanel::refresh() {
    const app::DocumentPtr document = workbench_.document();
    if (!document) {
        links_.clear();
        requests_.clear();
        browser_->setHtml(QStringLiteral("<p style='color:%1'>%2</p>")
                              .arg(themeColors(palette()).mutedText.name(),
                                   tr("Open a model to see what it is made of.").toHtmlEscaped()));
        return;
    }
    app::RunRecordPtr run = workbench_.run();
    if (run && !run->isOfModel()) run = nullptr;
    const app::VariantPtr explained = explainedVariant();
    const app::Focus focus = isChosenElsewhere() ? app::Focus() : focus_;
    const NodeId ran =
        run && run->executed ? workbench_.model().ranNode(*run->executed, focus.node) : focus.node;
    InspectorText text =
        focus.node    ? describeNode(*document, focus.body, focus.node, {run.get(), ran},
                                     explained.get(), palette())
        : focus.value ? describeValue(*document, focus.body, focus.value, run.get(),
                                      statistics_.get(), failure_, palette())
        : describesGroup(*document)
            ? describeGroup(*document, group_, palette())
            : describeModel(*document, run.get(), workbench_.timeOf(workbench_.recipeInForce()),
                            workbench_.model().machine().text(), palette());
    if (knowsGroupsAround(focus)) addWayTo(text, group_);
    links_ = std::move(text.links);
    requests_ = std::move(text.requests);
    auto* browser = static_cast<Browser*>(browser_);
    browser->histogram =
        statistics_ && !statistics_->statistics.histogram.empty()
            ? drawHistogram(statistics_->statistics, palette(), devicePixelRatioF())
            : QImage();
    const int at = std::exchange(fromTop_, false) ? 0 : browser_->verticalScrollBar()->value();
    // Keeps the scroll bar visible, because hiding and showing it again lays out everything three
    // times.
    if (browser_->verticalScrollBar()->isVisible())
        browser_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
    browser_->document()->setDefaultStyleSheet(
        QStringLiteral("a { color: %1; text-decoration: none; }")
            .arg(themeColors(palette()).accent.name()));
    browser_->setHtml(text.html);
    browser_->setVerticalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    browser_->verticalScrollBar()->setValue(at);
    if (text.wantsStatistics && !statistics_ && failure_.isEmpty()) countValues();
}

/// The shown variant; for the original, the variant chosen on the Optimize page if it is made.
app::VariantPtr InspectorPanel::explainedVariant() const {
    const app::DocumentPtr document = workbench_.document();
    if (document && document->variant) return document->variant;
    const app::VariantPtr chosen = workbench_.variants().find(workbench_.project().recipe());
    return chosen && !chosen->isOriginal() ? chosen : nullptr;
}

void InspectorPanel::countValues() {
    const app::DocumentPtr document = workbench_.document();
    const Graph& graph = focus_.body ? *focus_.body : document->model->graph;
    counting_.start<CountedValues>(
        workbench_.jobs(), tr("Count values"),
        [tensor = *graph.value(focus_.value).constant, document](const Progress&) {
            const Tensor held = app::with_values(tensor);
            return CountedValues{statistics_of(held, binsFor(held.size())),
                                 firstValues(held, mostFirstValues)};
        },
        [this](CountedValues counted) {
            statistics_ = std::make_shared<const CountedValues>(std::move(counted));
            invalidate();
            emit statisticsShown();
        },
        [this](const Error& error) {
            failure_ = tipText(error.what());
            invalidate();
        });
}

void InspectorPanel::chooseFileToSave() {
    const app::DocumentPtr document = workbench_.document();
    if (!document || !focus_.value) return;
    const Graph& graph = focus_.body ? *focus_.body : document->model->graph;
    if (!graph.is_alive(focus_.value) || !graph.value(focus_.value).constant) return;
    QString name = labelText(graph.value(focus_.value).name, 80);
    static const QRegularExpression unsafe(QStringLiteral("[^A-Za-z0-9._-]+"));
    auto* dialog = new QFileDialog(this, tr("Save the tensor"));
    dialog->setObjectName(QStringLiteral("saveTensorDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("npy"));
    dialog->setNameFilters({tr("NumPy arrays (*.npy)")});
    dialog->selectFile(name.replace(unsafe, QStringLiteral("_")) + QStringLiteral(".npy"));
    connect(dialog, &QFileDialog::fileSelected, this,
            [this, document, tensor = *graph.value(focus_.value).constant](const QString& path) {
                saveTensor(document, tensor, path);
            });
    dialog->open();
}

/// `document` keeps the file mapped that the tensor lies in.
void InspectorPanel::saveTensor(const app::DocumentPtr& document, const Tensor& tensor,
                                const QString& path) {
    workbench_.jobs().start<bool>(
        tr("Save %1").arg(path),
        [document, tensor, path](const Progress&) {
            save_npy(path.toStdU16String(), app::with_values(tensor));
            return true;
        },
        [this, self = QPointer(this), path](bool) {
            if (self) emit saved(path, {});
        },
        [this, self = QPointer(this), path](const Error& error) {
            if (self && error.code() != ErrorCode::cancelled)
                emit saved(path, tipText(error.what()));
        });
}

void InspectorPanel::follow(const QUrl& link) {
    if (link == QUrl(QLatin1String(saveLink))) return chooseFileToSave();
    if (link == QUrl(QLatin1String(insideLink)))
        return emit requested({.kind = InspectorRequest::Kind::lookInside});
    bool isNumber = false;
    const qulonglong index = link.path().toULongLong(&isNumber);
    if (!isNumber) return;
    if (link.scheme() == QLatin1String("request") && index < requests_.size())
        return emit requested(requests_[index]);
    if (link.scheme() != QLatin1String("link") || index >= links_.size()) return;
    app::Focus focus = links_[index];
    focus.beginNs = focus_.beginNs;
    focus.endNs = focus_.endNs;
    workbench_.setFocus(focus);
}

void InspectorPanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) invalidate();
    QWidget::changeEvent(event);
}

void InspectorPanel::showEvent(QShowEvent* event) {
    refreshIfStale();
    QWidget::showEvent(event);
}

}  // namespace lapidary::views
