// SPDX-License-Identifier: Apache-2.0
#include "inputs/input_sizes.h"

#include <algorithm>
#include <cctype>
#include <vector>

#include <lapidary/base/error.h>

#include "inputs/cache_sizes.h"
#include "inputs/weight_sizes.h"
#include "ops/dimensions/dim_algebra.h"
#include "tensor/values_by_name.h"

namespace lapidary {
namespace {

constexpr std::int64_t default_rows = 8, default_side = 224, default_volume_side = 32;
constexpr std::int64_t default_signal = 512, default_samples = 16000;
// for an input whose size was not given
constexpr std::int64_t largest_default_elements = std::int64_t{1} << 20;
// so many halvings reduce the largest default to 1
constexpr int most_halvings = 14;

bool contains_any(const std::string& text, std::initializer_list<std::string_view> words) {
    return std::any_of(words.begin(), words.end(),
                       [&](std::string_view word) { return text.find(word) != std::string::npos; });
}

bool is_any(const std::string& text, std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), text) != words.end();
}

/// True for a name that type inference made for an unnamed dimension, which has no meaning.
bool is_made_up(const std::string& symbol, const Value& input) {
    return symbol.starts_with(input.name + "_dim_") || symbol.starts_with("unk__");
}

/// The plain names within an expression such as "past + 2*seq"; none for a plain name.
std::vector<std::string> names_in_expression(const std::string& symbol) {
    if (symbol.find_first_of("+*/()-") == std::string::npos) return {};
    std::vector<std::string> names;
    for (std::size_t i = 0; i < symbol.size();) {
        const auto is_letter = [&](std::size_t k) {
            return std::isalpha(static_cast<unsigned char>(symbol[k])) || symbol[k] == '_';
        };
        if (!is_letter(i)) {
            ++i;
            continue;
        }
        std::size_t end = i;
        while (end < symbol.size() &&
               (is_letter(end) || std::isdigit(static_cast<unsigned char>(symbol[end])) ||
                symbol[end] == '.'))
            ++end;
        std::string name = symbol.substr(i, end - i);
        if (!is_any(name, {"floor", "ceil", "max", "min"})) names.push_back(std::move(name));
        i = end;
    }
    return names;
}

/// Of images [N, C, H, W], or [N, H, W, C] where the last size is the one that is known.
std::size_t channel_axis(const SymbolicShape& images) {
    return images[3].is_known() && !images[1].is_known() ? 3 : 1;
}

bool is_batch_name(const std::string& name) {
    return name.find("batch") != std::string::npos || is_any(name, {"n", "b", "bs", "none"});
}
bool is_past_name(const std::string& name) {
    return contains_any(name, {"past", "cache", "prefix"});
}
bool is_total_name(const std::string& name) {
    return contains_any(name, {"total", "present"}) ||
           (is_past_name(name) && name.find('+') != std::string::npos);
}
bool is_sequence_name(const std::string& name) {
    return contains_any(name, {"seq", "len", "token", "time", "frame", "step", "word"});
}

bool is_past_input(const std::string& input) { return contains_any(input, {"past", "cache"}); }
bool is_of_encoder(const std::string& name) {
    return contains_any(name, {"encoder", "enc_", "source", "src"});
}
bool is_attention_mask(const std::string& input) {
    return input.find("attention_mask") != std::string::npos &&
           input.find("encoder") == std::string::npos;
}

}  // namespace

std::string lower(std::string_view text) {
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
}

InputSizes::InputSizes(const Model& model, const NamedValues& given,
                       const std::map<std::string, std::int64_t>& dimensions,
                       const DefaultLengths& lengths, const CancelToken& cancel)
    : lengths_(lengths) {
    for (const auto& [symbol, size] : dimensions) bind(symbol, size, "the given dimensions");
    const ValuesByName by_name(given);
    for (const ValueId id : model.graph.inputs()) {
        const Value& input = model.graph.value(id);
        const RuntimeValue* value = by_name.find(input.name);
        if (value && value->is_tensor()) bind_given(input, value->tensor().shape());
    }
    for (const auto& [symbol, size] : cache_sizes(model))
        if (sizes_.emplace(symbol, size).second) reasons_.emplace(symbol, SizeReason::attention);
    for (const auto& [symbol, size] : weight_sizes(model))
        if (sizes_.emplace(symbol, size).second) reasons_.emplace(symbol, SizeReason::weight);
    settle_lengths(model);
    is_only_input_ =
        std::count_if(model.graph.inputs().begin(), model.graph.inputs().end(),
                      [&](ValueId id) { return !model.graph.value(id).constant; }) == 1;
    const auto fixed = sizes_;
    const auto fixed_reasons = reasons_;
    const auto choose_all = [&] {
        sizes_ = fixed;
        reasons_ = fixed_reasons;
        for (const ValueId id : model.graph.inputs()) {
            cancel.throw_if_cancelled();
            choose_for(model.graph.value(id));
        }
    };
    choose_all();
    for (double elements = huge_elements(model); elements > 0 && halvings_ < most_halvings;) {
        ++halvings_;
        choose_all();
        const double fewer = huge_elements(model);
        if (fewer >= elements) {  // what is huge is so by its declaration
            --halvings_;
            choose_all();
            break;
        }
        elements = fewer;
    }
}

