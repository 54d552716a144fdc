// SPDX-License-Identifier: Apache-2.0
// A window in which a user quantizes a model: files dropped, buttons pressed. Pictures for eyes are
// kept where LAPIDARY_SCREENSHOTS names a folder.
#pragma once

#include <QApplication>
#include <QDropEvent>
#include <QLabel>
#include <QMimeData>
#include <QPushButton>
#include <QTabWidget>
#include <QUrl>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <lapidary/graph/graph_text.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/ops/infer.h>
#include <lapidary/tensor/tensor_file.h>

#include "quantize/quantize_page.h"
#include "support/test_data.h"
#include "theme/theme.h"
#include "views/window_fixture.h"
#include "workbench/jobs/quantizing.h"

namespace lapidary::views {

/// Convolutions and a Gemm, from images of 3 channels to 10 classes.
inline const char* const classifier =
    "(x: f32[n,3,16,16]) -> (y)\na = Conv(x, w1: f32[16,3,3,3], b1: f32[16]) {pads: [1,1,1,1]}\nr "
    "= Relu(a)\n"
    "c = Conv(r, w2: f32[16,16,3,3], b2: f32[16])\ns = Relu(c)\ng = GlobalAveragePool(s)\nf = "
    "Flatten(g)\n"
    "y = Gemm(f, w3: f32[10,16], b3: f32[10]) {transB: 1}";

class QuantizeJourneyTest : public WindowTest {
protected:
    void SetUp() override {
        WindowTest::SetUp();
        page_ = qobject_cast<QuantizePage*>(window_->page(QStringLiteral("quantize")));
        ASSERT_TRUE(page_);
        app::QuantizeChoice choice = quantizing().choice();
        choice.measureSeconds = 0.02;
        quantizing().setChoice(choice);
    }
    std::filesystem::path save(const std::string& graph, const char* name) const {
        Model model;
        model.opset_imports[""] = 17;
        model.graph = parse_graph(graph, {.opset = 17});
        infer_types(model);
        save_model(model, folder_ / name);
        return folder_ / name;
    }
    static void drop(QWidget* target, const std::filesystem::path& path) {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(QString::fromStdString(path.string()))});
        QDragEnterEvent enter({20, 20}, Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(target, &enter);
        ASSERT_TRUE(enter.isAccepted()) << path;
        QDropEvent dropped({20, 20}, Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(target, &dropped);
    }
    void dropModel(const std::filesystem::path& file) {
        drop(window_.get(), file);
        ASSERT_TRUE(
            waitFor([&] { return workbench_->opened() && workbench_->jobs().jobs().isEmpty(); }));
        window_->showPage(QStringLiteral("quantize"));
        ASSERT_TRUE(waitFor([&] { return quantizing().preview() != nullptr; }));
    }
    void dropSamples(const std::filesystem::path& path) {
        drop(page_, path);
        ASSERT_TRUE(waitFor([&] { return !quantizing().isPreviewing(); }));
    }
    std::filesystem::path images(int count) const {
        std::filesystem::create_directory(folder_ / "images");
        for (int i = 0; i < count; ++i) {
            std::vector<float> values(3 * 16 * 16);
            for (std::size_t k = 0; k < values.size(); ++k)
                values[k] = float((k * 37 + std::size_t(i) * 101) % 200) / 100 - 1;
            save_npz(folder_ / ("images/" + std::to_string(100 + i) + ".npz"),
                     {{"x", Tensor::of<float>({1, 3, 16, 16}, values)}});
        }
        return folder_ / "images";
    }
    void quantizeWith(app::QuantizeMethod method) {
        app::QuantizeChoice choice = quantizing().choice();
        choice.method = method;
        choice.budgetSeconds = 0.001;  // the first recipe
        quantizing().setChoice(choice);
        QTest::mouseClick(find<QPushButton>("quantizeStart"), Qt::LeftButton);
        ASSERT_TRUE(idle());
        ASSERT_TRUE(quantizing().record() && quantizing().record()->best >= 0);
    }
    bool idle() {
        return waitFor([&] {
            return !quantizing().isRunning() && workbench_->variants().isIdle() &&
                   workbench_->jobs().jobs().isEmpty();
        });
    }
    bool isNoted(const QString& part) {
        return std::ranges::any_of(quantizing().record()->notes, [&](const std::string& note) {
            return QString::fromStdString(note).contains(part);
        });
    }
    QString warning() const {
        auto* label = find<QLabel>("sampleWarning");
        return label->isHidden() ? QString() : label->text();
    }
    void keepPicture(const char* name) {
        const QString kept = qEnvironmentVariable("LAPIDARY_SCREENSHOTS");
        if (kept.isEmpty()) return;
        const QSize before = window_->size();
        for (const QSize size : {QSize(1400, 900), QSize(1280, 800)})
            for (const ThemeChoice theme : {ThemeChoice::dark, ThemeChoice::light}) {
                window_->resize(size);
                applyTheme(theme);
                QTest::qWait(100);
                window_->grab().toImage().save(
                    QStringLiteral("%1/journey_%2_%3_%4.png")
                        .arg(kept, QLatin1String(name))
                        .arg(size.width())
                        .arg(QLatin1String(theme == ThemeChoice::dark ? "dark" : "light")));
            }
        window_->resize(before);
    }
    /// Each tab of the details.
    void keepTabs(const char* name) {
        auto* tabs = find<QTabWidget>("quantizeTabs");
        const int before = tabs->currentIndex();
        for (int tab = 0; tab < tabs->count(); ++tab) {
            tabs->setCurrentIndex(tab);
            keepPicture(qPrintable(QStringLiteral("%1%2").arg(QLatin1String(name)).arg(tab)));
        }
        tabs->setCurrentIndex(before);
    }
    app::Quantizing& quantizing() { return workbench_->quantizing(); }
    TemporaryFolder folder_;
    QuantizePage* page_ = nullptr;
};

}  // namespace lapidary::views
