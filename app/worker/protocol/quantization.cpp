// SPDX-License-Identifier: Apache-2.0
#include "worker/protocol/quantization.h"

#include <utility>

#include <nlohmann/json.hpp>

#include <lapidary/base/error.h>
#include <lapidary/internal/parse_json.h>

#include "worker/protocol/json_members.h"

namespace lapidary::app {
namespace {

using Json = nlohmann::json;

/// Writes members that differ from the default, or reads those that are there: one list of members
/// for both ways.
class Writer {
public:
    template <typename T>
    void member(const char* name, const T& value, const T& usual) {
        if (!(value == usual)) json[name] = value;
    }
    template <typename T, typename ToText, typename FromText>
    void named(const char* name, const T& value, const T& usual, ToText to_text, FromText) {
        if (!(value == usual)) json[name] = to_text(value);
    }
    Json json = Json::object();
};

class Reader {
public:
    Reader(const Json& object, std::string what) : members_(object, std::move(what)) {}
    template <typename T>
    void member(const char* name, T& value, const T& usual) {
        value = members_.get<T>(name, usual);
    }
    template <typename T, typename ToText, typename FromText>
    void named(const char* name, T& value, const T& usual, ToText, FromText from_text) {
        value = usual;
        if (!members_.has(name)) return;
        const auto text = members_.get<std::string>(name);
        const auto found = from_text(text);
        if (!found)
            fail_input(std::string("quantization: \"") + name + "\" knows no " + quote(text));
        value = *found;
    }
    void finish() const { members_.finish(); }

private:
    JsonMembers members_;
};

std::string text_of(std::string_view text) { return std::string(text); }

std::optional<BlockForm> block_form_from_name(const std::string& name) {
    if (name == "nbits") return BlockForm::matmul_nbits;
    return name == "dequantize" ? std::optional(BlockForm::dequantize) : std::nullopt;
}

template <typename Visitor, typename Options>
void visit_options(Visitor& visitor, Options& o) {
    const QuantizeOptions usual;
    visitor.named(
        "mode", o.mode, usual.mode, [](QuantizeMode m) { return text_of(name_of(m)); },
        [](const std::string& t) { return quantize_mode_from_name(t); });
    visitor.member("per_channel", o.per_channel, usual.per_channel);
    visitor.member("reduced_range", o.reduced_range, usual.reduced_range);
    visitor.named(
        "activation", o.activation, usual.activation, [](DType d) { return text_of(name_of(d)); },
        [](const std::string& t) { return dtype_from_name(t); });
    visitor.named(
        "weight", o.weight, usual.weight, [](DType d) { return text_of(name_of(d)); },
        [](const std::string& t) { return dtype_from_name(t); });
    visitor.named(
        "static_form", o.static_form, usual.static_form,
        [](StaticForm f) { return text_of(name_of(f)); },
        [](const std::string& t) { return static_form_from_name(t); });
    visitor.named(
        "placement", o.placement, usual.placement,
        [](StaticPlacement p) { return text_of(name_of(p)); },
        [](const std::string& t) { return static_placement_from_name(t); });
    visitor.member("symmetric_activation", o.symmetric_activation, usual.symmetric_activation);
    visitor.member("symmetric_weight", o.symmetric_weight, usual.symmetric_weight);
    visitor.member("fused_operators", o.fused_operators, usual.fused_operators);
    visitor.named(
        "storage", o.storage, usual.storage, [](WeightStorage w) { return text_of(name_of(w)); },
        [](const std::string& t) { return weight_storage_from_name(t); });
    visitor.member("weight_bits", o.weight_bits, usual.weight_bits);
    visitor.member("block", o.block, usual.block);
    visitor.member("symmetric_blocks", o.symmetric_blocks, usual.symmetric_blocks);
    visitor.named(
        "block_form", o.block_form, usual.block_form,
        [](BlockForm f) { return text_of(f == BlockForm::matmul_nbits ? "nbits" : "dequantize"); },
        block_form_from_name);
    visitor.named(
        "range", o.range, usual.range, [](RangeMethod m) { return text_of(name_of(m)); },
        [](const std::string& t) { return range_method_from_name(t); });
    visitor.member("percentile", o.percentile, usual.percentile);
    visitor.member("range_headroom", o.range_headroom, usual.range_headroom);
    visitor.member("bias_correction", o.bias_correction, usual.bias_correction);
    visitor.member("equalize", o.equalize, usual.equalize);
    visitor.member("smoothing", o.smoothing, usual.smoothing);
    visitor.member("smoothing_by_input", o.smoothing_by_input, usual.smoothing_by_input);
    visitor.member("compensated_rounding", o.compensated_rounding, usual.compensated_rounding);
    visitor.member("keep_float", o.keep_float, usual.keep_float);
    visitor.member("weights_of", o.weights_of, usual.weights_of);
    visitor.member("weights_alone", o.weights_alone, usual.weights_alone);
    visitor.member("bound_masks", o.bound_masks, usual.bound_masks);
    visitor.member("most_samples", o.calibration.most_samples, usual.calibration.most_samples);
    visitor.member("moving_average", o.calibration.moving_average,
                   usual.calibration.moving_average);
    visitor.member("settled_change", o.calibration.settled_change,
                   usual.calibration.settled_change);
    visitor.member("settled_samples", o.calibration.settled_samples,
                   usual.calibration.settled_samples);
    visitor.member("threads", o.calibration.threads, usual.calibration.threads);
}

using Layout = ImageOptions::Layout;

std::string layout_name(const std::optional<Layout>& layout) {
    return layout == Layout::nhwc ? "nhwc" : "nchw";
}

std::optional<std::optional<Layout>> layout_from_name(const std::string& name) {
    if (name == "nchw") return std::optional(Layout::nchw);
    return name == "nhwc" ? std::optional(std::optional(Layout::nhwc)) : std::nullopt;
}

template <typename Visitor, typename Choice>
void visit_samples(Visitor& visitor, Choice& c) {
    const SampleChoice usual;
    visitor.named(
        "data", c.data, usual.data, [](const std::filesystem::path& p) { return p.string(); },
        [](const std::string& t) { return std::optional<std::filesystem::path>(t); });
    visitor.member("generated", c.generated, usual.generated);
    visitor.member("seed", c.seed, usual.seed);
    visitor.member("mean", c.images.mean, usual.images.mean);
    visitor.member("std", c.images.stddev, usual.images.stddev);
    visitor.member("bgr", c.images.bgr, usual.images.bgr);
    visitor.member("scale_chosen", c.images.scale_chosen, usual.images.scale_chosen);
    visitor.member("crop", c.images.crop, usual.images.crop);
    visitor.named("array_layout", c.images.array_layout, usual.images.array_layout, layout_name,
                  layout_from_name);
    visitor.named(
        "vocabulary", c.text.vocabulary, usual.text.vocabulary,
        [](const std::filesystem::path& p) { return p.string(); },
        [](const std::string& t) { return std::optional<std::filesystem::path>(t); });
    visitor.member("tokens", c.text.most_tokens, usual.text.most_tokens);
    visitor.member("lower_case", c.text.lower_case, usual.text.lower_case);
}

}  // namespace

bool operator==(const SampleChoice& a, const SampleChoice& b) {
    return a.data == b.data && a.generated == b.generated && a.seed == b.seed &&
           a.images == b.images && a.text.vocabulary == b.text.vocabulary &&
           a.text.most_tokens == b.text.most_tokens && a.text.lower_case == b.text.lower_case;
}

SampleSourcePtr samples_of(const ModelPtr& model, const SampleChoice& choice,
                           const CancelToken& cancel) {
    if (choice.isGenerated()) return generated_samples(model, choice.generated, choice.seed);
    if (!choice.text.vocabulary.empty() && !std::filesystem::is_directory(choice.data))
        return text_samples(*model, choice.data, choice.text);
    if (is_text_file(choice.data))
        fail_input(quote(choice.data.string(), 4096) +
                   ": lines of text need a vocabulary, a file of one token per line, to become the "
                   "numbers of tokens");
    return folder_samples(*model, choice.data, choice.images, cancel);
}

bool is_text_file(const std::filesystem::path& file) { return file.extension() == ".txt"; }

Json sample_choice_json(const SampleChoice& choice) {
    Writer samples;
    visit_samples(samples, choice);
    return samples.json;
}

std::string sample_choice_text(const SampleChoice& choice) {
    return sample_choice_json(choice).dump(-1, ' ', false, Json::error_handler_t::replace);
}

SampleChoice parse_sample_choice(std::string_view text) {
    return read_sample_choice(parse_json(text, "samples"));
}

SampleChoice read_sample_choice(const Json& json) {
    Reader reader(json, "samples");
    SampleChoice choice;
    visit_samples(reader, choice);
    reader.finish();
    for (const float deviation : choice.images.stddev)
        if (!(deviation != 0)) fail_input("samples: \"std\" must not be 0");
    if (!(choice.images.crop >= 0 && choice.images.crop <= 1))
        fail_input("samples: \"crop\" must be a share from 0 to 1");
    return choice;
}

Json quantization_json(const Quantization& quantization) {
    Writer options;
    visit_options(options, quantization.options);
    return {{"options", options.json}, {"samples", sample_choice_json(quantization.samples)}};
}

std::string quantization_text(const Quantization& quantization) {
    return quantization_json(quantization).dump(-1, ' ', false, Json::error_handler_t::replace);
}

Quantization parse_quantization(std::string_view text) {
    return read_quantization(parse_json(text, "quantization"));
}

Quantization read_quantization(const Json& json) {
    JsonMembers members(json, "quantization");
    Quantization quantization;
    Reader options(members.at("options"), "quantization options");
    visit_options(options, quantization.options);
    options.finish();
    quantization.samples = read_sample_choice(members.at("samples"));
    members.finish();
    return quantization;
}

}  // namespace lapidary::app