/// Chooses sizes for the dimensions of an input's tensors, be they inside of sequences, optionals
/// or maps.
void InputSizes::choose_for(const Value& input) {
    if (input.constant) return;
    Value part = input;  // read like an input of that type
    for (const Type* type = &input.type; type != nullptr; type = type->element.get()) {
        if (!type->shape) continue;
        part.type = *type;
        for (std::size_t axis = 0; axis < type->shape->size(); ++axis) {
            const Dim& dim = (*type->shape)[axis];
            if (!dim.is_symbolic() || sizes_.contains(dim.symbol())) continue;
            for (const std::string& name : names_in_expression(dim.symbol()))
                if (!sizes_.contains(name)) settle(name, choose(part, axis, name));
            const auto size = constant_of(substitute(dim, sizes_));
            if (size && *size >= 0) sizes_[dim.symbol()] = *size;
            else settle(dim.symbol(), choose(part, axis, dim.symbol()));
        }
    }
}

void InputSizes::settle(const std::string& symbol, Choice choice) {
    sizes_[symbol] = choice.size;
    reasons_[symbol] = choice.reason;
}

std::optional<SizeReason> InputSizes::reason_of(const std::string& symbol) const {
    const auto at = reasons_.find(symbol);
    return at != reasons_.end() ? std::optional(at->second) : std::nullopt;
}

double InputSizes::huge_elements(const Model& model) const {
    double all = 0;
    for (const ValueId id : model.graph.inputs()) {
        const Value& input = model.graph.value(id);
        if (input.constant || !input.type.shape || input.type.is_static()) continue;
        double elements = 1;
        for (const std::int64_t size : shape_of(input)) elements *= static_cast<double>(size);
        if (elements > largest_default_elements) all += elements;
    }
    return all;
}

std::int64_t InputSizes::usual(std::int64_t size) const {
    return std::max<std::int64_t>(1, size >> halvings_);
}

void InputSizes::bind(const std::string& symbol, std::int64_t size, const std::string& by) {
    const auto [at, is_new] = sizes_.emplace(symbol, size);
    if (is_new) bound_by_[symbol] = by;
    else if (at->second != size)
        fail_input("dimension " + quote(symbol) + " is " + std::to_string(at->second) + " by " +
                   bound_by_[symbol] + " and " + std::to_string(size) + " by " + by);
}

void InputSizes::bind_given(const Value& input, const Shape& shape) {
    // the session reports a wrong rank
    if (!input.type.shape || input.type.shape->size() != shape.size()) return;
    for (std::size_t axis = 0; axis < shape.size(); ++axis)
        if (const Dim& dim = (*input.type.shape)[axis]; dim.is_symbolic())
            bind(dim.symbol(), shape[axis], "input " + quote(input.name));
}

/// Fixes how many positions are new and how many are past, from names and from what is bound
/// already.
void InputSizes::settle_lengths(const Model& model) {
    std::optional<std::int64_t> past, sequence, total;
    for (const ValueId id : model.graph.inputs()) {
        const Value& input = model.graph.value(id);
        const std::string name = lower(input.name);
        if (input.constant || !input.type.shape) continue;
        has_past_ = has_past_ || (is_past_input(name) && input.type.shape->size() >= 3);
        for (std::size_t axis = 0; axis < input.type.shape->size(); ++axis) {
            const Dim& dim = (*input.type.shape)[axis];
            const auto size = size_of(dim);
            if (!size) continue;
            const std::string symbol =
                is_made_up(dim.symbol(), input) ? std::string() : lower(dim.symbol());
            if (is_total_name(symbol)) total = size;
            else if (is_past_name(symbol)) past = size;
            else if (name.ends_with("input_ids") && axis == 1) sequence = size;
        }
    }
    sequence_ = sequence.value_or(has_past_ ? lengths_.step : lengths_.sequence);
    past_ = past.value_or(has_past_ ? lengths_.past : 0);
    if (total && !past) past_ = std::max<std::int64_t>(0, *total - sequence_);
    else if (total && !sequence) sequence_ = std::max<std::int64_t>(0, *total - past_);
}

