// SPDX-License-Identifier: Apache-2.0
// The headline of the Memory page says in English what the engine says, and so what every command
// prints.
#include <gtest/gtest.h>

#include <lapidary/passes/optimize.h>
#include <lapidary/inputs/samples.h>

#include "memory/memory_words.h"

namespace lapidary::views {
namespace {

TEST(MemoryWords, AreThoseOfTheEngine) {
    for (const char* name : {"mlp", "lenet", "squeezenet", "bert-tiny", "unet", "lstm"})
        for (const Level level : {Level::disabled, Level::all}) {
            OptimizeOptions options;
            options.level = level;
            MemoryStudy study(
                std::make_shared<const Model>(optimize(build_sample(name), options).model));
            const MemoryReport report = study.report();
            EXPECT_EQ(peakSentence(report).toStdString(), report.verdict) << name;
        }
    EXPECT_EQ(peakSentence(MemoryReport()).toStdString(), "Nothing runs: the model has no nodes.");
}

}  // namespace
}  // namespace lapidary::views
