// SPDX-License-Identifier: Apache-2.0
#include "worker/models/edited_model.h"

#include <algorithm>
#include <memory>
#include <utility>

#include <lapidary/base/error.h>
#include <lapidary/ops/infer.h>

namespace lapidary::app {
namespace {

EditReport edit(Model& model, const std::string& text, EditOptions options,
                const Progress& progress) {
    EditScript script = parse_edit_script(text);
    script.folder = model.path.parent_path();
    infer_types(model, {}, progress);
    return apply_edits(model, script, options, progress);
}

}  // namespace

ModelPtr edited_model(const ModelPtr& model, const std::string& script, const Progress& progress) {
    if (script.empty()) return model;
    progress.step("edit");
    Model edited = *model;
    edit(edited, script, {}, progress);
    return std::make_shared<const Model>(std::move(edited));
}

ModelPtr edited_model(const ModelPtr& model, const std::string& script, std::size_t lines,
                      const Progress& progress) {
    EditScript first = parse_edit_script(script);
    first.lines.resize(std::min(lines, first.lines.size()));
    return edited_model(model, to_string(first), progress);
}

ModelPtr edited_after_level(const ModelPtr& optimized, const std::string& script,
                            const Progress& progress) {
    try {
        return edited_model(optimized, script, progress);
    } catch (Error& error) {
        error.at("edits after the level");
        throw;
    }
}

std::vector<AppliedRewrite> rewrites_of_edits(const Model& edited, const std::string& script,
                                              std::size_t begin) {
    const std::vector<Rewrite>& history = edited.graph.history();
    const std::vector<EditLine> lines = parse_edit_script(script).lines;
    std::vector<AppliedRewrite> rewrites;
    std::size_t at = std::min(begin, history.size());
    for (const EditLine& line : lines) {
        AppliedRewrite applied;
        applied.level = Level::user;
        applied.rewrite.pass = "edit";
        applied.rewrite.remark = line.text;
        const auto found = std::find_if(
            history.begin() + std::ptrdiff_t(at), history.end(), [&](const Rewrite& past) {
                return past.pass == applied.rewrite.pass && past.remark == line.text;
            });
        if (found != history.end()) {
            applied.rewrite = *found;
            at = std::size_t(found - history.begin()) + 1;
        }
        rewrites.push_back(std::move(applied));
    }
    return rewrites;
}

ModelPtr edited_model_as_it_is(const ModelPtr& model, const std::string& script,
                               std::vector<EditProblem>& problems, const Progress& progress) {
    progress.step("edit");
    Model edited = *model;
    problems = edit(edited, script, {.strict = false}, progress).problems;
    return std::make_shared<const Model>(std::move(edited));
}

EditReport try_edits(const Model& model, const std::string& script, const Progress& progress) {
    Model edited = model;
    return edit(edited, script, {.strict = false, .dry_run = true}, progress);
}

}  // namespace lapidary::app
