// SPDX-License-Identifier: Apache-2.0
#include <lapidary/inputs/usual_sizes.h>

#include <algorithm>
#include <set>

#include "inputs/input_sizes.h"
#include "inputs/position_limit.h"

namespace lapidary {
namespace {

constexpr std::int64_t usual_positions = 128;

bool is_plain_name(const std::string& symbol) {
    return symbol.find_first_of("+-*/() ") == std::string::npos;
}

}  // namespace

std::string_view words_for(SizeReason reason) {
    switch (reason) {
    case SizeReason::one_at_a_time: return "one at a time";
    case SizeReason::text: return "the default for text";
    case SizeReason::steps: return "the default for sequences";
    case SizeReason::decoder_step: return "one new token, the default for a decoder with caches";
    case SizeReason::past: return "the default for the caches of a decoder";
    case SizeReason::past_and_new: return "past and new positions together";
    case SizeReason::attention: return "what the attention that reads it asks for";
    case SizeReason::weight: return "what a weight asks for";
    case SizeReason::image: return "the default for images";
    case SizeReason::channels: return "channels of an image";
    case SizeReason::sound: return "the default for sound";
    case SizeReason::signal: return "the default for signals";
    case SizeReason::rows: return "the default for rows of a table";
    case SizeReason::volume: return "the default for volumes";
    }
    return "";
}

DefaultLengths usual_lengths(const Model& model) {
    DefaultLengths lengths{usual_positions, 1, usual_positions};
    const auto limit = longest_sequence(model);
    if (!limit) return lengths;
    while (lengths.sequence > 1 && lengths.sequence > *limit) lengths.sequence /= 2;
    while (lengths.past > 1 && lengths.past + lengths.step > *limit) lengths.past /= 2;
    return lengths;
}

UsualSizes usual_sizes(const Model& model, const std::map<std::string, std::int64_t>& dimensions,
                       const NamedValues& given) {
    const InputSizes sizes(model, given, dimensions, usual_lengths(model));
    UsualSizes usual{sizes.all(), {}};
    std::set<std::string> seen;
    for (const ValueId id : model.graph.inputs()) {
        const Value& input = model.graph.value(id);
        if (input.constant) continue;
        for (const Type* type = &input.type; type != nullptr; type = type->element.get()) {
            if (!type->shape) continue;
            for (const Dim& dim : *type->shape) {
                if (!dim.is_symbolic() || !is_plain_name(dim.symbol()) ||
                    !seen.insert(dim.symbol()).second)
                    continue;
                const auto size = usual.all.find(dim.symbol());
                const auto reason = sizes.reason_of(dim.symbol());
                if (reason && size != usual.all.end())
                    usual.chosen.push_back({dim.symbol(), size->second, *reason});
            }
        }
    }
    return usual;
}

std::string text_of_chosen(const UsualSizes& sizes) {
    std::string text;
    for (const ChosenSize& chosen : sizes.chosen) {
        if (chosen.reason == SizeReason::one_at_a_time || chosen.reason == SizeReason::attention ||
            chosen.reason == SizeReason::weight || chosen.reason == SizeReason::past_and_new ||
            chosen.reason == SizeReason::channels)
            continue;
        text += (text.empty() ? "" : "\n") + chosen.dimension + ' ' + std::to_string(chosen.size) +
                ": " + std::string(words_for(chosen.reason)) + "; --dim " + chosen.dimension + "=N";
    }
    return text;
}

}  // namespace lapidary
