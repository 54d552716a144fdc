// SPDX-License-Identifier: Apache-2.0
// Verbs of edit scripts that change inputs, outputs and constants.
#include <lapidary/base/error.h>
#include <lapidary/ops/infer.h>

#include "edit/changes/forget_shapes.h"
#include "edit/changes/free_dimension.h"
#include "edit/changes/number_words.h"
#include "edit/changes/port_changes.h"
#include "edit/changes/weight_changes.h"
#include "edit/changes/weight_source.h"
#include "edit/edit_verb_functions.h"
#include "edit/edit_words.h"

namespace lapidary::verbs {

void port_type(EditContext& context, const EditArguments& arguments) {
    const bool output = arguments.has("output");
    const Type type = read_port_type(arguments.word("TYPE"));
    GraphEdit edit(context.whole_model().graph, "edit");
    change_port_type(edit, arguments.text("NAME"), output, type);
    if (!output) forget_shapes(edit);
    edit.finish();
    context.keeps_results(output);
}

void input_constant(EditContext& context, const EditArguments& arguments) {
    const std::string name = arguments.text("NAME");
    const ValueId id = find_port(context.graph(), name, false);
    const std::string word = arguments.text("VALUE_OR_FILE");
    const bool is_file = word.ends_with(".npy") || word.ends_with(".npz");
    const Tensor tensor = is_file
                              ? read_weight_file(context.file(word), name, context.options().limits)
                              : tensor_of_numbers(word, context.graph().value(id).type);
    make_input_constant(context.edit(), name, tensor);
}

void constant_input(EditContext& context, const EditArguments& arguments) {
    const bool is_bare = arguments.has("bare");
    make_constant_input(context.edit(), arguments.text("NAME"), !is_bare);
    context.keeps_results(!is_bare);
}

void port_order(EditContext& context, const EditArguments& arguments) {
    reorder_ports(context.edit(), arguments.list("NAME"), arguments.has("outputs"));
}

void weight_file(EditContext& context, const EditArguments& arguments) {
    const std::string name = arguments.text("NAME");
    replace_weight(
        context.edit(), name,
        read_weight_file(context.file(arguments.text("FILE")), name, context.options().limits));
}

void weight_transpose(EditContext& context, const EditArguments& arguments) {
    std::vector<std::int64_t> axes;
    for (const std::string& axis : arguments.list("AXES"))
        for (const std::int64_t number : read_whole_numbers(axis)) axes.push_back(number);
    const bool is_plain = arguments.has("plain");
    transpose_weight(context.edit(), arguments.text("NAME"), axes, !is_plain,
                     context.import_version(""));
    context.keeps_results(!is_plain);
}

void weight_cast(EditContext& context, const EditArguments& arguments) {
    const std::string name = arguments.text("NAME");
    const std::size_t infinite =
        cast_weight(context.edit(), name, read_port_type(arguments.word("TYPE")).dtype,
                    context.import_version(""));
    if (infinite > 0)
        context.note(std::to_string(infinite) + " elements of " + quote(name) +
                     " became infinite.");
}

void model_cast(EditContext& context, const EditArguments& arguments) {
    const DType from = read_port_type(arguments.word("FROM")).dtype;
    const DType to = read_port_type(arguments.word("TO")).dtype;
    const std::size_t count = cast_whole_model(context.whole_model(), from, to);
    context.note("Converted " + std::to_string(count) + " constants.");
}

void free_size(EditContext& context, const EditArguments& arguments) {
    const std::string word = arguments.word("DIMENSION");
    const auto [name, axes] = split_brackets(word, '[');
    if (axes.size() != 1 || name.empty())
        fail_input(quote(word) + " names no dimension, expected an input and an axis: x[0]");
    const std::vector<std::int64_t> axis = read_whole_numbers(axes.front());
    if (axis.size() != 1) fail_input(quote(word) + " names several axes, expected one");
    for (std::string& sentence :
         free_dimension(context.whole_model(), unquoted_word(name), axis.front(),
                        arguments.text("NAME"), context.progress()))
        context.note(std::move(sentence));
}

}  // namespace lapidary::verbs
