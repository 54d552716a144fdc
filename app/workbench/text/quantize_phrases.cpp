// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/text/core_phrases.h"

#include <QtGlobal>

namespace lapidary::app {
namespace {

// QuantizeVerdict::warnings, and notes about samples and values. Longer phrases before those that
// they contain.
const CorePhrase quantizeTexts[] = {
    {"^slower than the original here: ",
     QT_TRANSLATE_NOOP("CoreWords", "slower than the original here: ")},
    {"^slower than the original in ONNX Runtime: ",
     QT_TRANSLATE_NOOP("CoreWords", "slower than the original in ONNX Runtime: ")},
    {"([\\d.e+-]+) ms against ([\\d.e+-]+) ms a run, ([\\d.e+-]+) times \\(([\\d.e+-]+) to "
     "([\\d.e+-]+)\\)$",
     QT_TRANSLATE_NOOP("CoreWords", "%1 ms against %2 ms a run, %3 times (%4 to %5)")},
    {"^hardly smaller: constants (.+) -> (.+)$",
     QT_TRANSLATE_NOOP("CoreWords", "hardly smaller: constants %1 -> %2")},
    {"^the floor was missed: ", QT_TRANSLATE_NOOP("CoreWords", "the floor was missed: ")},
    {"^outputs are far off: ", QT_TRANSLATE_NOOP("CoreWords", "outputs are far off: ")},
    {"SQNR (.+) is below (.+)$", QT_TRANSLATE_NOOP("CoreWords", "SQNR %1 is below %2")},
    {"an output has SQNR (.+), no better than zeros$",
     QT_TRANSLATE_NOOP("CoreWords", "an output has SQNR %1, no better than zeros")},
    {"([\\d.e-]+) % changed answers is more than ([\\d.e-]+) % changed answers$",
     QT_TRANSLATE_NOOP("CoreWords", "%1 % changed answers is more than %2 % changed answers")},
    {"([\\d.e-]+) % of top-1 lost is more than ([\\d.e-]+) % of top-1 lost$",
     QT_TRANSLATE_NOOP("CoreWords", "%1 % of top-1 lost is more than %2 % of top-1 lost")},
    {"(\\S+) of 1 answer changed$", QT_TRANSLATE_NOOP("CoreWords", "%1 of 1 answer changed")},
    {"(\\S+) of (\\S+) answers changed$",
     QT_TRANSLATE_NOOP("CoreWords", "%1 of %2 answers changed")},
    {"right answers fell from (.+) to (.+)$",
     QT_TRANSLATE_NOOP("CoreWords", "right answers fell from %1 to %2")},
    {"^the samples are generated: ranges of made-up inputs are not those of real ones, and the "
     "accuracy measured on them says little$",
     QT_TRANSLATE_NOOP("CoreWords",
                       "the samples are generated: ranges of made-up inputs are not those of real "
                       "ones, and the accuracy measured on them says little")},
    {"^([\\d.e+-]+) % of value (\".*?\") are beyond the range \\[([\\d.e+-]+), ([\\d.e+-]+)\\] of "
     "the samples that gave it: more or other samples are needed$",
     QT_TRANSLATE_NOOP("CoreWords",
                       "%1 % of value %2 are beyond the range [%3, %4] of the samples that gave "
                       "it: more or other samples are needed")},
    {"^so it is with (\\S+) more values$",
     QT_TRANSLATE_NOOP("CoreWords", "so it is with %1 more values")},
    {"^(\\S+) weights hold neighbours whose 8-bit products saturate in ONNX Runtime on x86 CPUs "
     "without VNNI: weights of 7 bits are safe there$",
     QT_TRANSLATE_NOOP("CoreWords",
                       "%1 weights hold neighbours whose 8-bit products saturate in ONNX Runtime "
                       "on x86 CPUs without VNNI: weights of 7 bits are safe there")},
    {"^(\\S+) weight holds neighbours whose 8-bit products saturate in ONNX Runtime on x86 CPUs "
     "without VNNI: weights of 7 bits are safe there$",
     QT_TRANSLATE_NOOP("CoreWords",
                       "%1 weight holds neighbours whose 8-bit products saturate in ONNX Runtime "
                       "on x86 CPUs without VNNI: weights of 7 bits are safe there")},
    {"^no integer kernel takes up (\\S+) pairs of QuantizeLinear and DequantizeLinear: they round "
     "and speed nothing up$",
     QT_TRANSLATE_NOOP("CoreWords",
                       "no integer kernel takes up %1 pairs of QuantizeLinear and "
                       "DequantizeLinear: they round and speed nothing up")},
    {"^no integer kernel takes up (\\S+) pair of QuantizeLinear and DequantizeLinear: it rounds "
     "and speeds nothing up$",
     QT_TRANSLATE_NOOP("CoreWords",
                       "no integer kernel takes up %1 pair of QuantizeLinear and DequantizeLinear: "
                       "it rounds and speeds nothing up")},
    {"^output (\".*?\") of the original was not finite in (\\S+) of (\\S+) elements, which were "
     "not compared$",
     QT_TRANSLATE_NOOP(
         "CoreWords",
         "output %1 of the original was not finite in %2 of %3 elements, which were not compared")},
    {"^output (\".*?\") of the quantized model is not finite in (\\S+) of (\\S+) elements where "
     "the original's are$",
     QT_TRANSLATE_NOOP("CoreWords",
                       "output %1 of the quantized model is not finite in %2 of %3 elements where "
                       "the original's are")},
    {"^(\\S+) samples were left out in all$",
     QT_TRANSLATE_NOOP("CoreWords", "%1 samples were left out in all")},
    {"^(.+?) was left out: (.+)$", QT_TRANSLATE_NOOP("CoreWords", "%1 was left out: %2")},
    {"^value (\".*?\") had elements that are not finite, which were left out$",
     QT_TRANSLATE_NOOP("CoreWords",
                       "value %1 had elements that are not finite, which were left out")},
    {"^value (\".*?\") was the same in all samples$",
     QT_TRANSLATE_NOOP("CoreWords", "value %1 was the same in all samples")},
    {"^value (\".*?\") has outliers: it reaches ([\\d.e+-]+), 99\\.99 % of it stay below "
     "([\\d.e+-]+); smoothing or 16-bit activations may help$",
     QT_TRANSLATE_NOOP("CoreWords",
                       "value %1 has outliers: it reaches %2, 99.99 % of it stay below %3; "
                       "smoothing or 16-bit activations may help")},
    {"^(\\S+) more values had elements that are not finite$",
     QT_TRANSLATE_NOOP("CoreWords", "%1 more values had elements that are not finite")},
    {"^(\\S+) more values were the same in all samples$",
     QT_TRANSLATE_NOOP("CoreWords", "%1 more values were the same in all samples")},
    {"^(\\S+) more values have outliers$",
     QT_TRANSLATE_NOOP("CoreWords", "%1 more values have outliers")},
};

}  // namespace

std::span<const CorePhrase> quantizePhrases() { return quantizeTexts; }

}  // namespace lapidary::app
