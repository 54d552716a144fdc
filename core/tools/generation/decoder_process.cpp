// SPDX-License-Identifier: Apache-2.0
// Decoders in processes of their own, whose orders and answers are lines of JSON:
//   {"do": "open", "setup": {...}, "peer": {...}}   {}
//   {"do": "begin", "tokens": [...]}                {"ms": [...], ...}
//   {"do": "go_on", "tokens": [...]}                {"ms": [...], ...}
//   {"do": "state"}                                 {"load_ms": ..., ...}
//   {"do": "record", "tokens": [...]}               {"context": ..., "wall_ms": ..., ...}
// An answer {"error": "..."} says what went wrong.
#include <chrono>
#include <utility>

#include <nlohmann/json.hpp>

#include <lapidary/base/error.h>
#include <lapidary/internal/members_json.h>
#include <lapidary/internal/parse_json.h>
#include <lapidary/onnx_io/model_io.h>

#include "bench/process/child_process.h"
#include "generation/decoder_process.h"
#include "generation/decoding_members.h"

namespace lapidary {
namespace {

using Json = nlohmann::json;

constexpr std::chrono::milliseconds longest_answer{600'000};

template <typename T>
Json json_of(const T& value) {
    return MembersWriter<Json>{}(value);
}

template <typename T>
T value_of(const Json& json) {
    T value{};
    MembersReader<Json>{}(json, value);
    return value;
}

class DecoderProcess final : public DecodingEngine {
public:
    DecoderProcess(const std::vector<std::string>& command, const DecodingSetup& setup,
                   const std::filesystem::path& other, CancelToken cancel)
        : program_(command), cancel_(std::move(cancel)) {
        // The model is read here, not there: the other process holds what its engine needs alone.
        const PeerDecoder peer =
            peer_decoder(load_model(setup.model, {}, {cancel_, {}}), setup.storage);
        Json described = json_of(peer);
        if (!other.empty()) described["file"] = other.string();
        order({{"do", "open"}, {"setup", json_of(setup)}, {"peer", std::move(described)}});
    }

    DecodedTokens begin(std::span<const std::int64_t> prompt) override {
        return run("begin", prompt);
    }
    DecodedTokens go_on(std::span<const std::int64_t> tokens) override {
        return run("go_on", tokens);
    }
    DecoderState state() override { return value_of<DecoderState>(order({{"do", "state"}})); }
    RecordedToken record(std::span<const std::int64_t> tokens) override {
        return value_of<RecordedToken>(
            order({{"do", "record"},
                   {"tokens", std::vector<std::int64_t>(tokens.begin(), tokens.end())}}));
    }

private:
    DecodedTokens run(const char* what, std::span<const std::int64_t> tokens) {
        return value_of<DecodedTokens>(order(
            {{"do", what}, {"tokens", std::vector<std::int64_t>(tokens.begin(), tokens.end())}}));
    }

    Json order(const Json& what) {
        program_.write_line(what.dump(-1, ' ', false, Json::error_handler_t::replace));
        const Json answer = parse_json(program_.read_line(longest_answer, cancel_),
                                       "the answer of a decoder's process");
        if (answer.contains("error")) fail_unsupported(answer["error"].get<std::string>());
        return answer;
    }

    ChildProgram program_;
    CancelToken cancel_;
};

}  // namespace

std::unique_ptr<DecodingEngine> start_decoder(const std::vector<std::string>& command,
                                              const DecodingSetup& setup,
                                              const CancelToken& cancel) {
    return start_decoder(command, setup, {}, cancel);
}

std::unique_ptr<DecodingEngine> start_decoder(const std::vector<std::string>& command,
                                              const DecodingSetup& setup,
                                              const std::filesystem::path& other,
                                              const CancelToken& cancel) {
    return std::make_unique<DecoderProcess>(command, setup, other, cancel);
}

struct DecodingServer::State {
    BenchEngineKind kind;
    std::filesystem::path place;
    CancelToken cancel;
    std::unique_ptr<DecodingEngine> engine;

    DecodingEngine& opened() {
        if (!engine) fail_input("no decoder is open");
        return *engine;
    }

    Json answer(const Json& order) {
        const std::string what = order.value("do", "");
        if (what == "open") {
            const auto setup = value_of<DecodingSetup>(order.at("setup"));
            engine = kind == BenchEngineKind::onnxruntime
                         ? open_peer_decoder(setup, place, value_of<PeerDecoder>(order.at("peer")))
                         : open_own_decoder(setup, {cancel, {}});
            return Json::object();
        }
        if (what == "begin" || what == "go_on") {
            const auto tokens = value_of<std::vector<std::int64_t>>(order.at("tokens"));
            return json_of(what == "begin" ? opened().begin(tokens) : opened().go_on(tokens));
        }
        if (what == "state") return json_of(opened().state());
        if (what == "record")
            return json_of(
                opened().record(value_of<std::vector<std::int64_t>>(order.at("tokens"))));
        fail_input("unknown order " + quote(what));
    }
};

DecodingServer::DecodingServer(BenchEngineKind kind, std::filesystem::path place,
                               CancelToken cancel)
    : state_(std::make_unique<State>(State{kind, std::move(place), std::move(cancel), nullptr})) {}
DecodingServer::~DecodingServer() = default;

std::string DecodingServer::answer(const std::string& line) {
    Json answer;
    try {
        answer = state_->answer(parse_json(line, "the order"));
    } catch (const std::exception& error) { answer = {{"error", error.what()}}; }
    return answer.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string to_json(const DecodingMeasurement& value) {
    return MembersWriter<nlohmann::ordered_json>{}(value).dump(
        -1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace lapidary
