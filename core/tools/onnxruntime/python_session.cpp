// SPDX-License-Identifier: Apache-2.0
#include <chrono>

#include <nlohmann/json.hpp>

#include <lapidary/base/error.h>
#include <lapidary/internal/parse_json.h>
#include <lapidary/internal/scratch_folder.h>
#include <lapidary/tensor/tensor_file.h>
#include <lapidary/profile/trace_file.h>

#include "bench/process/child_process.h"
#include "bench/onnxruntime/onnxruntime_values.h"
#include "onnxruntime/open_session.h"

namespace lapidary {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

// Orders as JSON lines in, answers as JSON lines out.
constexpr const char* script =
#include "onnxruntime/python_session_script.inc"
    ;

constexpr std::chrono::milliseconds longest{600'000};

class PythonProcess {
public:
    PythonProcess(const fs::path& python, const CancelToken& cancel)
        : python_(python), program_({python.string(), "-c", script}) {
        try {
            const Json reported = answer(cancel);
            package_ = {reported.at("version").get<std::string>(),
                        reported.at("providers").get<std::vector<std::string>>()};
        } catch (const Error& error) {
            if (error.code() == ErrorCode::cancelled) throw;
            fail_unsupported(python.string() +
                             " cannot use its package onnxruntime: " + error.message());
        }
    }
    const PythonPackage& package() const { return package_; }

    Json order(const Json& what, const CancelToken& cancel) {
        program_.write_line(what.dump(-1, ' ', false, Json::error_handler_t::replace));
        return answer(cancel);
    }

private:
    Json answer(const CancelToken& cancel) {
        const std::string line = program_.read_line(longest, cancel);
        const Json json = parse_json(line, "the answer of ONNX Runtime's Python process");
        if (!json.is_object())
            fail(ErrorCode::io_failure, "ONNX Runtime's Python process answered " + quote(line));
        if (json.contains("error"))
            fail_unsupported("ONNX Runtime " + package_.version + " (" + python_.string() +
                             "): " + json["error"].get<std::string>());
        return json;
    }

    fs::path python_;
    ChildProgram program_;
    PythonPackage package_;
};

Json providers_json(const std::vector<OnnxRuntimeProvider>& providers) {
    Json list = Json::array();
    for (const OnnxRuntimeProvider& provider : providers)
        list.push_back({short_provider_name(provider.name), provider.options});
    return list;
}

Json texts_json(const std::vector<fs::path>& files) {
    Json list = Json::array();
    for (const fs::path& file : files) list.push_back(fs::absolute(file).string());
    return list;
}

class PythonSession final : public EngineSession {
public:
    PythonSession(const fs::path& python, const EngineRequest& request, const CancelToken& cancel)
        : process_(python, cancel) {
        const OnnxRuntimeOptions& options = request.options;
        if (!options.provider_libraries.empty())
            fail_unsupported(
                "the package of " + python.string() +
                " has no C library: libraries of providers cannot be registered with it");
        Json order{{"do", "open"},
                   {"model", request.file.string()},
                   {"level", onnxruntime_level(options.level)},
                   {"intra", options.resources.threads},
                   {"inter", options.resources.inter_threads},
                   {"parallel", options.resources.mode == ExecutionMode::parallel},
                   {"config", config_entries(request, version())},
                   {"dimensions", options.free_dimensions},
                   {"profile", request.profile_prefix.string()},
                   {"optimized", options.optimized_model.string()},
                   {"custom", texts_json(options.custom_operators)},
                   {"providers", providers_json(options.providers)},
                   {"inputs", Json::array()}};
        for (std::size_t i = 0; i < request.inputs.size(); ++i)
            order["inputs"].push_back(
                saved_input(i, request.inputs[i].first, request.inputs[i].second));
        load_ms_ = process_.order(order, cancel).at("load_ms").get<double>();
    }

    const std::string& version() const override { return process_.package().version; }
    double load_ms() const override { return load_ms_; }
    double run(int runs, const CancelToken& cancel) override {
        return process_.order({{"do", "run"}, {"runs", runs}}, cancel).at("run_ms").get<double>();
    }
    void run_once() override { run(1, {}); }
    NamedValues outputs() override {
        NamedValues values;
        const Json answer =
            process_.order({{"do", "outputs"}, {"folder", folder_.path().string()}}, {});
        for (const Json& file : answer.at("files"))
            values.emplace_back(file.at(0).get<std::string>(),
                                load_npy(file.at(1).get<std::string>()));
        return values;
    }
    Profile end_profiling(const CancelToken& cancel) override {
        return load_trace(process_.order({{"do", "end"}}, cancel).at("profile").get<std::string>(),
                          cancel)
            .profile;
    }

private:
    Json saved_input(std::size_t i, const std::string& name, const RuntimeValue& value) {
        if (!value.is_tensor())
            fail_unsupported("input " + quote(name) +
                             " is no tensor; ONNX Runtime is given tensors only");
        const Tensor& tensor = value.tensor();
        if (tensor.dtype() == DType::string || widen_for_numpy(tensor).dtype() != tensor.dtype())
            fail_unsupported(
                "input " + quote(name) + " is " + value.describe() +
                ", which ONNX Runtime's Python package is not given; its C library is");
        const fs::path file = folder_.path() / ("in" + std::to_string(i) + ".npy");
        save_npy(file, tensor);
        return {name, file.string()};
    }

    ScratchFolder folder_;
    PythonProcess process_;
    double load_ms_ = 0;
};

}  // namespace

PythonPackage ask_python_package(const fs::path& python, const CancelToken& cancel) {
    return PythonProcess(python, cancel).package();
}

std::unique_ptr<EngineSession> open_python_session(const fs::path& python,
                                                   const EngineRequest& request,
                                                   const CancelToken& cancel) {
    return std::make_unique<PythonSession>(python, request, cancel);
}

}  // namespace lapidary
