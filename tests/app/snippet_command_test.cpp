// SPDX-License-Identifier: Apache-2.0
// Settings and providers of `snippet`: what is put into the program, and what is refused before a
// model is read.
#include <gtest/gtest.h>

#include "app/command_runner.h"

namespace lapidary {
namespace {

CommandOutcome snippet_with(std::vector<std::string> words) {
    words.insert(words.begin(), {"snippet", "sample:mlp", "--language", "python"});
    return run(words);
}

TEST(SnippetSettingsCommand, SettingsAndProvidersAreInTheProgram) {
    const CommandOutcome outcome = snippet_with(
        {"--config", "enable_mem_pattern=0", "--config", "session.disable_prepacking=1",
         "--provider", "TensorRT:trt_fp16_enable=1", "--provider", "cuda", "--provider-option",
         "TensorRT:trt_profile_min_shapes=a:1,b:2"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    for (const char* part :
         {"options.enable_mem_pattern = False\n",
          "options.add_session_config_entry(\"session.disable_prepacking\", \"1\")\n",
          "(\"TensorrtExecutionProvider\", {\"trt_fp16_enable\": \"1\", "
          "\"trt_profile_min_shapes\": \"a:1,b:2\"}),\n",
          "        \"CUDAExecutionProvider\",\n        \"CPUExecutionProvider\",\n"})
        EXPECT_NE(outcome.out.find(part), std::string::npos) << "no " << part << " in\n"
                                                             << outcome.out;
}

TEST(SnippetSettingsCommand, WhatDoesNotExistIsAUsageErrorThatNamesTheOption) {
    const std::vector<std::pair<std::vector<std::string>, std::vector<std::string>>> cases{
        {{"--config", "enable_mem_patern=0"}, {"--config", "the nearest is enable_mem_pattern"}},
        {{"--config", "session.disable_prepack=1"},
         {"--config", "the nearest is session.disable_prepacking"}},
        {{"--config", "enable_mem_pattern=off"}, {"--config", "expected one of 0, 1"}},
        {{"--config", "enable_mem_pattern"}, {"--config", "KEY=VALUE"}},
        {{"--provider", "cdua"}, {"--provider", "did you mean \"CUDA\"?"}},
        {{"--provider", "cuda:device=0"},
         {"--provider", "CUDA has no option \"device\"", "device_id"}},
        {{"--provider", "cuda", "--provider-option", "cuda:tf32=0"},
         {"--provider", "no option \"tf32\""}},
        {{"--provider", "cuda", "--provider-option", "QNN:vtcm_mb=8"},
         {"--provider-option", "\"QNN\""}},
        {{"--provider", "cuda", "--provider-option", "device_id=1"},
         {"--provider-option", "NAME:KEY=VALUE"}},
        {{"--provider-option", "cuda:device_id=1"}, {"--provider-option", "--provider"}},
        {{"--release", "abc"}, {"--release", "1.20", "\"abc\""}},
        {{"--release", "2.1"}, {"--release", "\"2.1\""}}};
    for (const auto& [words, reported] : cases) expect_error(snippet_with(words), 2, reported);
}

TEST(SnippetSettingsCommand, WhatAReleaseLacksIsNotSupported) {
    const CommandOutcome outcome =
        snippet_with({"--release", "1.17", "--config", "session.disable_qdq_constant_folding=1"});
    EXPECT_EQ(outcome.code, 4) << outcome.err;
    EXPECT_NE(outcome.err.find("from 1.26 on, not in 1.17"), std::string::npos) << outcome.err;
    EXPECT_EQ(
        snippet_with({"--release", "1.26", "--config", "session.disable_qdq_constant_folding=1"})
            .code,
        0);
}

}  // namespace
}  // namespace lapidary
