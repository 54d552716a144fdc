// SPDX-License-Identifier: Apache-2.0
#include <lapidary/error.h>

#include "bench/in_process_engine.h"
#include "onnxruntime/engine_session.h"

namespace lapidary {
namespace {

class MeasuredSession final : public InProcessEngine {
public:
    explicit MeasuredSession(std::unique_ptr<EngineSession> session) : session_(std::move(session)) {
        load_ms_ = session_->load_ms();
    }
    NamedValues outputs() override {
        session_->run_once();
        return session_->outputs();
    }

private:
    void run() override { session_->run_once(); }
    std::unique_ptr<EngineSession> session_;
};

}  // namespace

std::unique_ptr<BenchEngine> open_onnxruntime_engine(const std::filesystem::path& file,
                                                     const OnnxRuntimeOptions& options, const NamedValues& inputs,
                                                     const CancelToken& cancel) {
    check_options(options);
    const OnnxRuntimePlaces places = find_onnxruntime(machine_search(options.place));
    if (places.libraries.empty() && !places.pythons.empty()) {
        if (!options.providers.empty())
            fail_unsupported("the package of " + places.pythons.front().string() +
                             " holds no C library: it is measured on the CPU alone");
        const BenchConfiguration configuration{file, options.level, options.intra_threads, options.inter_threads,
                                               inputs, {}};
        return find_onnxruntime_peer(options.place)->open(configuration, cancel);
    }
    return std::make_unique<MeasuredSession>(
        open_library_session(OnnxRuntimeLibrary::load(places), EngineRequest{file, options, inputs, {}}));
}

}  // namespace lapidary
