// SPDX-License-Identifier: Apache-2.0
// A window on the Optimize page, and small models that do and do not fuse.
#pragma once

#include <algorithm>

#include "views/graph_models.h"
#include "optimize/level_cards.h"
#include "optimize/optimize_page.h"
#include "optimize/step_bar.h"
#include "views/window_fixture.h"

namespace lapidary::views {

/// x -> Sigmoid(1.702 x) -> times another input instead of x: almost a quick GELU.
inline ModelPtr nearMissModel() {
    auto model = std::make_unique<Model>();
    model->opset_imports[""] = 17;
    GraphEdit edit(model->graph);
    edit.set_default_version(17);
    const ValueId x = edit.add_input("x", float_type({2, 8})),
                  other = edit.add_input("other", float_type({2, 8}));
    const ValueId scale = edit.add_initializer("scale", Tensor::of<float>({}, {1.702f}));
    const ValueId scaled = edit.node("Mul", {x, scale}, {}, "scaled");
    const ValueId gate = edit.node("Sigmoid", {scaled}, {}, "gate");
    const ValueId y = edit.node("Mul", {other, gate}, {}, "gated", "y");
    edit.add_output(y);
    edit.finish();
    return finished(std::move(model));
}

/// Two operators that no pass has anything to do with.
inline ModelPtr plainModel() {
    auto model = std::make_unique<Model>();
    model->opset_imports[""] = 17;
    GraphEdit edit(model->graph);
    edit.set_default_version(17);
    ValueId v = edit.add_input("x", float_type({2, 8}));
    v = edit.node("Sin", {v}, {}, "sine");
    v = edit.node("Softmax", {v}, {}, "shares", "y");  // no kernel takes both
    edit.add_output(v);
    edit.finish();
    return finished(std::move(model));
}

class OptimizeTest : public WindowTest {
protected:
    OptimizePage* page() const {
        return qobject_cast<OptimizePage*>(window_->page(QStringLiteral("optimize")));
    }
    LevelCards* cards() const { return page()->findChild<LevelCards*>(); }
    /// Every level was tried and the step is drawn.
    bool optimized() {
        return waitFor([this] {
            return workbench_->variants().isIdle() && page()->variant() && !page()->isDrawing() &&
                   page()->shownStep() >= 0;
        });
    }
    bool settled() {
        return waitFor([this] {
            return workbench_->variants().isIdle() && !page()->isDrawing() &&
                   page()->shownStep() == page()->stepBar()->step() &&
                   page()->variant() == workbench_->variants().find(page()->recipe());
        });
    }
    void openAndOptimize(const char* sample) {
        openSample(sample);
        window_->showPage(QStringLiteral("optimize"));
        ASSERT_TRUE(optimized());
    }
};

}  // namespace lapidary::views
