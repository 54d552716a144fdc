// SPDX-License-Identifier: GPL-3.0-or-later
// The help of the verbs of core/tools/edit/edit_verbs.inc, for the catalogues of translations.
#include <QCoreApplication>

#include "workbench/text/bounded_text.h"
#include "workbench/text/edit_words.h"

namespace lapidary::app {
namespace {

const char* const helpOfVerbs[] = {
    QT_TRANSLATE_NOOP("EditWords",
                      "Removes nodes. Readers of what they wrote read the nodes' first input "
                      "instead; `cut` makes what is missing inputs of the model."),
    QT_TRANSLATE_NOOP(
        "EditWords",
        "Puts a node on a value, before a node or one of its inputs (NODE.INPUT), or after it."),
    QT_TRANSLATE_NOOP(
        "EditWords",
        "Puts the nodes of a model file in place of each node, inputs and outputs in order."),
    QT_TRANSLATE_NOOP("EditWords", "Calls a function of the model in place of each node."),
    QT_TRANSLATE_NOOP("EditWords", "Gives nodes another operator; attributes that both have stay."),
    QT_TRANSLATE_NOOP("EditWords",
                      "Sets an attribute to a number, a text, a list such as [1,2] or a type."),
    QT_TRANSLATE_NOOP("EditWords", "Removes an attribute, which then has its default."),
    QT_TRANSLATE_NOOP("EditWords",
                      "Gives another name; each * of FROM becomes the * of TO in the same place."),
    QT_TRANSLATE_NOOP("EditWords", "Lets an input of a node, by its name or number, read a value."),
    QT_TRANSLATE_NOOP("EditWords", "Leaves out an input of a node that is optional."),
    QT_TRANSLATE_NOOP("EditWords", "Makes inner values outputs of the model."),
    QT_TRANSLATE_NOOP("EditWords",
                      "Removes outputs of the model, and the nodes that only they needed."),
    QT_TRANSLATE_NOOP("EditWords", "Removes inputs of the model that nothing reads."),
    QT_TRANSLATE_NOOP("EditWords",
                      "Removes all other outputs, and the nodes that only they needed."),
    QT_TRANSLATE_NOOP("EditWords",
                      "Keeps what computes some values from others, which become inputs."),
    QT_TRANSLATE_NOOP("EditWords",
                      "Keeps these nodes alone; what they read of others becomes inputs."),
    QT_TRANSLATE_NOOP("EditWords", "Gives a dimension with a name a fixed size."),
    QT_TRANSLATE_NOOP("EditWords", "Converts the model to another opset of ai.onnx."),
    QT_TRANSLATE_NOOP("EditWords", "Changes the type of an input or output: float[N,3,224,224]."),
    QT_TRANSLATE_NOOP("EditWords",
                      "Makes an input a constant: an .npy or .npz file, one number for all "
                      "elements, or a list such as [1,2]."),
    QT_TRANSLATE_NOOP("EditWords",
                      "Makes a constant an input, with its value as default; `bare`: without."),
    QT_TRANSLATE_NOOP("EditWords", "Brings inputs or outputs into this order; the others follow."),
    QT_TRANSLATE_NOOP(
        "EditWords",
        "Gives a constant the values of an .npy or .npz file of the same type and shape."),
    QT_TRANSLATE_NOOP("EditWords",
                      "Transposes a constant; readers get the old order from a Transpose or from "
                      "Gemm's transB. `plain`: they read it transposed."),
    QT_TRANSLATE_NOOP("EditWords",
                      "Stores a constant in another element type, with a Cast behind it."),
    QT_TRANSLATE_NOOP("EditWords",
                      "Brings everything of one float type to another: float64 -> float32."),
    QT_TRANSLATE_NOOP("EditWords",
                      "Gives a fixed dimension of an input, such as x[0], a name, and mends "
                      "Reshapes that have its size in their targets."),
    QT_TRANSLATE_NOOP("EditWords",
                      "Splits the model in two files at inner values; the first is edited on."),
    QT_TRANSLATE_NOOP("EditWords", "Puts MatMul and Add in place of Gemm."),
    QT_TRANSLATE_NOOP("EditWords",
                      "Puts the model of a file behind this one: `with a -> b, c -> d` says which "
                      "output goes to which input; else equal names do."),
    QT_TRANSLATE_NOOP("EditWords",
                      "Makes an input one of bytes, normalized inside, with a number for each "
                      "channel: [123.7,116.3,103.5]."),
    QT_TRANSLATE_NOOP("EditWords", "Lets an input take channels last (nhwc) or first."),
    QT_TRANSLATE_NOOP("EditWords", "Lets an input take pictures of any size, resized inside."),
    QT_TRANSLATE_NOOP("EditWords", "Gives the Softmax of an output along its last axis."),
    QT_TRANSLATE_NOOP("EditWords",
                      "Gives the highest values of an output, and NAME_indices, along its last "
                      "axis; NAME_labels too with a file of labels, one a line."),
    QT_TRANSLATE_NOOP("EditWords",
                      "Lets an input of ids take texts, split at white space: a file of whole "
                      "words, one a line, or a tokenizer.json of type WordLevel."),
    QT_TRANSLATE_NOOP("EditWords",
                      "Adds the output selected_indices: the boxes that NonMaxSuppression keeps."),
    QT_TRANSLATE_NOOP(
        "EditWords",
        "Applies an edit to a body of an If, Loop or Scan: in If_3.then_branch delete conv1."),
    QT_TRANSLATE_NOOP("EditWords",
                      "Applies an edit to the body of a function, and so to all its calls."),
    QT_TRANSLATE_NOOP("EditWords", "Puts one branch in place of an If, whatever its condition."),
    QT_TRANSLATE_NOOP("EditWords",
                      "Puts simpler operators in place of nodes: the function body of ONNX, of the "
                      "model's own function, or the parts of an operator of com.microsoft."),
    QT_TRANSLATE_NOOP(
        "EditWords",
        "Applies the rewriting rules of a file wherever they match; an error where none does."),
    QT_TRANSLATE_NOOP("EditWords", "Sets an entry of the metadata."),
    QT_TRANSLATE_NOOP("EditWords", "Removes an entry of the metadata."),
    QT_TRANSLATE_NOOP("EditWords", "Sets what the file says of itself."),
};

}  // namespace

QString editHelp(std::string_view help) {
    const std::string key(help);
    return tipText(QCoreApplication::translate("EditWords", key.c_str()));
}

std::span<const char* const> knownEditHelp() { return helpOfVerbs; }

}  // namespace lapidary::app
