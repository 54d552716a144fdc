// SPDX-License-Identifier: Apache-2.0
// Verbs of edit scripts that split, join and wrap models, take nodes apart and describe models.
#include <algorithm>

#include <lapidary/base/error.h>
#include <lapidary/onnx_io/model_io.h>

#include "edit/changes/graph_parts.h"
#include "edit/changes/node_parts.h"
#include "edit/changes/number_words.h"
#include "edit/changes/token_wrap.h"
#include "edit/changes/wrap_changes.h"
#include "edit/edit_verb_functions.h"
#include "edit/edit_words.h"
#include "edit/unused_parts.h"
#include "passes/expansion/function_bodies.h"

namespace lapidary::verbs {
namespace {

/// "a -> b, c -> d" -> (a, b), (c, d).
std::vector<std::pair<std::string, std::string>> joined_pairs(
    const std::vector<std::string>& words) {
    std::vector<std::pair<std::string, std::string>> pairs;
    for (std::size_t i = 0; i < words.size(); i += 4) {
        if (i + 2 >= words.size() || words[i + 1] != "->" ||
            (i + 3 < words.size() && words[i + 3] != ",") || i + 4 == words.size())
            fail_input("expected pairs such as boxes -> boxes, scores -> s; found " +
                       quote(join_edit_words(words)));
        pairs.emplace_back(unquoted_word(words[i]), unquoted_word(words[i + 2]));
    }
    return pairs;
}

std::int64_t one_whole_number(const EditArguments& arguments, std::string_view place) {
    const std::vector<std::int64_t> numbers = read_whole_numbers(arguments.word(place));
    if (numbers.size() != 1)
        fail_input(quote(arguments.word(place)) + " is a list, expected one number");
    return numbers.front();
}

double one_number(const EditArguments& arguments, std::string_view place) {
    const std::vector<double> numbers = read_numbers(arguments.word(place));
    if (numbers.size() != 1)
        fail_input(quote(arguments.word(place)) + " is a list, expected one number");
    return numbers.front();
}

/// The attribute that a node of a function takes from each call has no value in the function
/// itself, by which types could be inferred.
void refuse_attributes_of_calls(const Graph& graph) {
    for (const NodeId id : graph.nodes())
        for (const Attribute& attribute : graph.node(id).attributes)
            if (std::holds_alternative<AttributeReference>(attribute.value))
                fail_unsupported(graph.node(id).describe() + " takes its attribute " +
                                 quote(attribute.name) +
                                 " from each call of the function, inside of which nothing can be "
                                 "expanded therefore: expand a call first");
}

void set_entry(StringPairs& entries, const std::string& key, const std::string& text) {
    const auto found = std::ranges::find(entries, key, &std::pair<std::string, std::string>::first);
    if (found == entries.end()) entries.emplace_back(key, text);
    else found->second = text;
}

}  // namespace

void split_model(EditContext& context, const EditArguments& arguments) {
    const auto full = [&](std::string_view place) {
        return std::filesystem::absolute(context.file(arguments.text(place))).lexically_normal();
    };
    if (full("FIRST") == full("SECOND"))
        fail_input("both parts are to be written to " + quote(arguments.text("FIRST"), 4096) +
                   ", expected two files");
    auto [first, second] =
        split_model_at(context.model(), arguments.list("NAME"), context.progress());
    context.add_part(context.file(arguments.text("FIRST")), first);
    context.add_part(context.file(arguments.text("SECOND")), std::move(second));
    context.whole_model() = std::move(first);
    context.note("The model is the first part from here on.");
}

void join_file(EditContext& context, const EditArguments& arguments) {
    LoadOptions load;
    load.limits = context.options().limits;
    Model second = load_model(context.file(arguments.text("FILE")), load, context.progress());
    JoinOptions options;
    if (arguments.has("prefix")) options.prefix = arguments.text("PREFIX");
    if (arguments.has("with")) options.pairs = joined_pairs(arguments.words("PAIRS"));
    join_models(context.whole_model(), std::move(second), options, context.progress());
}

void wrap_normalize(EditContext& context, const EditArguments& arguments) {
    wrap_normalization(context.edit(), arguments.text("NAME"), read_numbers(arguments.word("MEAN")),
                       read_numbers(arguments.word("DEVIATION")),
                       arguments.has("axis") ? one_whole_number(arguments, "AXIS") : 1,
                       context.import_version(""));
}

void wrap_channels(EditContext& context, const EditArguments& arguments) {
    wrap_layout(context.edit(), arguments.text("NAME"), arguments.has("nhwc"),
                context.import_version(""));
}

void wrap_resized(EditContext& context, const EditArguments& arguments) {
    wrap_resize(context.edit(), arguments.text("NAME"), context.import_version(""));
}

void wrap_probabilities(EditContext& context, const EditArguments& arguments) {
    wrap_softmax(context.edit(), arguments.text("NAME"), context.import_version(""));
}

void wrap_highest(EditContext& context, const EditArguments& arguments) {
    std::vector<std::string> labels;
    if (arguments.has("labels")) labels = read_labels(context.file(arguments.text("LABELS")));
    wrap_top_k(context.edit(), arguments.text("NAME"), one_whole_number(arguments, "COUNT"),
               context.import_version(""), labels);
    if (labels.empty()) return;
    std::string lines;
    for (const std::string& label : labels) lines += (lines.empty() ? "" : "\n") + label;
    set_entry(context.whole_model().metadata, "labels", lines);
}

void wrap_tokens(EditContext& context, const EditArguments& arguments) {
    TokenWrap wrap;
    wrap.words = read_words(context.file(arguments.text("VOCABULARY")), context.options().limits);
    if (arguments.has("length")) wrap.length = one_whole_number(arguments, "LENGTH");
    if (arguments.has("padding")) wrap.words.padding = arguments.text("PADDING");
    if (arguments.has("unknown")) wrap.words.unknown = arguments.text("UNKNOWN");
    if (arguments.has("separator")) wrap.separator = arguments.text("SEPARATOR");
    wrap.words.is_lower = wrap.words.is_lower || arguments.has("lower");
    const std::size_t most = context.options().limits.list_elements;
    if (wrap.length > 0 && static_cast<std::uint64_t>(wrap.length) > most)
        fail(ErrorCode::limit_exceeded, "the length is " + std::to_string(wrap.length) +
                                            "; the limit is " + std::to_string(most));
    for (std::string& sentence : notes_of_words(wrap)) context.note(std::move(sentence));
    // Version 3 is the newest that all releases of ONNX Runtime know.
    std::int64_t& operators = context.whole_model().opset_imports["ai.onnx.ml"];
    if (operators == 0) operators = 3;
    wrap_tokenization(context.edit(), arguments.text("NAME"), wrap, context.import_version(""),
                      operators);
}

void wrap_boxes(EditContext& context, const EditArguments& arguments) {
    BoxLimits limits;
    if (arguments.has("count")) limits.count = one_whole_number(arguments, "COUNT");
    if (arguments.has("overlap")) limits.overlap = one_number(arguments, "OVERLAP");
    if (arguments.has("score")) limits.score = one_number(arguments, "SCORE");
    wrap_box_selection(context.edit(), arguments.text("BOXES"), arguments.text("SCORES"), limits,
                       context.import_version(""));
}

void resolve_if(EditContext& context, const EditArguments& arguments) {
    for (const NodeId node : context.nodes(arguments))
        resolve_branch(context.edit(), node, arguments.has("then"), context.import_version(""));
}

void split_gemms(EditContext& context, const EditArguments& arguments) {
    for (const NodeId node : context.nodes(arguments))
        split_gemm(context.edit(), node, context.import_version(""));
}

void expand_nodes(EditContext& context, const EditArguments& arguments) {
    const std::vector<NodeId> nodes = context.nodes(arguments);
    const auto is_call = [&](NodeId id) {  // whose body is put in its place as it is
        const Node& node = context.graph().node(id);
        return context.model().find_function(node.domain, node.op_type, node.overload) != nullptr;
    };
    if (!std::ranges::all_of(nodes, is_call)) refuse_attributes_of_calls(context.graph());
    // For infinite or constant inputs their kernels give other results than their parts.
    context.keeps_results(std::ranges::none_of(nodes, [&](NodeId id) {
        const std::string& op = context.graph().node(id).op_type;
        return op == "Attention" || op == "DynamicQuantizeLinear";
    }));
    const std::set<std::string> unused = names_of_unused_constants(context.graph());
    Model& model = context.whole_model();
    const auto stayed = expand_nodes(model, nodes, context.options().limits, context.progress());
    if (!stayed.empty())
        fail_unsupported(model.graph.node(stayed.front().node).describe() + ": " +
                         stayed.front().reason);
    erase_newly_unused_constants(context.edit(), unused);
}

void set_metadata(EditContext& context, const EditArguments& arguments) {
    const std::string key = arguments.text("KEY");
    if (key.empty()) fail_input("the key of an entry of the metadata is empty");
    set_entry(context.whole_model().metadata, key, arguments.text("TEXT"));
}

void remove_metadata(EditContext& context, const EditArguments& arguments) {
    const std::string key = arguments.text("KEY");
    if (std::erase_if(context.whole_model().metadata,
                      [&](const auto& entry) { return entry.first == key; }) == 0)
        fail_input("the metadata have no entry " + quote(key));
}

void describe_model(EditContext& context, const EditArguments& arguments) {
    Model& model = context.whole_model();
    const std::string text = arguments.text("TEXT");
    if (arguments.has("doc")) model.doc = text;
    else if (arguments.has("producer")) model.producer_name = text;
    else if (arguments.has("domain")) model.domain = text;
    else GraphEdit(model.graph, "edit").set_name(text);
}

}  // namespace lapidary::verbs
