// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <lapidary/base/error.h>
#include <lapidary/base/quantity_text.h>
#include <lapidary/export/release.h>

#include "export/release_kernels.h"
#include "export/release_operator.h"
#include "graph/copy_model.h"
#include "graph/traversal.h"
#include "passes/lowering/lowering.h"
#include "passes/lowering/mend_for_readers.h"
#include "passes/opset/convert_opset.h"
#include "passes/opset/lower_opset.h"

namespace lapidary {
namespace {

constexpr std::size_t listed_needs = 5;
constexpr std::int64_t first_opset_with_kernels = 7, usual_opset = 13;

class ReleaseFitter {
public:
    ReleaseFitter(Model& model, int minor, const Progress& progress)
        : model_(model), minor_(minor), release_(runtime_release(minor)), progress_(progress) {}

    std::vector<std::string> run() {
        notes_ = mend_for_readers(model_, progress_).notes;
        if (minor_ > release_.minor)
            notes_.insert(notes_.begin(),
                          fmt::format("{} is not known here; the model is made for 1.{}, the "
                                      "newest known",
                                      name(), release_.minor));
        lower("", release_.opset);
        lower("ai.onnx.ml", release_.ml_opset);
        write_out();
        move_to_kernels();
        if (model_.ir_version > release_.ir_version)
            if (std::string note = write_least_ir_version(model_); !note.empty())
                notes_.push_back(std::move(note));
        refuse_the_rest();
        report_other_devices();
        return std::move(notes_);
    }

private:
    std::string name() const { return fmt::format("ONNX Runtime 1.{}", minor_); }

    void lower(const std::string& domain, std::int64_t newest) {
        const std::int64_t found = model_.opset(domain);
        if (found <= newest) return;
        std::vector<AppliedRewrite> rewritten;
        try {
            const std::int64_t ir_version = model_.ir_version;
            if (domain.empty()) rewritten = convert_opset(model_, newest, progress_);
            else lower_opset(model_, domain, newest, progress_);
            model_.ir_version = ir_version;  // lowered, with a note, where the release asks for it
        } catch (const Error& error) {
            // The older form may forbid what the newer one allows.
            if (error.code() != ErrorCode::not_supported &&
                error.code() != ErrorCode::invalid_model)
                throw;
            fail_unsupported(fmt::format("{} reads opset {}{} at most, the model is of {}: {}",
                                         name(), newest, domain.empty() ? "" : " of " + domain,
                                         found, error.what()));
        }
        notes_.push_back(fmt::format("opset {}{} in place of {}{}: {} reads no newer one", newest,
                                     domain.empty() ? "" : " of " + domain, found,
                                     rewritten.empty() ? ", of which nothing is used" : "",
                                     name()));
        for (const AppliedRewrite& applied : rewritten)
            notes_.push_back(fmt::format("for opset {}: {}{}", newest, applied.rewrite.remark,
                                         in_graph(applied.place)));
    }

    /// Expands operators that the release does not know into operators of ONNX.
    void write_out() {
        const auto is_newer = [this](const Graph& graph, const Node& node) {
            const ReleaseNeed need = release_need(graph, node);
            return (need.minor > minor_ && !need.reason.empty()) ||
                   (node.domain == "com.microsoft" && lacks_kernel(graph, node));
        };
        bool any = false;
        for_each_graph(model_.graph, [&](const Graph& graph, const std::string&) {
            for (const NodeId id : graph.nodes()) any = any || is_newer(graph, graph.node(id));
        });
        if (!any) return;
        const LoweringResult lowered = lower_contrib(model_, is_newer, progress_);
        for (const AppliedRewrite& applied : lowered.rewrites)
            if (applied.rewrite.pass != "eliminate_dead_nodes")
                notes_.push_back(
                    fmt::format("written out in ONNX operators, for {} does not know it: {}{}",
                                name(), applied.rewrite.remark, in_graph(applied.place)));
    }

    bool lacks_kernel(const Graph& graph, const Node& node) const {
        const KernelNeed need = kernel_need(graph, node);
        return !need.reason.empty() && !need.may_run_elsewhere &&
               (need.minor == 0 || need.minor > minor_);
    }

    bool lacks_kernels(const Model& model) const {
        bool lacks = false;
        for_each_graph(model.graph, [&](const Graph& graph, const std::string&) {
            for (const NodeId id : graph.nodes())
                lacks = lacks || lacks_kernel(graph, graph.node(id));
        });
        return lacks;
    }

    /// A release may read an opset of whose operators it has kernels for an older version alone,
    /// and has none for those before opset 7.
    void move_to_kernels() {
        if (!model_.functions.empty() || !lacks_kernels(model_)) return;
        const std::int64_t found = model_.opset();
        const auto use = [&](Model&& other) {
            model_ = std::move(other);
            notes_.push_back(
                fmt::format("opset {} in place of {}, for which {} has not all kernels",
                            model_.opset(), found, name()));
        };
        try {
            if (found < first_opset_with_kernels) {
                Model raised = copy_model(model_, progress_.cancel);
                convert_opset(raised, std::min(usual_opset, release_.opset), progress_);
                if (!lacks_kernels(raised)) use(std::move(raised));
                return;
            }
            Model lowered = copy_model(model_, progress_.cancel);
            for (std::int64_t opset = found - 1; opset >= usual_opset; --opset) {
                convert_opset(lowered, opset, progress_);
                if (!lacks_kernels(lowered)) return use(std::move(lowered));
            }
        } catch (const Error& error) {
            if (error.code() != ErrorCode::not_supported &&
                error.code() != ErrorCode::invalid_model)
                throw;
            // Remaining reasons are reported below.
        }
    }

    void report_other_devices() {
        std::set<std::string> reported;
        for_each_graph(model_.graph, [&](const Graph& graph, const std::string& place) {
            for (const NodeId id : graph.nodes()) {
                const Node& node = graph.node(id);
                const KernelNeed need = kernel_need(graph, node);
                if (!need.may_run_elsewhere ||
                    !reported.insert(node.domain + "::" + node.op_type + need.reason).second)
                    continue;
                notes_.push_back(fmt::format(
                    "{}{}: {}, another execution provider of {} has to run it", node.describe(),
                    &graph == &model_.graph ? "" : " in " + place, need.reason, name()));
            }
        });
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
        if (count > 0)
            fail_unsupported(fmt::format("{} does not read the model: {}", name(), list));
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
