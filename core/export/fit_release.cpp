// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>
#include <lapidary/error.h>
#include <lapidary/quantity_text.h>
#include <lapidary/release.h>

#include "export/release_operator.h"
#include "passes/lowering/lowering.h"
#include "passes/lowering/mend_for_readers.h"
#include "passes/opset/lower_opset.h"

namespace lapidary {
namespace {

constexpr std::size_t listed_needs = 5;

class ReleaseFitter {
public:
    ReleaseFitter(Model& model, int minor, const Progress& progress)
        : model_(model), minor_(minor), release_(runtime_release(minor)), progress_(progress) {}

    std::vector<std::string> run() {
        notes_ = mend_for_readers(model_, progress_).notes;
        lower("", release_.opset);
        lower("ai.onnx.ml", release_.ml_opset);
        write_out();
        if (model_.ir_version > release_.ir_version)
            if (std::string note = write_least_ir_version(model_); !note.empty()) notes_.push_back(std::move(note));
        refuse_the_rest();
        return std::move(notes_);
    }

private:
    std::string name() const { return fmt::format("ONNX Runtime 1.{}", minor_); }

    void lower(const std::string& domain, std::int64_t newest) {
        const std::int64_t found = model_.opset(domain);
        if (found <= newest) return;
        try {
            lower_opset(model_, domain, newest, progress_);
        } catch (const Error& error) {
            if (error.code() != ErrorCode::not_supported) throw;
            fail_unsupported(fmt::format("{} reads opset {}{} at most, the model is of {}: {}", name(), newest,
                                         domain.empty() ? "" : " of " + domain, found, error.message()));
        }
        notes_.push_back(fmt::format("opset {}{} in place of {}, of which nothing is used: {} reads no newer one",
                                     newest, domain.empty() ? "" : " of " + domain, found, name()));
    }

    /// Operators that the release does not know, in those of ONNX.
    void write_out() {
        const auto is_newer = [this](const Graph& graph, const Node& node) {
            return release_need(graph, node).minor > minor_ && !release_need(graph, node).reason.empty();
        };
        const bool any = std::ranges::any_of(release_needs(model_), [&](const ReleaseNeed& need) {
            return need.minor > minor_ && need.reason.starts_with("node");
        });
        if (!any) return;
        const LoweringResult lowered = lower_contrib(model_, is_newer, progress_);
        for (const AppliedRewrite& applied : lowered.rewrites)
            if (applied.rewrite.pass != "eliminate_dead_nodes")
                notes_.push_back(fmt::format("written out in ONNX operators, for {} does not know it: {}{}", name(),
                                             applied.rewrite.remark, in_graph(applied.place)));
    }

    void refuse_the_rest() const {
        std::string list;
        std::size_t count = 0;
        for (const ReleaseNeed& need : release_needs(model_)) {
            if (need.minor != 0 && need.minor <= minor_) continue;
            if (count++ >= listed_needs) continue;
            const std::string from = need.minor == 0 ? std::string("no release known here takes it")
                                                     : fmt::format("from 1.{} on", need.minor);
            list += fmt::format("{}{} ({})", list.empty() ? "" : "; ", need.reason, from);
        }
        if (count > listed_needs) list += fmt::format("; and {} more", count - listed_needs);
        if (count > 0) fail_unsupported(fmt::format("{} does not read the model: {}", name(), list));
    }

    Model& model_;
    int minor_;
    const RuntimeRelease& release_;
    const Progress& progress_;
    std::vector<std::string> notes_;
};

}  // namespace

std::vector<std::string> fit_release(Model& model, int minor, const Progress& progress) {
    return ReleaseFitter(model, minor, progress).run();
}

}  // namespace lapidary