InputSizes::Choice InputSizes::choose(const Value& input, std::size_t axis,
                                      const std::string& symbol) const {
    if (is_made_up(symbol, input)) return choose_by_place(input, axis);
    const std::string name = lower(symbol);
    if (is_batch_name(name)) return {1, SizeReason::one_at_a_time};
    if (is_total_name(name)) return {past_ + sequence_, SizeReason::past_and_new};
    if (is_past_name(name)) return {past_, SizeReason::past};
    if (contains_any(name, {"sample", "audio"})) return {usual(default_samples), SizeReason::sound};
    if (contains_any(name, {"height", "width"}) || is_any(name, {"h", "w"}))
        return {usual(default_side), SizeReason::image};
    if (is_sequence_name(name)) return choose_sequence(input, axis, symbol);
    if (contains_any(name, {"channel"}) || name == "c")
        return {input.type.shape->size() >= 3 ? 3 : 1, SizeReason::channels};
    return choose_by_place(input, axis);
}

/// For a name that means a sequence, of tokens or of a signal.
InputSizes::Choice InputSizes::choose_sequence(const Value& input, std::size_t axis,
                                               const std::string& symbol) const {
    const std::string name = lower(symbol), input_name = lower(input.name);
    const std::size_t rank = input.type.shape->size();
    // what the encoder of a decoder with caches has read, be it in a cache or in its output
    if (has_past_ && is_of_encoder(name)) return {lengths_.sequence, SizeReason::text};
    if (is_past_input(input_name) && rank >= 3) return {past_, SizeReason::past};
    const bool is_signal =
        input.type.is_tensor() && is_float(input.type.dtype) && rank == 2 && axis == 1;
    const bool masks_new_positions = is_attention_mask(input_name) && has_past_ && rank == 2;
    if (is_signal && !masks_new_positions) return {usual(default_signal), SizeReason::signal};
    return new_positions(input);
}

InputSizes::Choice InputSizes::new_positions(const Value& input) const {
    const bool is_float_input = input.type.is_tensor() && is_float(input.type.dtype);
    return {sequence_, has_past_        ? SizeReason::decoder_step
                       : is_float_input ? SizeReason::steps
                                        : SizeReason::text};
}

/// Without a meaningful name: by rank, axis and what the other dimensions are.
InputSizes::Choice InputSizes::choose_by_place(const Value& input, std::size_t axis) const {
    const SymbolicShape& shape = *input.type.shape;
    const std::string name = lower(input.name);
    const bool is_float_input = input.type.is_tensor() && is_float(input.type.dtype);
    const Choice one{1, SizeReason::one_at_a_time};
    if (is_past_input(name) && shape.size() >= 4)
        return axis + 2 == shape.size() ? Choice{past_, SizeReason::past} : one;
    if (is_attention_mask(name) && shape.size() == 2 && axis == 1)
        return has_past_ ? Choice{past_ + sequence_, SizeReason::past_and_new}
                         : new_positions(input);
    if (axis == 0)
        return is_table_of_rows(shape) ? Choice{usual(default_rows), SizeReason::rows} : one;
    switch (shape.size()) {
    case 1: return one;
    case 2:
        return is_float_input ? Choice{usual(default_signal), SizeReason::signal}
                              : new_positions(input);
    case 3:
        return is_float_input && contains_any(name, {"state", "hidden", "h0", "c0"})
                   ? one
                   : new_positions(input);
    case 4: {
        const bool is_image = is_float_input || input.type.dtype == DType::u8;
        if (!is_image) return new_positions(input);
        return axis == channel_axis(shape) ? Choice{3, SizeReason::channels}
                                           : Choice{usual(default_side), SizeReason::image};
    }
    case 5: return axis == 1 ? one : Choice{usual(default_volume_side), SizeReason::volume};
    default: return new_positions(input);
    }
}

/// Rows of features, be they samples or steps in time, are the only input; their number has no name
/// of TensorFlow's for an open batch.
bool InputSizes::is_table_of_rows(const SymbolicShape& shape) const {
    return shape.size() == 2 && shape[1].is_known() && is_only_input_ &&
           !shape[0].symbol().starts_with("unk__");
}

Shape InputSizes::shape_of(const Value& input) const {
    if (!input.type.shape)
        fail_input("input " + quote(input.name) +
                   " is declared without a shape: give it from a file");
    Shape shape;
    for (std::size_t axis = 0; axis < input.type.shape->size(); ++axis) {
        const Dim& dim = (*input.type.shape)[axis];
        shape.push_back(dim.is_known() ? dim.value()
                        : size_of(dim) ? *size_of(dim)
                                       : choose_by_place(input, axis).size);
    }
    return shape;
}

std::optional<std::int64_t> InputSizes::size_of(const Dim& dim) const {
    if (dim.is_known()) return dim.value();
    if (!dim.is_symbolic()) return std::nullopt;
    if (const auto at = sizes_.find(dim.symbol()); at != sizes_.end()) return at->second;
    const auto size = constant_of(substitute(dim, sizes_));
    return size && *size >= 0 ? size : std::nullopt;
}

}  // namespace lapidary
