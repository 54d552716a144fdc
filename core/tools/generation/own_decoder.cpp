// SPDX-License-Identifier: Apache-2.0
#include <chrono>

#include <lapidary/onnx_io/model_io.h>

#include "bench/engines/configured_engine.h"
#include "generation/timed_decoder.h"

namespace lapidary {
namespace {

GeneratorOptions options_of(const DecodingSetup& setup) {
    GeneratorOptions options;
    options.session.resources = setup.resources;
    options.session.session_passes =
        setup.session_passes.value_or(SessionPasses{session_passes_at(setup.level), {}});
    options.storage = setup.storage;
    options.capacity = setup.capacity;
    return options;
}

class OwnDecoder final : public TimedDecoder {
public:
    OwnDecoder(const DecodingSetup& setup, const Progress& progress)
        : before_(own_bytes()), start_(std::chrono::steady_clock::now()),
          generator_(Generator::compile(
              model_at_level(std::make_shared<const Model>(load_model(setup.model, {}, progress)),
                             setup.level, progress),
              options_of(setup), progress)),
          cancel_(progress.cancel) {
        loaded_.load_ms =
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start_)
                .count();
        loaded_.storage = generator_.storage();
        loaded_.reason = generator_.storage_reason();
        loaded_.before_bytes = before_;
        loaded_.loaded_bytes = own_bytes();
    }

private:
    void forget() override { generator_.reset(); }
    std::span<const float> feed(std::span<const std::int64_t> tokens) override {
        return generator_.feed({1, {tokens.begin(), tokens.end()}}, cancel_).data<float>();
    }
    std::uint64_t cache_bytes() const override { return generator_.cache_bytes(); }

    std::optional<std::uint64_t> before_;
    std::chrono::steady_clock::time_point start_;
    Generator generator_;
    CancelToken cancel_;
};

}  // namespace

std::unique_ptr<DecodingEngine> open_own_decoder(const DecodingSetup& setup,
                                                 const Progress& progress) {
    return std::make_unique<OwnDecoder>(setup, progress);
}

}  // namespace lapidary
