// Tests that files which are not backends are refused with a reason, and that
// backends are configured by the options of their name.
#include "backends/host/loader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace assay {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

int32_t RunNothing(const AssayCall*, char*, size_t) {
  return ASSAY_UNSUPPORTED;
}

int32_t RunMessage(const AssayCall*, char* message, size_t capacity) {
  std::memset(message, 'x', capacity);  // a plugin that forgets the NUL
  return ASSAY_ERROR;
}

int32_t ConfigureColour(const char* key, const char* value, char* message,
                        size_t capacity) {
  if (std::strcmp(key, "colour") == 0 && std::strcmp(value, "red") == 0)
    return ASSAY_OK;
  std::snprintf(message, capacity, "'%s=%s': colour=red is all there is", key,
                value);
  return ASSAY_ERROR;
}

AssayBackend Plugin() {
  AssayBackend plugin = {};
  plugin.struct_size = sizeof(plugin);
  plugin.abi_major = ASSAY_ABI_MAJOR;
  plugin.name = "test";
  plugin.version = "1";
  plugin.device = {kDLCPU, 0};
  plugin.run = RunNothing;
  return plugin;
}

auto Refuses(const std::string& reason) {
  return ThrowsMessage<BackendError>(HasSubstr(reason));
}

TEST(Loader, RefusesWhatIsNoPlugin) {
  EXPECT_THAT([] { Backend::Load("nosuch"); },
              Refuses("is not there; looked for"));
  EXPECT_THAT([] { Backend::Load("./nosuch.so"); }, Refuses("no such file"));
  const std::string text = testing::TempDir() + "/text.so";
  std::ofstream(text) << "not a library";
  EXPECT_THAT([&] { Backend::Load(text); }, Refuses("text.so"));
  // This library lacks the symbol: it is the C++ runtime that this test runs
  // on.
  std::string library;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; library.empty() && std::getline(maps, line);) {
    if (line.find("libstdc++.so") != std::string::npos)
      library = line.substr(line.find('/'));
  }
  ASSERT_FALSE(library.empty());
  EXPECT_THAT([&] { Backend::Load(library); }, Refuses("is not a plugin"));
}

TEST(Loader, RefusesOtherAbis) {
  AssayBackend plugin = Plugin();
  EXPECT_NO_THROW(Backend::Adopt("test", &plugin));
  plugin.abi_major = ASSAY_ABI_MAJOR + 1;
  EXPECT_THAT([&] { Backend::Adopt("test", &plugin); },
              Refuses("built for ABI 2.0; this assay has 1.1"));
  plugin = Plugin();
  plugin.run = nullptr;
  EXPECT_THAT([&] { Backend::Adopt("test", &plugin); },
              Refuses("has neither run nor run_program"));
  plugin = Plugin();
  plugin.struct_size = offsetof(AssayBackend, run);
  EXPECT_THAT([&] { Backend::Adopt("test", &plugin); },
              Refuses("lacks name, version or run"));
  plugin = Plugin();
  plugin.device.device_type = kDLMetal;
  EXPECT_THAT([&] { Backend::Adopt("test", &plugin); },
              Refuses("device type 8"));
  plugin = Plugin();
  plugin.device = {kDLCUDA, 1};
  EXPECT_FALSE(Backend::Adopt("test", &plugin)->is_on_host())
      << "whether the device is there is asked when it is opened";
  plugin = Plugin();
  plugin.over_read_bytes = UINT64_MAX;
  EXPECT_THAT([&] { Backend::Adopt("test", &plugin); },
              Refuses("at most 4096"));
  EXPECT_THAT([] { Backend::Adopt("test", nullptr); },
              Refuses("returned NULL"));
}

TEST(Loader, AcceptsNewerStructsAndMinorVersions) {
  AssayBackend plugin = Plugin();
  plugin.abi_minor = 7;
  plugin.struct_size += 64;
  EXPECT_NO_THROW(Backend::Adopt("test", &plugin));
}

TEST(Loader, Configures) {
  AssayBackend plugin = Plugin();
  EXPECT_THAT([&] { Backend::Adopt("test?colour=red", &plugin); },
              Refuses("it has no options"));
  plugin.configure = ConfigureColour;
  EXPECT_NO_THROW(Backend::Adopt("test?colour=red", &plugin));
  EXPECT_NO_THROW(Backend::Adopt("test?colour=red&colour=red", &plugin));
  EXPECT_THAT([&] { Backend::Adopt("test?colour=blue", &plugin); },
              Refuses("colour=red is all there is"));
  EXPECT_THAT([&] { Backend::Adopt("test?colour", &plugin); },
              Refuses("'colour' is not key=value"));
  EXPECT_THAT([&] { Backend::Adopt("test?", &plugin); },
              Refuses("'' is not key=value"));
}

