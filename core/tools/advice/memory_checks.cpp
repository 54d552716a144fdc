// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <utility>

#include "advice/advice_checks.h"

namespace lapidary {
namespace {

constexpr double large_share = 0.5;         // of the peak, held by one tensor
constexpr double least_quantizable = 0.05;  // of the weights
// a file of ONNX is one message, which can hold no more
constexpr double protobuf_bytes = 2147483647;

/// The shortest of such times; null: there is none.
const AdvisedTime* fastest_time(const AdviceInput& in, bool is_quantized) {
    const AdvisedTime* best = nullptr;
    for (const AdvisedTime& time : in.times)
        if (time.is_quantized == is_quantized && (!best || time.median_ms < best->median_ms))
            best = &time;
    return best;
}

/// Set if a quantized variant is slower than float beyond noise: the one in force, or the fastest
/// one. Nothing: it is not slower, or was not measured.
std::optional<Advice> slower_than_float(const AdviceCase& about) {
    const AdviceInput& in = about.in;
    const auto in_force = std::ranges::find_if(in.times, &AdvisedTime::is_in_force);
    const bool is_own = in_force != in.times.end() && in_force->is_quantized;
    const AdvisedTime* in_float = fastest_time(in, false);
    const AdvisedTime* quantized = is_own ? &*in_force : fastest_time(in, true);
    if (!in_float || !quantized || !(in_float->high_ms < quantized->low_ms)) return std::nullopt;
    Advice found =
        with_page(about.found("quantize", is_own ? AdviceState::worth_doing : AdviceState::no_gain,
                              is_own ? "slower" : "made_slower",
                              {words(quantized->name), ms_of(quantized->median_ms),
                               words(in_float->name), ms_of(in_float->median_ms)}),
                  "quantize");
    if (is_own) found.gain = about.time_gain(1 - in_float->median_ms / quantized->median_ms, true);
    return found;
}

}  // namespace

Advice check_quantize(const AdviceCase& about) {
    const AdviceInput& in = about.in;
    const ModelFacts& facts = *in.facts;
    if (auto slower = slower_than_float(about)) return std::move(*slower);
    if (facts.quantized_nodes > 0)
        return about.found("quantize", AdviceState::done, "quantized",
                           {count_of(facts.quantized_nodes)});
    const double share = facts.weight_bytes ? static_cast<double>(facts.quantizable_bytes) /
                                                  static_cast<double>(facts.weight_bytes)
                                            : 0;
    const AdviceValue quantizable = bytes_of(static_cast<double>(facts.quantizable_bytes));
    if (share < least_quantizable)
        return about.found("quantize", AdviceState::no_gain, "little",
                           {quantizable, bytes_of(static_cast<double>(facts.weight_bytes))});
    if (!in.quantized_variant.empty())
        return with_page(
            about.found("quantize", AdviceState::done, "made", {words(in.quantized_variant)}),
            "quantize");
    Advice found =
        with_page(about.found("quantize", AdviceState::worth_doing, "possible",
                              {count_of(facts.quantizable_nodes), percent_of(share), quantizable}),
                  "quantize");
    found.gain = about.bytes_gain(AdviceGain::Kind::size, facts.quantizable_bytes / 4 * 3,
                                  facts.weight_bytes, false);
    return found;
}

Advice check_memory(const AdviceCase& about) {
    const AdviceInput& in = about.in;
    if (!in.memory)
        return with_page(about.found("memory", AdviceState::unknown, "unplanned"), "memory");
    const PeakTensor& peak = in.memory->peak;
    if (in.memory->needed_bytes == 0 || peak.bytes == 0)
        return about.found("memory", AdviceState::no_gain, "unknown_sizes");
    const double share =
        static_cast<double>(peak.bytes) / static_cast<double>(in.memory->needed_bytes);
    const AdviceValue needed = bytes_of(static_cast<double>(in.memory->needed_bytes));
    if (share < large_share)
        return with_page(
            about.found("memory", AdviceState::done, "spread", {percent_of(share), needed}),
            "memory");
    if (peak.type.empty())  // no tensor of the model
        return with_page(about.found("memory", AdviceState::worth_doing, "workspace",
                                     {words(peak.node), percent_of(share), needed}),
                         "memory");
    return with_page(about.found("memory", AdviceState::worth_doing, "one_tensor",
                                 {words(peak.name), words(peak.type), words(peak.node),
                                  percent_of(share), needed}),
                     "memory");
}

Advice check_arena_pattern(const AdviceCase& about) {
    const AdviceInput& in = about.in;
    if (!in.memory)
        return with_page(about.found("arena_pattern", AdviceState::unknown, "unplanned"), "memory");
    const MemoryFindings& memory = *in.memory;
    const bool turn_pattern = memory.held_with_pattern_turned <= memory.held_with_arena_turned;
    const std::uint64_t least =
        std::min(memory.held_with_pattern_turned, memory.held_with_arena_turned);
    const std::uint64_t saved = memory.held_bytes > least ? memory.held_bytes - least : 0;
    const AdviceValue held = bytes_of(static_cast<double>(memory.held_bytes));
    if (static_cast<double>(saved) < least_gain * static_cast<double>(memory.held_bytes) ||
        saved == 0)
        return about.found("arena_pattern", AdviceState::no_gain, "least", {held});
    const char* key = turn_pattern ? (memory.has_pattern ? "pattern_off" : "pattern_on")
                                   : (memory.has_arena ? "arena_off" : "arena_on");
    Advice found = with_page(about.found("arena_pattern", AdviceState::worth_doing, key,
                                         {bytes_of(static_cast<double>(least)), held}),
                             "memory");
    found.gain = about.bytes_gain(AdviceGain::Kind::memory, saved, memory.held_bytes, false);
    return found;
}

Advice check_external_data(const AdviceCase& about) {
    const ModelFacts& facts = *about.in.facts;
    const AdviceValue weights = bytes_of(static_cast<double>(facts.weight_bytes));
    if (facts.external_bytes > 0)
        return about.found("external_data", AdviceState::done, "external",
                           {bytes_of(static_cast<double>(facts.external_bytes))});
    if (static_cast<double>(facts.weight_bytes) < protobuf_bytes / 2)
        return about.found("external_data", AdviceState::no_gain, "small", {weights});
    return with_page(about.found("external_data", AdviceState::worth_doing, "large", {weights}),
                     "optimize");
}

}  // namespace lapidary
