// SPDX-License-Identifier: Apache-2.0
// Files that ONNX Runtime writes of a model: ONNX, and its own format.
#include <lapidary/base/error.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/internal/scratch_folder.h>

#include "base/files/atomic_file.h"
#include "base/files/mapped_file.h"
#include "onnxruntime/open_session.h"

namespace lapidary {
namespace {

namespace fs = std::filesystem;

// bytes, between looks at the cancel token
constexpr std::size_t copied_at_once = std::size_t{16} << 20;

bool is_named_ort(const fs::path& path) { return path.extension() == ".ort"; }

/// Makes a session that writes its model as `to`, in its own format where that is the ending.
OnnxRuntimeWriter session_writes(EngineRequest request, const fs::path& to,
                                 const Progress& progress) {
    request.options.optimized_model = to;
    if (is_named_ort(to)) request.options.resources.config["session.save_model_format"] = "ORT";
    OnnxRuntimeWriter writer;
    writer.version = open_engine_session(request, writer.path, progress.cancel)->version();
    return writer;
}

/// `out` holds the whole file or what it held before.
void copy_whole(const fs::path& from, const fs::path& out, AtomicFile::Replace replace,
                const Progress& progress) {
    const auto source = MappedFile::open(from, MappedFile::Reading::in_passing);
    AtomicFile file(out, replace);
    const std::span<const std::byte> bytes = source->bytes();
    for (std::size_t at = 0; at < bytes.size(); at += copied_at_once) {
        progress.cancel.throw_if_cancelled();
        file.write(bytes.subspan(at, std::min(copied_at_once, bytes.size() - at)));
    }
    file.commit();
}

}  // namespace

OnnxRuntimeWriter write_onnxruntime_model(const fs::path& file, const fs::path& out,
                                          const OnnxRuntimeOptions& options,
                                          const Progress& progress) {
    const ScratchFolder folder;
    EngineRequest request{file, options, {}, {}};
    if (is_ort_format(file)) {  // which ONNX Runtime neither optimizes nor writes again
        request.file = folder.path() / "source.onnx";
        save_model(load_model(file, {}, progress), request.file, {}, progress);
    }
    progress.step("optimize in ONNX Runtime");
    const fs::path made = folder.path() / (is_named_ort(out) ? "optimized.ort" : "optimized.onnx");
    OnnxRuntimeWriter writer = session_writes(std::move(request), made, progress);
    const Model model = load_model(made, {}, progress);
    writer.nodes = model.graph.nodes().size();
    if (is_named_ort(out)) copy_whole(made, out, AtomicFile::Replace::no_input, progress);
    else save_model(model, out, {}, progress);
    return writer;
}

OnnxRuntimeWriter save_ort_model(const Model& model, const fs::path& out, bool overwrite_source,
                                 OnnxRuntimeOptions options, const Progress& progress) {
    try {
        if (!is_named_ort(out))
            fail_input("ONNX Runtime's own format is written to files that end in .ort");
        std::error_code ignored;
        const bool is_source = !model.path.empty() && fs::equivalent(model.path, out, ignored);
        if (is_source && !overwrite_source)
            fail_input("this is the file that the model was read from; choose another one");
        const ScratchFolder folder;
        EngineRequest request{folder.path() / "model.onnx", std::move(options), {}, {}};
        save_model(model, request.file, {}, progress);
        progress.step("write with ONNX Runtime");
        const fs::path made = folder.path() / "model.ort";
        OnnxRuntimeWriter writer = session_writes(std::move(request), made, progress);
        writer.nodes = load_model(made, {}, progress).graph.nodes().size();
        copy_whole(made, out, is_source ? AtomicFile::Replace::any : AtomicFile::Replace::no_input,
                   progress);
        return writer;
    } catch (Error& e) { throw e.at("writing " + out.string() + " with your own ONNX Runtime"); }
}

}  // namespace lapidary