TEST(Loader, APluginMayRunProgramsAlone) {
  AssayBackend plugin = Plugin();
  plugin.run = nullptr;
  plugin.run_program = [](const AssayProgram*, char*, size_t) -> int32_t {
    return ASSAY_UNSUPPORTED;
  };
  const auto backend = Backend::Adopt("test", &plugin);
  EXPECT_FALSE(backend->runs_calls());
  EXPECT_TRUE(backend->runs_programs());
  plugin.struct_size = offsetof(AssayBackend, run_program);
  EXPECT_THAT([&] { Backend::Adopt("test", &plugin); },
              Refuses("has neither run nor run_program"));
}

TEST(Loader, SaysWhyAPluginDoesNotStart) {
  AssayBackend plugin = Plugin();
  const auto backend = Backend::Adopt("test", &plugin);
  EXPECT_NO_THROW(backend->Start());
  plugin.start = [](char* message, size_t capacity) -> int32_t {
    std::snprintf(message, capacity, "no device");
    return ASSAY_ERROR;
  };
  EXPECT_THAT([&] { backend->Start(); }, Refuses("test': no device"));
}

TEST(Loader, EndsMessagesThatAPluginDoesNotEnd) {
  AssayBackend plugin = Plugin();
  plugin.run = RunMessage;
  const auto backend = Backend::Adopt("test", &plugin);
  std::string message;
  EXPECT_EQ(backend->Run(AssayCall{}, &message), ASSAY_ERROR);
  EXPECT_EQ(message, std::string(511, 'x'));
}

// This plugin sets its device by an option.
AssayBackend* configured = nullptr;
int32_t ConfigureDevice(const char*, const char* value, char*, size_t) {
  configured->device.device_id = std::atoi(value);
  return ASSAY_OK;
}

TEST(Loader, TheDeviceIsReadWhenTheBackendIsConfigured) {
  AssayBackend plugin = Plugin();
  plugin.device = {kDLCUDA, 0};
  plugin.configure = ConfigureDevice;
  configured = &plugin;
  EXPECT_EQ(Backend::Adopt("test?device=5", &plugin)->device().device_id, 5);
}

int32_t RunSome(const AssayCall* calls, size_t n, int32_t* statuses,
                char* messages, size_t capacity) {
  for (size_t i = 0; i < n; ++i) {
    if (std::strcmp(calls[i].op, "forgotten") != 0) statuses[i] = ASSAY_OK;
    std::memset(messages + i * capacity, calls[i].op[0], capacity);
  }
  return ASSAY_OK;
}

int32_t WaitInVain(char* message, size_t capacity) {
  std::memset(message, 'w', capacity);
  return ASSAY_ERROR;
}

TEST(Loader, RunsABatch) {
  AssayBackend plugin = Plugin();
  plugin.run_batch = RunSome;
  const auto backend = Backend::Adopt("test", &plugin);
  ASSERT_TRUE(backend->has_run_batch());
  std::vector<AssayCall> calls(3);
  calls[0].op = "add";
  calls[1].op = "forgotten";
  calls[2].op = "xor";
  std::vector<Backend::Status> each(7);
  EXPECT_EQ(backend->RunBatch(calls, &each).status, ASSAY_OK);
  ASSERT_EQ(each.size(), 3);
  EXPECT_EQ(each[0].status, ASSAY_OK);
  EXPECT_EQ(each[0].message, std::string(511, 'a'));
  EXPECT_EQ(each[1].status, ASSAY_ERROR) << "not filled in";
  EXPECT_EQ(each[2].message, std::string(511, 'x'));
}

TEST(Loader, FunctionsBehindTheEndOfAnOlderStructAreNotThere) {
  AssayBackend plugin = Plugin();
  plugin.run_batch = RunSome;
  plugin.synchronise = WaitInVain;
  const auto backend = Backend::Adopt("test", &plugin);
  EXPECT_EQ(backend->Synchronise().status, ASSAY_ERROR);
  EXPECT_EQ(backend->Synchronise().message, std::string(511, 'w'));
  plugin.struct_size = offsetof(AssayBackend, synchronise);
  EXPECT_EQ(backend->Synchronise().status, ASSAY_OK);
  EXPECT_TRUE(backend->has_run_batch());
  plugin.struct_size = offsetof(AssayBackend, run_batch);
  EXPECT_FALSE(backend->has_run_batch());
}

}  // namespace
}  // namespace assay
