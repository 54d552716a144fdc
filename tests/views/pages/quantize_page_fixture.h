// SPDX-License-Identifier: Apache-2.0
// A window on the Quantize page with a small convolutional model.
#pragma once

#include <QApplication>
#include <QDropEvent>
#include <QLabel>
#include <QMimeData>
#include <QPushButton>
#include <QUrl>

#include <lapidary/graph/graph_text.h>
#include <lapidary/ops/infer.h>
#include <lapidary/tensor/tensor_file.h>

#include "quantize/quantize_card.h"
#include "quantize/quantize_page.h"
#include "views/window_fixture.h"
#include "workbench/jobs/quantizing.h"

namespace lapidary::views {

class QuantizePageTest : public WindowTest {
protected:
    void SetUp() override {
        WindowTest::SetUp();
        page_ = qobject_cast<QuantizePage*>(window_->page(QStringLiteral("quantize")));
        ASSERT_TRUE(page_);
        app::QuantizeChoice choice = quantizing().choice();
        choice.measureSeconds = 0.02;
        quantizing().setChoice(choice);
        window_->showPage(QStringLiteral("quantize"));
    }
    void open() {
        auto model = std::make_shared<Model>();
        model->opset_imports[""] = 17;
        model->graph = parse_graph(
            "(x: f32[n,3,16,16]) -> (y)\na = Conv(x, w1: f32[16,3,3,3], b1: f32[16]) {pads: "
            "[1,1,1,1]}\nr = Relu(a)\n"
            "c = Conv(r, w2: f32[16,16,3,3], b2: f32[16])\ns = Relu(c)\ng = "
            "GlobalAveragePool(s)\nf = Flatten(g)\n"
            "y = Gemm(f, w3: f32[10,16], b3: f32[10]) {transB: 1}",
            {.opset = 17});
        infer_types(*model);
        workbench_->adopt(model, QStringLiteral("small"));
        window_->showPage(QStringLiteral("quantize"));
        ASSERT_TRUE(waitFor([&] { return quantizing().preview() != nullptr; }));
    }
    void quantize() {
        QTest::mouseClick(find<QPushButton>("quantizeStart"), Qt::LeftButton);
        ASSERT_TRUE(quantizing().isRunning());
        ASSERT_TRUE(idle());
        ASSERT_TRUE(quantizing().record());
    }
    bool idle() {
        return waitFor([&] {
            return !quantizing().isRunning() && workbench_->variants().isIdle() &&
                   workbench_->jobs().jobs().isEmpty();
        });
    }
    /// Drops a file or folder on the page as a file manager does.
    void drop(const std::filesystem::path& path) {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(QString::fromStdString(path.string()))});
        QDragEnterEvent enter({20, 20}, Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(page_, &enter);
        if (!enter.isAccepted()) return;
        QDropEvent dropped({20, 20}, Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(page_, &dropped);
        ASSERT_TRUE(waitFor([&] { return !quantizing().isPreviewing(); }));
    }
    static void saveImages(const std::filesystem::path& folder, int count, std::int64_t side = 16) {
        for (int i = 0; i < count; ++i) {
            std::vector<float> values(static_cast<std::size_t>(3 * side * side));
            for (std::size_t k = 0; k < values.size(); ++k)
                values[k] = float((k * 37 + std::size_t(i) * 101) % 200) / 100 - 1;
            save_npz(folder / (std::to_string(100 + i) + ".npz"),
                     {{"x", Tensor::of<float>({1, 3, side, side}, values)}});
        }
    }
    bool standsFor(const app::Variant& variant, const std::string& op) const {
        const Graph& original = workbench_->opened()->model->graph;
        for (const NodeId id : variant.model->graph.nodes())
            for (const NodeId origin : variant.model->graph.node(id).origins)
                if (original.is_alive(origin) && original.node(origin).op_type == op) return true;
        return false;
    }
    app::Quantizing& quantizing() { return workbench_->quantizing(); }
    QString sentence() const { return find<QuantizeCard>("quantizeCard")->sentence(); }
    QString warning() const {
        auto* label = find<QLabel>("sampleWarning");
        return label->isHidden() ? QString() : label->text();
    }
    QuantizePage* page_ = nullptr;
};

}  // namespace lapidary::views
