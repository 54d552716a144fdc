// SPDX-License-Identifier: Apache-2.0
// Optimizes a model, proves that the result computes the same, and saves it:
//   optimize_and_save MODEL.onnx OUT.onnx
#include <cstdio>

#include <lapidary/base/error.h>
#include <lapidary/export/export_model.h>
#include <lapidary/proof/guard.h>
#include <lapidary/onnx_io/model_io.h>

namespace {

/// False when the guard found a difference; nothing is written then.
bool optimize_and_save(const char* source, const char* target) {
    // Reads and checks the whole file. Large weights stay in the file, mapped: it has to stay as it
    // is meanwhile.
    const lapidary::Model model = lapidary::load_model(source);

    // What the result is for decides which operators it may contain; the level how far the
    // optimizer goes.
    lapidary::ExportOptions options;
    options.target = lapidary::ExportTarget::portable;  // any ONNX Runtime
    options.optimize.level = lapidary::Level::extended;
    const lapidary::ExportResult result = lapidary::export_model(model, options);

    // The report names every rewrite, and every place that a pass left alone although it almost
    // matched.
    const lapidary::PipelineReport& report = result.report;
    std::printf("%zu nodes became %zu\n", report.nodes_before, report.nodes_after);
    for (const lapidary::PassRun& pass : report.passes)
        if (pass.applied > 0) std::printf("  %s: %zu times\n", pass.pass.c_str(), pass.applied);
    for (const lapidary::NearMiss& miss : report.near_misses)
        std::printf("  %s left %s alone: %s\n", miss.pass.c_str(), miss.node_text.c_str(),
                    miss.reason.c_str());
    for (const std::string& note : result.notes) std::printf("note: %s\n", note.c_str());

    // Both models on the same generated inputs. An output that differs is named with the largest
    // difference.
    const lapidary::GuardReport guarded = lapidary::guard(model, result.model);
    if (!guarded.matches) {
        std::printf("the result differs: %s\n", guarded.failure.c_str());
        for (const lapidary::GuardOutput& output : guarded.outputs)
            if (!output.comparison.matches)
                std::printf("  %s: %s\n", output.name.c_str(), output.comparison.reason.c_str());
        return false;
    }

    // Its metadata says how it came about (passport.h). Saving is atomic: OUT is the old file or
    // the new one.
    lapidary::save_model(result.model, target);
    std::printf("the outputs agree; wrote %s\n", target);
    return true;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        std::fprintf(stderr, "usage: optimize_and_save MODEL.onnx OUT.onnx\n");
        return 2;
    }
    try {
        return optimize_and_save(argv[1], argv[2]) ? 0 : 1;
    } catch (const lapidary::Error&
                 error) {  // the only type that the engine throws for models, inputs and files
        std::fprintf(stderr, "%s\n", error.what());
        return 3;
    }
}
