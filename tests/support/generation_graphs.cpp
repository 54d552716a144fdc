// SPDX-License-Identifier: Apache-2.0
#include "support/generation_graphs.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <sstream>

#include <fmt/format.h>

namespace lapidary::test {
namespace {

struct Weight {
    const char* name;
    int rows, columns;
    float scale;
};
/// In the order of their seeds, from 1.
constexpr std::array<Weight, 11> weights{{{"words", 20, 8, 2},
                                          {"position", 32, 8, 1},
                                          {"q", 8, 8, 1},
                                          {"k", 8, 8, 1},
                                          {"v", 8, 8, 1},
                                          {"o", 8, 8, 1},
                                          {"cq", 8, 8, 1},
                                          {"ck", 8, 8, 1},
                                          {"cv", 8, 8, 1},
                                          {"co", 8, 8, 1},
                                          {"out", 8, 20, 2}}};

/// A subgraph under construction; op("Add(a, b)") adds a node and returns its output's name.
class Body {
public:
    std::string op(const std::string& call) {
        const std::string name = fmt::format("t{}", count_++);
        nodes_ += fmt::format("  {} = {}\n", name, call);
        return name;
    }
    std::string constant(const std::string& type) { return fmt::format("c{}: {}", count_++, type); }
    std::string weight(const std::string& name) {
        if (!declared_.insert(name).second) return "w_" + name;
        const auto at =
            std::ranges::find(weights, name, [](const Weight& w) { return std::string(w.name); });
        auto seed = static_cast<std::uint32_t>(at - weights.begin() + 1);
        std::string values;
        for (int i = 0; i < at->rows * at->columns; ++i) {
            seed = seed * 1664525u + 1013904223u;
            const float value =
                (static_cast<float>(seed >> 8) / static_cast<float>(1u << 23) - 1) * at->scale;
            values += fmt::format("{}{:.9g}", i == 0 ? "" : ",", value);
        }
        return fmt::format("w_{}: f32[{},{}]{{{}}}", name, at->rows, at->columns, values);
    }
    void input(const std::string& name, const std::string& type) {
        inputs_ += fmt::format("{}{}: {}", inputs_.empty() ? "" : ", ", name, type);
    }
    void output(const std::string& name, const std::string& value) {
        nodes_ += fmt::format("  {} = Identity({})\n", name, value);
        outputs_ += (outputs_.empty() ? "" : ", ") + name;
    }
    std::string text() const {
        return fmt::format("graph {{ ({}) -> ({})\n{}}}", inputs_, outputs_, nodes_);
    }

private:
    std::string inputs_, outputs_, nodes_;
    std::set<std::string> declared_;
    int count_ = 0;
};

std::string product(Body& b, const std::string& x, const std::string& weight) {
    return b.op(fmt::format("MatMul({}, {})", x, b.weight(weight)));
}

std::string words(Body& b, const std::string& ids) {
    return b.op(fmt::format("Gather({}, {})", b.weight("words"), ids));
}

/// [batch, length, 8] -> [batch, 2, length, 4].
std::string heads(Body& b, const std::string& x) {
    const std::string split =
        b.op(fmt::format("Reshape({}, {})", x, b.constant("i64[4]{0,0,2,4}")));
    return b.op(fmt::format("Transpose({}) {{perm: [0,2,1,3]}}", split));
}

/// Attention of [batch, 2, length, 4]; `mask` [batch, keys] of 0 and 1, may be empty.
std::string attend(Body& b, const std::string& q, const std::string& k, const std::string& v,
                   const std::string& mask) {
    const std::string turned = b.op(fmt::format("Transpose({}) {{perm: [0,1,3,2]}}", k));
    std::string scores = b.op(fmt::format("MatMul({}, {})", q, turned));
    if (!mask.empty()) {
        const std::string seen = b.op(fmt::format("Cast({}) {{to: 1}}", mask));
        const std::string unseen = b.op(fmt::format("Sub({}, {})", b.constant("f32[]{1}"), seen));
        const std::string hidden =
            b.op(fmt::format("Mul({}, {})", unseen, b.constant("f32[]{-10000}")));
        const std::string wide =
            b.op(fmt::format("Unsqueeze({}, {})", hidden, b.constant("i64[2]{1,2}")));
        scores = b.op(fmt::format("Add({}, {})", scores, wide));
    }
    const std::string mixed = b.op(
        fmt::format("MatMul({}, {})", b.op(fmt::format("Softmax({}) {{axis: -1}}", scores)), v));
    const std::string rows = b.op(fmt::format("Transpose({}) {{perm: [0,2,1,3]}}", mixed));
    return b.op(fmt::format("Reshape({}, {})", rows, b.constant("i64[3]{0,0,8}")));
}

std::string sum(Body& b, const std::string& x, const std::string& y) {
    return b.op(fmt::format("Add({}, {})", x, y));
}

std::string joined(Body& b, const std::string& past, const std::string& fresh) {
    return past.empty() ? fresh : b.op(fmt::format("Concat({}, {}) {{axis: 2}}", past, fresh));
}

/// Logits of the hidden states `y`; token 0, the padding, is never likely.
std::string logits_of(Body& b, const std::string& y) {
    std::string bias = "f32[20]{-10000";
    for (int i = 1; i < 20; ++i) bias += ",0";
    return b.op(fmt::format("Add({}, {})", product(b, y, "out"), b.constant(bias + "}")));
}

std::string gpt_decoder() {
    Body b;
    b.input("input_ids", "i32[rows,length]");
    b.input("position_ids", "i32[rows,length]");
    b.input("attention_mask", "i32[rows,total]");
    b.input("past_0", "f32[2,rows,2,past,4]");
    const std::string place = b.op(fmt::format("Gather({}, position_ids)", b.weight("position")));
    const std::string x = sum(b, words(b, "input_ids"), place);
    const auto past = [&](int i) {
        return b.op(fmt::format("Gather(past_0, {}) {{axis: 0}}",
                                b.constant(fmt::format("i64[]{{{}}}", i))));
    };
    const std::string k = joined(b, past(0), heads(b, product(b, x, "k"))),
                      v = joined(b, past(1), heads(b, product(b, x, "v")));
    const std::string mixed = attend(b, heads(b, product(b, x, "q")), k, v, "attention_mask");
    b.output("logits", logits_of(b, sum(b, x, product(b, mixed, "o"))));
    const auto part = [&](const std::string& value) {
        return b.op(fmt::format("Unsqueeze({}, {})", value, b.constant("i64[1]{0}")));
    };
    b.output("present_0", b.op(fmt::format("Concat({}, {}) {{axis: 0}}", part(k), part(v))));
    return b.text();
}

struct Decoded {
    std::string logits, k, v;
};

/// One decoder layer: logits, and keys and values of self attention so far.
Decoded decode(Body& b, const std::string& ids, const Decoded& past, const Decoded& cross,
               const std::string& mask) {
    const std::string x = words(b, ids);
    const std::string k = joined(b, past.k, heads(b, product(b, x, "k"))),
                      v = joined(b, past.v, heads(b, product(b, x, "v")));
    std::string y = sum(b, x, product(b, attend(b, heads(b, product(b, x, "q")), k, v, ""), "o"));
    y = sum(b, y,
            product(b, attend(b, heads(b, product(b, y, "cq")), cross.k, cross.v, mask), "co"));
    return {logits_of(b, y), k, v};
}

std::string encoder(const GenerationGraph& graph) {
    Body b;
    const bool is_t5 = graph.kind == "t5";
    b.input("encoder_input_ids", is_t5 ? "i32[rows,frames]" : "f32[rows,8,frames]");
    const std::string mask = is_t5 ? "encoder_attention_mask" : "";
    if (is_t5) b.input(mask, "i32[rows,frames]");
    const std::string x = is_t5 ? words(b, "encoder_input_ids")
                                : b.op("Transpose(encoder_input_ids) {perm: [0,2,1]}");
    const std::string states =
        sum(b, x, attend(b, heads(b, product(b, x, "v")), heads(b, x), heads(b, x), mask));
    const Decoded cross{"", heads(b, product(b, states, "ck")), heads(b, product(b, states, "cv"))};
    if (graph.initial) {
        b.input("decoder_input_ids", "i32[rows,start]");
        const Decoded first = decode(b, "decoder_input_ids", {}, cross, mask);
        b.output("logits", first.logits);
        b.output("encoder_hidden_states", states);
        b.output("present_key_self_0", first.k);
        b.output("present_value_self_0", first.v);
    }
    b.output("present_key_cross_0", cross.k);
    b.output("present_value_cross_0", cross.v);
    return b.text();
}

std::string decoder(const GenerationGraph& graph) {
    Body b;
    const bool is_t5 = graph.kind == "t5";
    b.input("input_ids", graph.one_token ? "i32[rows,1]" : "i32[rows,tokens]");
    if (is_t5) b.input("encoder_attention_mask", "i32[rows,frames]");
    if (graph.hidden_states) b.input("encoder_hidden_states", "f32[rows,frames,8]");
    b.input("past_key_self_0", "f32[rows,2,past,4]");
    b.input("past_value_self_0", "f32[rows,2,past,4]");
    b.input("past_key_cross_0", "f32[rows,2,frames,4]");
    b.input("past_value_cross_0", "f32[rows,2,frames,4]");
    const Decoded next = decode(b, "input_ids", {"", "past_key_self_0", "past_value_self_0"},
                                {"", "past_key_cross_0", "past_value_cross_0"},
                                is_t5 ? "encoder_attention_mask" : "");
    b.output("logits", next.logits);
    b.output("present_key_self_0", next.k);
    b.output("present_value_self_0", next.v);
    return b.text();
}

/// The operator's inputs, or outputs, in the order of its schema.
std::vector<std::string> slots(const std::string& op, bool inputs) {
    std::string all;
    if (op.ends_with("BeamSearch"))
        all = inputs
                  ? "input_ids max_length min_length num_beams num_return_sequences length_penalty "
                    "repetition_penalty vocab_mask prefix_vocab_mask attention_mask "
                    "decoder_input_ids "
                    "logits_processor cross_qk_layer_head extra_decoding_ids temperature"
                  : "sequences sequences_scores scores";
    else
        all =
            inputs
                ? "input_ids max_length min_length repetition_penalty vocab_mask prefix_vocab_mask "
                  "attention_mask presence_mask seed"
                : "sequences filtered_logits";
    std::istringstream words(all);
    std::vector<std::string> names;
    for (std::string word; words >> word;) names.push_back(word);
    return names;
}

/// The slots of a node with those that are not named left out, up to the last that is.
std::string filled(std::vector<std::string> names, const std::set<std::string>& used) {
    for (std::string& name : names)
        if (!used.contains(name)) name = "_";
    while (!names.empty() && names.back() == "_") names.pop_back();
    return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

std::string text_of(const GenerationGraph& graph) {
    std::string inputs, subgraphs;
    std::set<std::string> used;
    for (const auto& [name, type] : graph.inputs) {
        inputs += fmt::format("{}{}: {}", inputs.empty() ? "" : ", ", name, type);
        used.insert(name);
    }
    if (graph.kind == "gpt") subgraphs = "decoder: " + gpt_decoder();
    else
        subgraphs = fmt::format("encoder: {}, decoder: {}, model_type: {}", encoder(graph),
                                decoder(graph), graph.kind == "t5" ? 1 : 2);
    return fmt::format("({}) -> ({})\n{} = com.microsoft::{}({}) {{{}, {}}}\n", inputs,
                       fmt::join(graph.outputs, ", "),
                       filled(slots(graph.op, false), {graph.outputs.begin(), graph.outputs.end()}),
                       graph.op, filled(slots(graph.op, true), used), subgraphs, graph.attributes);
}

}  // namespace lapidary::test
