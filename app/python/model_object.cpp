// SPDX-License-Identifier: Apache-2.0
#include "python/model_object.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <lapidary/advice/near_miss_groups.h>
#include <lapidary/base/error.h>
#include <lapidary/export/export_model.h>
#include <lapidary/inputs/samples.h>
#include <lapidary/internal/scratch_folder.h>
#include <lapidary/internal/text_file.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/report/model_summary.h>
#include <lapidary/report/pipeline_json.h>

#include "cli/inspect/info_json.h"
#include "cli/options/level_options.h"
#include "cli/options/size_options.h"
#include "cli/options/value_checks.h"
#include "worker/models/edited_model.h"

#include "python/given_options.h"
#include "python/made_objects.h"
#include "python/waiting_call.h"

namespace lapidary::python {
namespace py = pybind11;

namespace {

HeldModel held(Model model) { return {std::make_shared<const Model>(std::move(model))}; }

HeldModel open_model(const std::filesystem::path& path, std::int64_t channel_block,
                     const py::object& on_progress) {
    HeldModel opened;
    run_or_raise(on_progress, [&](const Progress& progress) {
        opened = held(load_model(path, {.channel_block = channel_block}, progress));
    });
    return opened;
}

HeldModel sample_model(const std::string& name, std::uint64_t seed) {
    const py::gil_scoped_release released;
    return held(build_sample(name, seed));
}

HeldModel model_of_bytes(const py::bytes& bytes, const std::filesystem::path& folder) {
    const std::string_view text = bytes;
    const py::gil_scoped_release released;
    return held(
        load_model_from_memory(std::as_bytes(std::span(text.data(), text.size())), {}, folder));
}

std::vector<std::string> save(const HeldModel& self, const std::filesystem::path& path,
                              std::optional<std::uint64_t> external_data, bool overwrite,
                              const py::object& on_progress) {
    std::vector<std::string> notes;
    run_or_raise(on_progress, [&](const Progress& progress) {
        notes = save_model(*self.model, path, {external_data, overwrite}, progress);
    });
    return notes;
}

/// The file that save_model() would write, without data beside it.
py::bytes to_bytes(const HeldModel& self) {
    constexpr std::uint64_t most_bytes = std::uint64_t{2} << 30;
    std::string text;
    {
        const py::gil_scoped_release released;
        const ScratchFolder folder;
        const std::filesystem::path file = folder.path() / "model.onnx";
        save_model(*self.model, file);
        if (std::filesystem::exists(file.string() + ".data"))
            fail_unsupported(
                "the model has more than 2 GB, which one ONNX message cannot hold: "
                "save it to a file");
        text = load_text(file, most_bytes);
    }
    return py::bytes(text);
}

/// Options of `lapidary-cli optimize` that make a model, by the same names.
struct OptimizeRequest {
    ExportOptions exporting;
    std::optional<bool> session_passes;  // empty: the level decides

    void declare(cli::OptionList& options) {
        OptimizeOptions& optimizing = exporting.optimize;
        cli::Option& level = cli::add_level(
            options, "--level", [&optimizing](Level value) { optimizing.level = value; },
            "How far to go");
        options.take(
            "--target", "portable|plain|cpu",
            [this, &level](const std::string& name) {
                exporting.target = target_from_name(name);
                if (!exporting.target)
                    fail_input("target: expected portable, plain or cpu, found " + quote(name));
                if (!level.is_given()) exporting.optimize.level = info_of(*exporting.target).level;
            },
            "What the model is for");
        cli::add_pass_choice(options, optimizing);
        cli::add_session_passes(options, session_passes);
        options.value("--stop-after", "N", optimizing.stop_after, "Stop after so many rewrites")
            .checked_by(cli::count_problem);
        cli::add_dimensions(options, optimizing.free_dimensions);
        options.value("--static-batch", "N", exporting.static_batch, "First dimension of inputs")
            .positive();
        options.value("--opset", "N", exporting.opset, "Opset of ai.onnx to convert to");
        options.value("--keep-output", "NAME", optimizing.keep_outputs, "Output to keep")
            .repeatable();
    }
};

/// The optimized model, and the report of the pipeline as JSON with the notes of the export.
py::tuple optimize_model(const HeldModel& self, const std::vector<std::string>& arguments,
                         const py::object& on_progress) {
    HeldModel made;
    std::string report;
    std::vector<std::string> notes;
    OptimizeRequest request;
    parse_given("optimize", arguments,
                [&request](cli::OptionList& options) { request.declare(options); });
    run_or_raise(on_progress, [&](const Progress& progress) {
        ExportResult result = export_model(*self.model, request.exporting, progress);
        const OptimizeOptions& optimizing = request.exporting.optimize;
        if (!optimizing.stop_after)
            explain_session_passes(result.model, optimizing,
                                   session_passes_for(request.session_passes, optimizing.level),
                                   result.report, progress);
        const TimeShares shares =
            estimated_shares(result.model, optimizing.free_dimensions, progress);
        report = pipeline_json(result.report, &result.model, shares);
        notes = result.notes;
        made = held(std::move(result.model));
    });
    return py::make_tuple(made, report, notes);
}

HeldModel edit_model(const HeldModel& self, const std::string& script,
                     const py::object& on_progress) {
    HeldModel made;
    run_or_raise(on_progress, [&](const Progress& progress) {
        made.model = app::edited_model(self.model, script, progress);
    });
    return made;
}

std::string info_text(const HeldModel& self) {
    const py::gil_scoped_release released;
    return cli::info_json(*self.model, summarize(*self.model)).dump();
}

}  // namespace

void add_model_class(py::module_& module) {
    py::class_<HeldModel> type(module, "Model");
    refuse_construction(type);
    type.def_property_readonly("path", [](const HeldModel& m) { return m.model->path.string(); })
        .def("info", &info_text)
        .def("to_bytes", &to_bytes)
        .def("save", &save, py::arg("path"), py::arg("external_data") = py::none(),
             py::arg("overwrite") = false, py::arg("on_progress") = py::none());
    module.def("open_model", &open_model, py::arg("path"), py::arg("channel_block") = 0,
               py::arg("on_progress") = py::none());
    module.def("sample_model", &sample_model, py::arg("name"), py::arg("seed") = 1);
    module.def("model_of_bytes", &model_of_bytes, py::arg("bytes"), py::arg("folder") = "");
    module.def("optimize_model", &optimize_model, py::arg("model"), py::arg("arguments"),
               py::arg("on_progress") = py::none());
    module.def("optimize_options", [] {
        OptimizeRequest request;
        return described_options(
            [&request](cli::OptionList& options) { request.declare(options); });
    });
    module.def("edit_model", &edit_model, py::arg("model"), py::arg("script"),
               py::arg("on_progress") = py::none());
    module.def("samples", [] {
        std::vector<std::pair<std::string, std::string>> samples;
        for (const SampleInfo& sample : list_samples())
            samples.emplace_back(sample.name, sample.summary);
        return samples;
    });
}

}  // namespace lapidary::python
