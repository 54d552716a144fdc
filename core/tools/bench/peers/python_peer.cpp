// SPDX-License-Identifier: Apache-2.0
#include "bench/peers/python_peer.h"

#include <chrono>
#include <utility>

#include <nlohmann/json.hpp>

#include <lapidary/base/error.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/internal/parse_json.h>
#include <lapidary/internal/scratch_folder.h>
#include <lapidary/tensor/tensor_file.h>

#include "bench/process/child_process.h"

namespace lapidary {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr std::chrono::milliseconds longest{600'000};

/// The child process and its protocol: commands and answers are lines of JSON. The Python process
/// measures the times.
class PythonChild {
public:
    PythonChild(const fs::path& python, const PeerPackage& package)
        : package_(package), program_({python.string(), "-c", running_program(package)}) {
        try {
            version_ = answer().value("version", "");
        } catch (const Error& error) {
            fail_unsupported(python.string() + " cannot use its package " + package.module + ": " +
                             error.message());
        }
    }
    const std::string& version() const { return version_; }

    Json order(const Json& what, const CancelToken& cancel = {}) {
        program_.write_line(what.dump(-1, ' ', false, Json::error_handler_t::replace));
        return answer(cancel);
    }

private:
    Json answer(const CancelToken& cancel = {}) {
        const std::string line = program_.read_line(longest, cancel);
        const std::string title = package_.title;
        Json json = parse_json(line, ("the answer of " + title + "'s Python process").c_str());
        if (!json.is_object())
            fail(ErrorCode::io_failure, title + "'s Python process answered " + quote(line));
        if (json.contains("error"))
            fail_unsupported(title + ": " + json["error"].get<std::string>());
        return json;
    }

    const PeerPackage& package_;
    ChildProgram program_;
    std::string version_;
};

int python_level(Level level) { return level == Level::all ? 99 : static_cast<int>(level); }

class PythonEngine final : public BenchEngine {
public:
    PythonEngine(const fs::path& python, const PeerPackage& package,
                 const BenchConfiguration& configuration, CancelToken cancel)
        : child_(python, package), cancel_(std::move(cancel)) {
        Json order = {{"do", "load"},
                      {"model", configuration.model.string()},
                      {"level", python_level(configuration.level)},
                      {"intra", configuration.resources.threads},
                      {"inter", configuration.resources.nodes_at_a_time()},
                      {"format", is_ort_format(configuration.model) ? "ORT" : "ONNX"},
                      {"inputs", Json::array()}};
        for (std::size_t i = 0; i < configuration.inputs.size(); ++i) {
            const auto& [name, value] = configuration.inputs[i];
            if (!value.is_tensor())
                fail_unsupported("input " + quote(name) + " is no tensor; " + package.title +
                                 " is given tensors only");
            if (widen_for_numpy(value.tensor()).dtype() != value.tensor().dtype() ||
                value.tensor().dtype() == DType::string)
                fail_unsupported("input " + quote(name) + " is " + value.describe() + ", which " +
                                 package.title + "'s Python package is not given" +
                                 (package.decodes ? "" : "; its C library is"));
            const fs::path file = folder_.path() / ("in" + std::to_string(i) + ".npy");
            save_npy(file, value.tensor());
            order["inputs"].push_back({name, file.string()});
        }
        load_ms_ = child_.order(order, cancel_).at("load_ms").get<double>();
    }

    Times burst(int lead, int runs) override {
        const Json times = child_.order({{"do", "burst"}, {"lead", lead}, {"runs", runs}}, cancel_);
        return {times.at("wall_ms").get<double>(), times.at("cpu_ms").get<double>(),
                times.at("waited_ms").get<double>()};
    }

    NamedValues outputs() override {
        NamedValues values;
        const Json answer =
            child_.order({{"do", "outputs"}, {"folder", folder_.path().string()}}, cancel_);
        for (const Json& file : answer.at("files"))
            values.emplace_back(file.at(0).get<std::string>(),
                                load_npy(file.at(1).get<std::string>()));
        return values;
    }

    double load_ms() const override { return load_ms_; }
    double peak_mb() const override {
        return child_.order({{"do", "peak"}}).at("peak_mb").get<double>();
    }

private:
    ScratchFolder folder_;
    mutable PythonChild child_;
    CancelToken cancel_;
    double load_ms_ = 0;
};

class PythonPeer final : public BenchPeer {
public:
    PythonPeer(fs::path python, const PeerPackage& package)
        : package_(package), python_(std::move(python)),
          version_(PythonChild(python_, package).version()) {}
    const std::string& version() const override { return version_; }
    const fs::path& path() const override { return python_; }
    std::unique_ptr<BenchEngine> open(const BenchConfiguration& configuration,
                                      const CancelToken& cancel) const override {
        return std::make_unique<PythonEngine>(python_, package_, configuration, cancel);
    }

private:
    const PeerPackage& package_;
    fs::path python_;
    std::string version_;
};

}  // namespace

std::unique_ptr<BenchPeer> open_python_peer(const fs::path& python, const PeerPackage& package) {
    return std::make_unique<PythonPeer>(python, package);
}

}  // namespace lapidary
