// SPDX-License-Identifier: Apache-2.0
// A profile that ONNX Runtime wrote (tests/fixtures/traces), opened beside its model: verdict,
// tables, timeline and graph show it.
#include <QFileDialog>
#include <QLabel>
#include <QTabWidget>
#include <QToolButton>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "canvas/graph_canvas.h"
#include "canvas/graph_scene.h"
#include "graph/graph_page.h"
#include "panels/inspector_panel.h"
#include "run/nodes/node_table.h"
#include "run/nodes/operator_bars.h"
#include "run/timeline/timeline_view.h"
#include "run/nodes/unmatched_table.h"
#include "run/verdict_card.h"
#include "support/test_data.h"
#include "views/window_fixture.h"
#include "workbench/project/project.h"

namespace lapidary::views {
namespace {

class OnnxRuntimeProfileTest : public WindowTest {
protected:
    /// By the Open dialog, on the Run page.
    void open(const char* sample, const char* file, bool isOfModel = true) {
        openSample(sample);
        window_->showPage(QStringLiteral("run"));
        path_ = fixtures_folder() / "traces" / file;
        command(QStringLiteral("Open …"))->trigger();
        auto* dialog = find<QFileDialog>("openDialog");
        emit dialog->fileSelected(QString::fromStdString(path_.string()));
        dialog->close();
        ASSERT_TRUE(waitFor([&] {
            return runPage()->state() == RunPage::State::done &&
                   workbench_->jobs().jobs().isEmpty();
        }));
        ASSERT_TRUE(workbench_->run());
        ASSERT_EQ(workbench_->run()->isOfModel(), isOfModel);
    }
    const app::RunRecord& run() const { return *workbench_->run(); }
    const Graph& graph() const { return workbench_->document()->model->graph; }
    /// Milliseconds by kernel of the run of median time, computed from the file alone.
    std::map<std::string, double> kernelsOfTheFile() const {
        std::ifstream in(path_);
        const auto events = nlohmann::json::parse(in);
        std::vector<std::pair<double, double>> runs;  // durations and beginnings
        for (const auto& event : events)
            if (event["name"] == "model_run") runs.emplace_back(event["dur"], event["ts"]);
        EXPECT_FALSE(runs.empty());
        std::ranges::sort(runs);
        const auto [duration, begin] = runs.at((runs.size() - 1) / 2);
        std::map<std::string, double> ms;
        for (const auto& event : events) {
            const std::string name = event["name"];
            constexpr std::string_view end = "_kernel_time";
            if (!name.ends_with(end)) continue;
            double& sum = ms[name.substr(0, name.size() - end.size())];
            const double at = event["ts"];
            if (at >= begin && at < begin + duration) sum += event["dur"].get<double>() / 1e3;
        }
        return ms;
    }
    /// Everything of the page is there and adds up to what the file says.
    void checkThePage() {
        const auto kernels = kernelsOfTheFile();
        double whole = 0;
        for (const auto& [name, ms] : kernels) whole += ms;
        EXPECT_EQ(run().match.matched + run().match.unmatched.size(), kernels.size());
        EXPECT_NEAR(run().summary.kernel_ms, whole, 1e-6 * whole);
        auto* nodes = find<NodeTable>("nodeTable")->table()->model();
        ASSERT_EQ(nodes->rowCount(), int(kernels.size()));
        for (const NodeTotal& total : run().summary.nodes) {
            const auto known = kernels.find(total.name);
            ASSERT_NE(known, kernels.end()) << total.name;
            EXPECT_NEAR(total.ms, known->second, 1e-6) << total.name;
        }
        auto* bars = find<OperatorBars>("operatorBars")->model();
        std::set<std::string> operators;
        for (const NodeTotal& total : run().summary.nodes) operators.insert(total.op);
        EXPECT_EQ(bars->rowCount(), int(operators.size()) + 1);  // the session overhead
        const QString verdict = find<VerdictCard>("verdictCard")->verdict();
        const bool overhead_first =
            bars->index(0, 0).data().toString() == QLatin1String("session overhead");
        EXPECT_TRUE(verdict.contains(bars->index(overhead_first ? 1 : 0, 0).data().toString()))
            << verdict.toStdString();
        EXPECT_TRUE(verdict.contains(QString::fromStdString(run().summary.nodes.front().name)))
            << verdict.toStdString();
        const QString remarks = find<VerdictCard>("verdictCard")->remarks();
        EXPECT_TRUE(remarks.contains(QStringLiteral("Recorded by ONNX Runtime.")))
            << remarks.toStdString();
        EXPECT_TRUE(remarks.contains(QStringLiteral("are nodes of the open model and %1 are not")
                                         .arg(run().match.unmatched.size())))
            << remarks.toStdString();
        EXPECT_FALSE(runPage()->digest()->timeline.tracks.empty());
        for (const QLabel* label : find<VerdictCard>("verdictCard")->findChildren<QLabel*>())
            EXPECT_NE(label->text(), QStringLiteral("0 B")) << "unknown is a dash";
        EXPECT_EQ(runPage()->digest()->whole.kernels, std::int64_t(kernels.size()));
        auto* unmatched = find<UnmatchedTable>("unmatchedTable");
        EXPECT_EQ(unmatched->count(), int(run().match.unmatched.size()));
        auto* tabs = find<QTabWidget>("runTabs");
        EXPECT_EQ(tabs->isTabVisible(tabs->indexOf(unmatched)), unmatched->count() > 0);
    }
    NodeId nodeOf(const std::string& kernel) const {
        for (const NodeTotal& total : run().summary.nodes)
            if (total.name == kernel) return total.node;
        ADD_FAILURE() << "no kernel is called " << kernel;
        return {};
    }
    std::filesystem::path path_;
};

TEST_F(OnnxRuntimeProfileTest, ConvolutionsOfABlockedModelAreTheNodesOfTheModel) {
    open("squeezenet", "onnxruntime_squeezenet.json");
    if (HasFatalFailure()) return;
    checkThePage();
    // Each Conv of the model has its own kernel. Kernels that ONNX Runtime added belong to no node.
    std::set<NodeId> convolutions;
    for (const NodeId id : graph().nodes())
        if (graph().node(id).op_type == "Conv") convolutions.insert(id);
    ASSERT_EQ(convolutions.size(), 26u);
    for (const NodeTotal& total : run().summary.nodes) {
        if (total.op != "Conv") continue;
        EXPECT_EQ(convolutions.erase(total.node), 1u) << total.name;
    }
    EXPECT_TRUE(convolutions.empty());
    ASSERT_EQ(run().match.unmatched.size(), 1u);
    EXPECT_EQ(run().match.unmatched[0].name, "ReorderOutput");
    EXPECT_FALSE(run().match.unmatched[0].reason.empty());
}

TEST_F(OnnxRuntimeProfileTest, FusedKernelsAreTheNodesTheyAreNamedAfter) {
    open("bert-tiny", "onnxruntime_bert_tiny.json");
    if (HasFatalFailure()) return;
    checkThePage();
    EXPECT_EQ(graph().node(nodeOf("/bert/encoder/layer.0/attention/self/key/MatMul")).name,
              "/bert/encoder/layer.0/attention/self/key/MatMul");
    EXPECT_EQ(
        graph().node(nodeOf("/bert/encoder/layer.1/output/LayerNorm/Mul/LayerNormFusion/")).name,
        "/bert/encoder/layer.1/output/LayerNorm/Mul");
    EXPECT_EQ(
        graph().node(nodeOf("/bert/encoder/layer.0/attention/self/MatMul/MatMulScaleFusion/")).name,
        "/bert/encoder/layer.0/attention/self/MatMul");
    EXPECT_EQ(graph().node(nodeOf("fused /bert/pooler/Gemm")).name, "/bert/pooler/Gemm");
    std::set<std::string> unmatched;
    for (const UnmatchedKernel& kernel : run().match.unmatched) unmatched.insert(kernel.name);
    EXPECT_EQ(unmatched, (std::set<std::string>{"BiasGelu", "BiasGelu_token_1"}))
        << "names that ONNX Runtime makes of the operator";
}

TEST_F(OnnxRuntimeProfileTest, TheGraphShowsItsTimesAndTheTableLeadsThere) {
    open("squeezenet", "onnxruntime_squeezenet.json");
    if (HasFatalFailure()) return;
    auto* table = find<NodeTable>("nodeTable")->table();
    const NodeTotal& slowest = run().summary.nodes.front();
    ASSERT_EQ(table->model()->index(0, 0).data().toString().toStdString(), slowest.name);
    table->setCurrentIndex(table->model()->index(0, 0));
    EXPECT_EQ(workbench_->focus().node, slowest.node);
    emit table->activated(table->model()->index(0, 0));
    EXPECT_EQ(window_->currentPage(), QStringLiteral("graph"));
    auto* page = qobject_cast<GraphPage*>(window_->page(QStringLiteral("graph")));
    ASSERT_TRUE(waitFor([&] {
        return !page->isLayingOut() && workbench_->jobs().jobs().isEmpty() &&
               page->canvas()->values();
    }));
    const LeafValues& shown = *page->canvas()->values();
    const GraphOutline& outline = *page->canvas()->scene()->outline;
    std::size_t coloured = 0;
    for (const NodeTotal& total : run().summary.nodes) {
        if (!total.node) continue;
        const OutlineIndex leaf = outline.leafOf(0, total.node);
        ASSERT_NE(leaf, noIndex) << total.name;
        EXPECT_GT(shown.byLeaf[leaf], 0) << total.name;
        ++coloured;
    }
    EXPECT_EQ(coloured, run().match.matched);
    EXPECT_NEAR(shown.byLeaf[outline.leafOf(0, slowest.node)], slowest.ms, 1e-3 * slowest.ms);
    EXPECT_EQ(page->canvas()->selection().leaf, outline.leafOf(0, slowest.node));
}

// Opened beside another model: it stands alone, and no page credits its times to the model.
TEST_F(OnnxRuntimeProfileTest, AProfileOfAnotherModelIsCreditedToNothing) {
    showDocks();
    open("lenet", "onnxruntime_squeezenet.json", false);
    if (HasFatalFailure()) return;
    EXPECT_EQ(run().match.matched, 0u);
    EXPECT_FALSE(run().traced);
    const QString remarks = find<VerdictCard>("verdictCard")->remarks();
    EXPECT_TRUE(remarks.contains(
        QStringLiteral("onnxruntime_squeezenet.json, which is of no run of the open model")))
        << remarks.toStdString();
    auto* tabs = find<QTabWidget>("runTabs");
    EXPECT_FALSE(tabs->isTabVisible(tabs->indexOf(find<UnmatchedTable>("unmatchedTable"))));
    const QString card = find<InspectorPanel>("inspectorPanel")->plainText();
    EXPECT_TRUE(card.contains(QStringLiteral("Not measured yet"))) << card.toStdString();
    EXPECT_TRUE(workbench_->project().runs().empty());
    EXPECT_FALSE(find<QToolButton>("variantChip")->text().contains(QStringLiteral(" ms")));
    window_->showPage(QStringLiteral("graph"));
    auto* graph = qobject_cast<GraphPage*>(window_->page(QStringLiteral("graph")));
    ASSERT_TRUE(
        waitFor([&] { return !graph->isLayingOut() && workbench_->jobs().jobs().isEmpty(); }));
    EXPECT_FALSE(graph->canvas()->values());
    window_->showPage(QStringLiteral("run"));
    const NodeTotal& slowest = run().summary.nodes.front();
    EXPECT_FALSE(slowest.node);
    auto* table = find<NodeTable>("nodeTable")->table();
    emit table->activated(table->model()->index(0, 0));
    EXPECT_EQ(window_->currentPage(), QStringLiteral("run"));
}

}  // namespace
}  // namespace lapidary::views
