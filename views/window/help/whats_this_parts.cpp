// SPDX-License-Identifier: GPL-3.0-or-later
// What the parts of pages are for, by object name: the texts of What's This.
#include "window/help/whats_this.h"

#include <QCoreApplication>
#include <QHash>

namespace lapidary::views {
namespace {

struct Part {
    const char* name;  // of the object
    const char* text;
};

const Part parts[] = {
    // whole pages and dialogs, for controls without a text of their own
    {"graphPage", QT_TRANSLATE_NOOP(
                      "WhatsThis", "The Graph page: what the model computes and where data goes.")},
    {"optimizePage",
     QT_TRANSLATE_NOOP("WhatsThis",
                       "The Optimize page: what passes do to the model, level by level.")},
    {"quantizePage",
     QT_TRANSLATE_NOOP("WhatsThis",
                       "The Quantize page: the model in fewer bits, and what that costs.")},
    {"runPage",
     QT_TRANSLATE_NOOP("WhatsThis", "The Run page: a profiled run and where its time goes.")},
    {"memoryPage",
     QT_TRANSLATE_NOOP("WhatsThis", "The Memory page: what a run holds, step by step.")},
    {"tunePage",
     QT_TRANSLATE_NOOP("WhatsThis", "The Tune page: which settings are fastest on this machine.")},
    {"comparePage",
     QT_TRANSLATE_NOOP("WhatsThis", "The Compare page: A against B, measured in turn.")},
    {"checklistPage",
     QT_TRANSLATE_NOOP("WhatsThis", "The Checklist page: what is worth doing with this model.")},
    {"generatePage",
     QT_TRANSLATE_NOOP("WhatsThis",
                       "The Generate page: how fast a language model talks, and why.")},
    {"bottomTabs", QT_TRANSLATE_NOOP("WhatsThis", "What is odd, what happened, and what runs.")},
    {"settingsDialog",
     QT_TRANSLATE_NOOP("WhatsThis", "What holds for every model, from one start to the next.")},
    {"exportDialog",
     QT_TRANSLATE_NOOP("WhatsThis", "Writes the variant in force for those who are to run it.")},
    {"convertDialog",
     QT_TRANSLATE_NOOP("WhatsThis",
                       "Writes the model changed as chosen, after telling what changes.")},
    // the frame
    {"modeRail",
     QT_TRANSLATE_NOOP(
         "WhatsThis",
         "Each page answers one question about the open model. All of them are of the same "
         "variant and the same sizes, which the toolbar names.")},
    {"variantChip",
     QT_TRANSLATE_NOOP(
         "WhatsThis",
         "The variant in force: runs, memory plans, sweeps and exports are of it. Its measured "
         "time stands beside its name; A and B are the two that Compare holds against each "
         "other.")},
    {"sizesChip",
     QT_TRANSLATE_NOOP(
         "WhatsThis",
         "Sizes that free dimensions such as batch and sequence have. Every figure of every page "
         "is of these.")},
    {"mainToolbar",
     QT_TRANSLATE_NOOP(
         "WhatsThis",
         "Open a model, run it, stop what runs, save the recording, and what all pages are of.")},
    {"noiseMeter",
     QT_TRANSLATE_NOOP(
         "WhatsThis",
         "How unsteady this machine was during the last measurement. Small differences cannot be "
         "told from noise while it is high.")},
    {"problemCount",
     QT_TRANSLATE_NOOP(
         "WhatsThis",
         "How many things are odd about the open model or its newest run. Press it to read them.")},
    {"variantsPanel",
     QT_TRANSLATE_NOOP(
         "WhatsThis",
         "The model as it was opened and what was made of it. The one with the tick is in force. "
         "Enter puts another one in force, A and B put it into a slot of Compare.")},
    {"inspectorPanel",
     QT_TRANSLATE_NOOP(
         "WhatsThis",
         "What the chosen node, tensor or model is, where it came from, what it costs, and what "
         "passes did with it or why they did not.")},
    {"problemsPanel",
     QT_TRANSLATE_NOOP(
         "WhatsThis",
         "What is wrong or odd about the model: faults, operators that cannot run, where it would "
         "not load.")},
    {"logPanel",
     QT_TRANSLATE_NOOP("WhatsThis", "What the program did and what went wrong, newest last.")},
    {"tasksPanel",
     QT_TRANSLATE_NOOP("WhatsThis",
                       "What runs now and what ran, with the command that repeats it.")},
    // Start
    {"startPage",
     QT_TRANSLATE_NOOP(
         "WhatsThis",
         "The way in: open something of yours, take the tour, or ask a question of a sample.")},
    {"doors",
     QT_TRANSLATE_NOOP(
         "WhatsThis",
         "Three ways to begin: a model of your own, a minute's tour on a sample, or a profile "
         "that another program recorded.")},
    {"jobCards",
     QT_TRANSLATE_NOOP(
         "WhatsThis",
         "A question, and the page that answers it, for the open model or for a small sample.")},
    {"sampleCards",
     QT_TRANSLATE_NOOP(
         "WhatsThis",
         "Well-known architectures with random weights, built on this machine: good for trying "
         "things out and for timing, not for results.")},
    {"recentFiles",
     QT_TRANSLATE_NOOP(
         "WhatsThis",
         "What you opened before, with a picture of its graph and what the last run found.")},
    // Graph
    {"graphCanvas",
     QT_TRANSLATE_NOOP(
         "WhatsThis",
         "The model as it computes: boxes are operators or groups of them, lines are tensors. A "
         "click chooses, a double click opens a group, arrow keys follow the tensors.")},
    {"graphTable",
     QT_TRANSLATE_NOOP("WhatsThis", "The same nodes as a table, in the order in which they run.")},
    {"colorBy",
     QT_TRANSLATE_NOOP(
         "WhatsThis",
         "What the colours of the boxes mean: the kind of operator, measured time, memory, the "
         "share of the machine's peak that is reached, and more.")},
    {"graphTools",
     QT_TRANSLATE_NOOP(
         "WhatsThis",
         "How the graph is drawn: zoom, open and closed groups, constants, direction, colours, "
         "and marks on what is found.")},
    // Optimize
    {"levelCards",
     QT_TRANSLATE_NOOP(
         "WhatsThis",
         "The four levels of optimization, as ONNX Runtime names them: how many nodes each "
         "leaves, its measured time with the 95 % interval, memory, and whether the guard found "
         "its results the same. Pressing one puts it in force.")},
    {"passListPanel",
     QT_TRANSLATE_NOOP(
         "WhatsThis",
         "Every pass of the level with how often it applied and almost did. Without its tick it "
         "is left out, which makes another variant.")},
    {"changePanel",
     QT_TRANSLATE_NOOP(
         "WhatsThis",
         "Every rewrite in its order, with where it was. Choosing one draws the graph after it.")},
    {"rewriteReview",
     QT_TRANSLATE_NOOP(
         "WhatsThis",
         "Every rewrite in its order with the nodes before and after it: dashed with a minus went, "
         "with a plus came, with a tilde was changed; pale ones are neighbours. Choosing one draws "
         "it in the graph.")},
    {"nearMissPanel",
     QT_TRANSLATE_NOOP(
         "WhatsThis",
         "Places that a pass would have rewritten but for one condition, with that condition.")},
    {"guardPanel",
     QT_TRANSLATE_NOOP(
         "WhatsThis",
         "Runs the original and the variant on the same inputs and compares every output; where "
         "they differ it can find the rewrite that did it.")},
    {"diffView",
     QT_TRANSLATE_NOOP(
         "WhatsThis",
         "The graph before and after: dashed red with a minus went, green with a plus came.")},
    {"stepBar",
     QT_TRANSLATE_NOOP(
         "WhatsThis",
         "One tick for each rewrite, coloured by the kind of pass. Move through them to see the "
         "graph grow shorter.")},
    {"optimizeTools",
     QT_TRANSLATE_NOOP(
         "WhatsThis",
         "How the change is drawn, and what to do with the variant: measure, prove, export it.")},
    // Quantize
    {"goalBar",
     QT_TRANSLATE_NOOP(
         "WhatsThis",
         "What quantizing is to reach: how many bits, whether accuracy or speed counts, and how "
         "long it may search.")},
    {"sampleStrip",
     QT_TRANSLATE_NOOP(
         "WhatsThis",
         "Inputs that ranges are taken from and results are judged on. Real ones say much more "
         "than generated ones.")},
    {"quantizeCard",
     QT_TRANSLATE_NOOP(
         "WhatsThis",
         "What was found: how much smaller and faster, and what it costs in accuracy.")},
    {"recipeTable",
     QT_TRANSLATE_NOOP(
         "WhatsThis",
         "Ways to quantize, best first, each with its signal-to-noise ratio, changed answers, "
         "size and measured time.")},
    {"decisionTable",
     QT_TRANSLATE_NOOP("WhatsThis",
                       "Every node with whether it was quantized and why. A tick keeps it float.")},
    {"paretoPlot",
     QT_TRANSLATE_NOOP(
         "WhatsThis",
         "Accuracy against time or size. Points on the dashed line are not beaten in both by any "
         "other.")},
    {"accuracySlider",
     QT_TRANSLATE_NOOP(
         "WhatsThis",
         "Recipes from the smallest to the most accurate. Each step to the right costs bytes and "
         "takes noise away.")},
    {"layerTable",
     QT_TRANSLATE_NOOP("WhatsThis",
                       "The signal-to-noise ratio layer by layer: where quantizing loses most.")},
    {"rangeTable",
     QT_TRANSLATE_NOOP(
         "WhatsThis",
         "The range of values of each tensor over the samples, which decides its scale.")},
    {"programPanel",
     QT_TRANSLATE_NOOP(
         "WhatsThis",
         "A Python program that quantizes this model with ONNX Runtime's own tools. Its first "
         "lines say what they do differently.")},
    {"machinePanel",
     QT_TRANSLATE_NOOP(
         "WhatsThis",
         "The variant in force on two machines: this computer and a target, or two targets, "
         "measured one after the other.")},
    {"variantPanel",
     QT_TRANSLATE_NOOP(
         "WhatsThis",
         "Two to eight variants side by side: time, memory, size, accuracy, nodes and precision. "
         "A double click in a column, or In detail, takes it and the first one for A and B.")},
    {"targetsDialog",
     QT_TRANSLATE_NOOP(
         "WhatsThis",
         "Other computers that ssh reaches, on which models are run and measured: what each is, "
         "or why it cannot be reached.")},
    // Run
    {"runSettings",
     QT_TRANSLATE_NOOP(
         "WhatsThis",
         "How the model is run: threads, how often, what is done first without recording, the "
         "seed of generated inputs, the device.")},
    {"inputsDrawer",
     QT_TRANSLATE_NOOP(
         "WhatsThis",
         "What the model is fed: generated values, or files of yours. Recorded outputs among them "
         "are compared with.")},
    {"verdictCard", QT_TRANSLATE_NOOP("WhatsThis",
                                      "Where the time goes, in one sentence, and the median of the "
                                      "runs with its 95 % interval.")},
    {"operatorBars",
     QT_TRANSLATE_NOOP(
         "WhatsThis",
         "Time by operator, those of a kind together. Session overhead is the time in which no "
         "kernel ran.")},
    {"nodeTable",
     QT_TRANSLATE_NOOP(
         "WhatsThis",
         "Time by node: what ran it, on which shapes, how much of the machine's peak it reached "
         "and what it is bound by.")},
    {"originalNodes",
     QT_TRANSLATE_NOOP("WhatsThis",
                       "The same times rolled back onto the nodes of the model as it was opened.")},
    {"scopePanel",
     QT_TRANSLATE_NOOP("WhatsThis",
                       "Time by the parts of the model, as their names nest: wide is slow.")},
    {"rooflinePlot",
     QT_TRANSLATE_NOOP(
         "WhatsThis",
         "Each node under the roofs of this machine, or of the device that ran it: at the slope it "
         "waits for memory, at the flat roof it computes as fast as it can. The larger the dot, "
         "the "
         "more time.")},
    {"outputTable",
     QT_TRANSLATE_NOOP(
         "WhatsThis",
         "What came out: type, range and first values, and whether it is as recorded.")},
    {"outputDetails",
     QT_TRANSLATE_NOOP(
         "WhatsThis",
         "The chosen output: its values, their distribution, the largest with their labels, a "
         "picture where it is one.")},
    {"phaseTable", QT_TRANSLATE_NOOP("WhatsThis",
                                     "What a session does before and after runs: load, optimize, "
                                     "plan, pack weights, clean up.")},
    {"memoryCurve", QT_TRANSLATE_NOOP("WhatsThis", "What was held at each moment of a run.")},
    {"timelineView",
     QT_TRANSLATE_NOOP(
         "WhatsThis",
         "The recording over time, a row for each thread. The wheel zooms, dragging along the "
         "ruler selects a range, to which the figures of the page then refer.")},
    {"runStrip",
     QT_TRANSLATE_NOOP(
         "WhatsThis",
         "The recorded runs, as tall as they took long: the typical and the slowest one are "
         "coloured. A click or the arrow keys show one in the timeline, Enter the slowest.")},
    {"timelineCounters",
     QT_TRANSLATE_NOOP(
         "WhatsThis",
         "Over the time of the timeline: how many threads work, how many bytes of activations are "
         "alive, and how much kernels read and write.")},
    {"timelineSearchBar",
     QT_TRANSLATE_NOOP(
         "WhatsThis",
         "Searches the timeline for nodes and operators: how often they ran, and the way from one "
         "to the next. All else is drawn pale.")},
    {"slowRunView",
     QT_TRANSLATE_NOOP(
         "WhatsThis",
         "The slowest run beneath a typical one. Bands join the same kernel in both; marks stand "
         "where most time was lost.")},
    // Memory
    {"memoryCard", QT_TRANSLATE_NOOP("WhatsThis",
                                     "What a process that runs the model takes and what that is "
                                     "made of; then the activations: how "
                                     "much is planned, where the peak is, what is alive there, "
                                     "what is held and what was measured.")},
    {"memoryHistory",
     QT_TRANSLATE_NOOP("WhatsThis",
                       "What is in use at each step, by its role. The marked step is the peak.")},
    {"memoryMap", QT_TRANSLATE_NOOP(
                      "WhatsThis", "Each tensor by address and step: how the plan lays them out.")},
    {"whatIfPanel",
     QT_TRANSLATE_NOOP(
         "WhatsThis",
         "Switches and sizes to try: pictures and tables follow at once, nothing runs.")},
    {"lifetimeTable",
     QT_TRANSLATE_NOOP("WhatsThis",
                       "From which step to which each tensor lives, and who keeps it.")},
    // Tune
    {"tuneSpace",
     QT_TRANSLATE_NOOP(
         "WhatsThis",
         "What is tried: numbers of threads, batches, levels, and under More the options of a "
         "session.")},
    {"recommendationCard",
     QT_TRANSLATE_NOOP("WhatsThis",
                       "What to use, with reasons, or that the differences drown in noise.")},
    {"heatMap",
     QT_TRANSLATE_NOOP(
         "WhatsThis",
         "A cell for each setting: its figure, and whether it can be told apart from the best.")},
    {"scalingCurve",
     QT_TRANSLATE_NOOP("WhatsThis",
                       "How the time falls as threads are added, against what it would at best.")},
    {"rowHelp", QT_TRANSLATE_NOOP(
                    "WhatsThis",
                    "What would shorten the largest rows above, by how much at most, with a link "
                    "that begins with it.")},
    {"tradeOffPanel",
     QT_TRANSLATE_NOOP(
         "WhatsThis",
         "Each setting as a point, latency against throughput, with the line of those "
         "that no other beats and the latency cap. Beneath it the program for ONNX "
         "Runtime with the recommended setting.")},
    {"operatorScaling",
     QT_TRANSLATE_NOOP("WhatsThis", "Which operators gain from more threads and which do not.")},
    {"servingPanel",
     QT_TRANSLATE_NOOP(
         "WhatsThis",
         "Many callers at the same time: how many requests are answered and how soon, put "
         "together by the batcher and one by one.")},
    {"cellTable", QT_TRANSLATE_NOOP("WhatsThis", "All settings with their figures and intervals.")},
    // Compare
    {"summaryCards",
     QT_TRANSLATE_NOOP(
         "WhatsThis",
         "A against B in six figures. Green with a triangle upward is better, red with one "
         "downward worse, whatever the sign.")},
    {"moduleWaterfall",
     QT_TRANSLATE_NOOP(
         "WhatsThis",
         "From A as a whole to B as a whole by the parts of the model: times of fused nodes are "
         "rolled back, and what is within noise is one bar.")},
    {"matchedTimelines",
     QT_TRANSLATE_NOOP(
         "WhatsThis",
         "A typical run of A over one of B: bands join kernels that stand for the same nodes of "
         "the model.")},
    {"operatorDifferences",
     QT_TRANSLATE_NOOP(
         "WhatsThis",
         "A waterfall from the time of A to that of B: who gained and who lost, what is within "
         "noise put together.")},
    {"nodeDifferences",
     QT_TRANSLATE_NOOP("WhatsThis",
                       "Nodes of both, matched by the nodes of the model that they stand for.")},
    {"distributionCanvas",
     QT_TRANSLATE_NOOP("WhatsThis", "Every measured run of both: how far they overlap.")},
    {"outputDifferences",
     QT_TRANSLATE_NOOP("WhatsThis",
                       "Outputs of both on the same inputs, by the rule of the guard. Enter on one "
                       "that differs finds where it starts to.")},
    {"differencePanel",
     QT_TRANSLATE_NOOP("WhatsThis",
                       "The first node that makes another output of the same inputs, what differs "
                       "about it, and how large the difference is along the graph.")},
    {"enginePanel",
     QT_TRANSLATE_NOOP("WhatsThis",
                       "Two engines, or two releases of one, on the opened model: the nodes in "
                       "which B is slower or faster. Enter on one shows it in the graph.")},
    {"graphPair", QT_TRANSLATE_NOOP("WhatsThis", "Both graphs, panned and zoomed together.")},
    {"codePanel",
     QT_TRANSLATE_NOOP("WhatsThis", "A program that repeats the settings in ONNX Runtime.")},
    // Checklist
    {"checklistTable",
     QT_TRANSLATE_NOOP(
         "WhatsThis",
         "What is worth doing with this model, from what is known of it. The button below starts "
         "it.")},
    // Generate
    {"promptBar",
     QT_TRANSLATE_NOOP(
         "WhatsThis",
         "What tokens are generated from, how many, with which variants, and how each is chosen.")},
    {"generateCard",
     QT_TRANSLATE_NOOP("WhatsThis",
                       "How fast tokens come, and what in the newest recorded one stands out.")},
    {"tokenView",
     QT_TRANSLATE_NOOP(
         "WhatsThis",
         "The prompt and the tokens behind it as they come. Those for which B would have chosen "
         "another are underlined.")},
    {"generateTabs",
     QT_TRANSLATE_NOOP(
         "WhatsThis",
         "The time of each token, what it is made of, the memory that is held, and the variants "
         "side by side, over the tokens of context.")},
    {"sideTable",
     QT_TRANSLATE_NOOP(
         "WhatsThis",
         "Both variants on the same tokens: A chooses them. Changed tokens are those for which B "
         "would have chosen another; the divergence is that of its logits, in nats.")},
    {"keptRuns", QT_TRANSLATE_NOOP("WhatsThis", "Runs whose figures the project keeps.")},
};

}  // namespace

QString WhatsThis::partText(const QString& objectName) {
    static const QHash<QString, const char*> known = [] {
        QHash<QString, const char*> texts;
        for (const Part& part : parts) texts.insert(QString::fromLatin1(part.name), part.text);
        return texts;
    }();
    const char* text = known.value(objectName);
    return text ? QCoreApplication::translate("WhatsThis", text) : QString();
}

}  // namespace lapidary::views
