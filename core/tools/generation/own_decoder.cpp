// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include <lapidary/base/error.h>
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
    options.only_last_logits = true;
    return options;
}

/// Runs a generator that lives elsewhere.
class GeneratorEngine : public TimedDecoder {
public:
    GeneratorEngine(Generator& generator, CancelToken cancel)
        : generator_(generator), cancel_(std::move(cancel)) {
        loaded_.storage = generator_.storage();
        loaded_.reason = generator_.storage_reason();
        loaded_.before_bytes = loaded_.loaded_bytes = own_bytes();
    }

    RecordedToken record(std::span<const std::int64_t> tokens) override {
        if (tokens.size() < 2) fail_input("a recorded token needs one before it");
        forget();
        // The first run of one token plans memory for it and is not the one that is recorded.
        const std::size_t prompt = std::max<std::size_t>(tokens.size() - 2, 1);
        feed(tokens.first(prompt));
        for (std::size_t i = prompt; i + 1 < tokens.size(); ++i) feed(tokens.subspan(i, 1));
        generator_.feed({1, {tokens.back()}}, cancel_, true);
        RecordedToken recorded;
        recorded.context = generator_.length();
        recorded.time = generator_.token_time();
        recorded.storage = generator_.storage();
        if (const DType type = generator_.head_weight_type(); type != DType::undefined)
            recorded.head_type = name_of(type);
        return recorded;
    }

private:
    void forget() override { generator_.reset(); }
    std::span<const float> feed(std::span<const std::int64_t> tokens) override {
        return generator_.feed({1, {tokens.begin(), tokens.end()}}, cancel_).data<float>();
    }
    std::uint64_t cache_bytes() const override { return generator_.cache_bytes(); }

    Generator& generator_;
    CancelToken cancel_;
};

/// Of a file: what GeneratorEngine needs before it is made.
struct LoadedGenerator {
    LoadedGenerator(const DecodingSetup& setup, const Progress& progress)
        : before(own_bytes()), start(std::chrono::steady_clock::now()),
          generator(Generator::compile(
              model_at_level(std::make_shared<const Model>(load_model(setup.model, {}, progress)),
                             setup.level, progress),
              options_of(setup), progress)) {}

    std::optional<std::uint64_t> before;
    std::chrono::steady_clock::time_point start;
    Generator generator;
};

class OwnDecoder final : LoadedGenerator, public GeneratorEngine {
public:
    OwnDecoder(const DecodingSetup& setup, const Progress& progress)
        : LoadedGenerator(setup, progress), GeneratorEngine(generator, progress.cancel) {
        loaded_.load_ms =
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
                .count();
        loaded_.before_bytes = before;
    }
};

}  // namespace

std::unique_ptr<DecodingEngine> open_own_decoder(const DecodingSetup& setup,
                                                 const Progress& progress) {
    return std::make_unique<OwnDecoder>(setup, progress);
}

std::unique_ptr<DecodingEngine> decoding_engine_of(Generator& generator,
                                                   const CancelToken& cancel) {
    return std::make_unique<GeneratorEngine>(generator, cancel);
}

}  // namespace lapidary
