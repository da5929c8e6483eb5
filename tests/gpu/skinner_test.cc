// What a Skinner does on devices that fail, and with jobs that break its contract; the device is a fake one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "gpu/fake_driver.h"
#include "sinew/vulkan.h"
#include "support/contract.h"
#include "support/files.h"
#include "vulkan/dispatch.h"

namespace sinew {
namespace {

using test::FakeDriver;

/// Three pipelines, two of them for pairs of instances, and one: four and what they need.
const SkinKernel kTwoKernels[] = {{}, {.format = VertexFormat::compact, .tangents = true}};

/// A Skinner must be refused, in one line that holds `what`, and leave nothing behind.
void expect_refused(FakeDriver& driver, ErrorCode code, const std::string& what) {
  const auto skinner = vulkan::Skinner::create(driver.device(), kTwoKernels);
  ASSERT_FALSE(skinner) << what;
  EXPECT_EQ(skinner.error().code, code) << what;
  const std::string message = skinner.error().message();
  EXPECT_NE(message.find(what), std::string::npos) << message;
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  EXPECT_FALSE(skinner.error().what_to_do.empty()) << message;
  EXPECT_TRUE(driver.live.empty()) << message << ": " << driver.live.size() << " are left";
  EXPECT_TRUE(driver.misuses.empty()) << message << ": " << driver.misuses.front();
}

TEST(Skinner, WhatItMadeIsDestroyedWithIt) {
  FakeDriver driver;
  {
    auto first = test::must(vulkan::Skinner::create(driver.device(), kTwoKernels));
    EXPECT_EQ(driver.calls["vkCreatePipelineLayout"], 1u);
    EXPECT_GE(driver.calls["vkCreateShaderModule"], 3u);
    EXPECT_EQ(driver.calls["vkCreateComputePipelines"], 4u);
    const auto made = [&] {
      std::size_t all = 0;
      for (const auto& [function, count] : driver.calls) all += count;
      return all;
    };
    EXPECT_EQ(driver.live.size(), made()) << "the witness: what lives is counted";
    auto second = test::must(vulkan::Skinner::create(driver.device(), {}));
    EXPECT_EQ(driver.live.size(), made());
    first = std::move(second);
    EXPECT_FALSE(first.has(kTwoKernels[0]));
  }
  EXPECT_TRUE(driver.live.empty());
  EXPECT_TRUE(driver.misuses.empty());
}

TEST(Skinner, AKernelNamedTwiceIsMadeOnce) {
  FakeDriver driver;
  const SkinKernel kernels[] = {kTwoKernels[1], kTwoKernels[1]};
  const auto skinner = test::must(vulkan::Skinner::create(driver.device(), kernels));
  EXPECT_EQ(driver.calls["vkCreateComputePipelines"], 1u);
}

TEST(Skinner, ADeviceBelowVulkan12IsRefused) {
  for (const std::uint32_t version : {VK_API_VERSION_1_0, VK_API_VERSION_1_1}) {
    FakeDriver driver;
    driver.properties.apiVersion = version;
    expect_refused(driver, ErrorCode::unsupported,
                   "a fake device has Vulkan 1." + std::to_string(VK_API_VERSION_MINOR(version)) + ", 1.2 is needed");
    EXPECT_TRUE(driver.calls.empty());
  }
  FakeDriver driver;
  driver.buffer_device_address = false;
  expect_refused(driver, ErrorCode::unsupported, "a fake device lacks bufferDeviceAddress");
}

TEST(Skinner, AMissingFunctionIsNamed) {
  FakeDriver whole;
  ASSERT_TRUE(vulkan::Skinner::create(whole.device(), kTwoKernels));
  EXPECT_EQ(whole.looked_up.size(), 12u);
  for (const std::string& name : whole.looked_up) {
    FakeDriver driver;
    driver.hidden = name;
    expect_refused(driver, ErrorCode::unsupported, "the function " + name + " is missing");
    EXPECT_TRUE(driver.calls.empty());
  }
}

TEST(Skinner, AHandleThatIsNotGivenIsAnError) {
  const vulkan::Device good = FakeDriver().device();
  vulkan::Device devices[] = {{}, good, good, good, good};
  devices[1].instance = VK_NULL_HANDLE;
  devices[2].physical_device = VK_NULL_HANDLE;
  devices[3].device = VK_NULL_HANDLE;
  devices[4].get_instance_proc_addr = nullptr;
  for (const vulkan::Device& device : devices) {
    const auto skinner = vulkan::Skinner::create(device, {});
    ASSERT_FALSE(skinner);
    EXPECT_EQ(skinner.error().code, ErrorCode::bad_argument);
  }
}

TEST(Skinner, EveryCallThatFailsIsToldAndNothingIsLeft) {
  const struct {
    VkResult result;
    const char* text;
  } kFailures[] = {
      {VK_ERROR_OUT_OF_HOST_MEMORY, "out of host memory (free memory of the host"},
      {VK_ERROR_OUT_OF_DEVICE_MEMORY, "out of device memory (free memory of the device"},
      {VK_ERROR_DEVICE_LOST, "the device was lost (make the device anew"},
      {VK_ERROR_INVALID_SHADER_NV, "VkResult -1000012000 ("},
  };
  FakeDriver whole;
  ASSERT_TRUE(vulkan::Skinner::create(whole.device(), kTwoKernels));
  EXPECT_EQ(whole.calls.size(), 3u);
  for (const auto& [function, count] : whole.calls)
    for (std::size_t call = 0; call < count; ++call)
      for (const auto& failure : kFailures) {
        FakeDriver driver;
        driver.failing = function;
        driver.failing_call = call;
        driver.failure = failure.result;
        expect_refused(driver, ErrorCode::io, std::string("could not be made: ") + failure.text);
      }
  FakeDriver driver;
  driver.failing = "vkCreateComputePipelines";
  driver.failing_call = 3;
  expect_refused(driver, ErrorCode::io, "the compute pipeline for 'compact' of 4 influences");
}

TEST(Skinner, OnlyKernelsThatTheDeviceHasRoomForAreMade) {
  const auto modules = [](std::uint32_t shared_bytes, std::uint32_t threads) {
    FakeDriver driver;
    driver.properties.limits.maxComputeSharedMemorySize = shared_bytes;
    driver.properties.limits.maxComputeWorkGroupInvocations = threads;
    const auto skinner = test::must(vulkan::Skinner::create(driver.device(), kTwoKernels));
    return driver.calls["vkCreateShaderModule"];
  };
  const std::size_t all = modules(32768, 256);
  EXPECT_EQ(modules(20000, 256), all - 1);
  EXPECT_EQ(modules(16384, 256), all - 2) << "the least that Vulkan guarantees";
  EXPECT_EQ(modules(8192, 256), all - 3);
  EXPECT_EQ(modules(32768, 128), all - 3) << "the least that Vulkan guarantees";
}

TEST(Skinner, LongEntriesHaveAKernelWithMoreRoom) {
  const auto pipelines = [](const SkinKernel& kernel) {
    FakeDriver driver;
    const auto skinner = test::must(vulkan::Skinner::create(driver.device(), std::span(&kernel, 1)));
    return driver.calls["vkCreateComputePipelines"];
  };
  EXPECT_EQ(pipelines({}), 3u);
  EXPECT_EQ(pipelines({.method = SkinMethod::dual_quaternion}), 3u);
  EXPECT_EQ(pipelines({.method = SkinMethod::dual_quaternion, .stretch = true}), 4u);
  EXPECT_EQ(pipelines({.method = SkinMethod::mixed}), 4u);
}

/// A triangle with everything: tangents and a morph target.
struct Everything {
  std::vector<Vec3> places = std::vector<Vec3>(3);
  std::vector<Vec4> tangents = std::vector<Vec4>(3);
  std::vector<std::uint16_t> joints = std::vector<std::uint16_t>(12);
  std::vector<float> weights = std::vector<float>(12, 0.25f);
  Mesh mesh;
  explicit Everything(bool morphs = true) {
    mesh.positions = mesh.normals = places;
    mesh.tangents = tangents;
    mesh.joints = joints, mesh.weights = weights;
    mesh.influence_count = 4, mesh.palette_limit = 4;
    if (morphs) mesh.target_count = 1, mesh.target_positions = places;
  }
};

/// A job that is right, to be broken.
struct Recording {
  FakeDriver driver;
  MeshLayout layout;
  std::optional<vulkan::Skinner> skinner, empty;
  std::uint32_t instances = 2;
  explicit Recording(const MeshLayout& of, const vulkan::DispatchLimits& limits = {}) : layout(of) {
    skinner = test::must(vulkan::Skinner::create(driver.device(), std::span(&layout.kernel, 1), limits));
    empty = test::must(vulkan::Skinner::create(driver.device(), {}));
  }
  /// Every region as large as it must be, and no larger.
  vulkan::SkinDispatch job() const {
    const vulkan::SkinSource source{.layout = layout,
                                    .mesh = {1 << 20, layout.size},
                                    .palettes = {2 << 20, instances * layout.palette_limit * sizeof(Affine)},
                                    .palette_stride = layout.palette_limit,
                                    .channels = {3 << 20, instances * layout.target_count * sizeof(float)},
                                    .channel_stride = layout.target_count,
                                    .instance_count = instances};
    return {*skinner,
            VK_NULL_HANDLE,
            source,
            {4ull << 40, instances * layout.output_positions},
            {5ull << 40, instances * layout.output_normals},
            {6ull << 40, instances * layout.output_tangents}};
  }
};

TEST(Skinner, BrokenContractsAreToldAndRecordNothing) {
  Recording recording(test::must(layout_mesh(Everything().mesh)));
  const auto expect_told = [&](const vulkan::SkinDispatch& job, const char* field) {
    test::CaughtContracts caught;
    run(job);
    EXPECT_TRUE(caught.took(field)) << field;
    EXPECT_EQ(recording.driver.commands, 0u) << field;
  };
  const vulkan::SkinDispatch good = recording.job();
  vulkan::SkinDispatch job = good;
  job.skinner = *recording.empty;
  expect_told(job, "SkinDispatch.skinner");
  job = good, job.source.palette_stride = 3;
  expect_told(job, "SkinSource.palette_stride");
  job = good, job.source.instance_count = 3;
  expect_told(job, "SkinSource.palettes");
  const struct {
    const char* field;
    vulkan::Region& region;
  } kRegions[] = {{"SkinSource.mesh", job.source.mesh},         {"SkinSource.palettes", job.source.palettes},
                  {"SkinSource.channels", job.source.channels}, {"SkinDispatch.positions", job.positions},
                  {"SkinDispatch.normals", job.normals},        {"SkinDispatch.tangents", job.tangents}};
  for (const auto& [field, region] : kRegions) {
    job = good, --region.size;
    expect_told(job, field);
    job = good, region.address += 4;
    expect_told(job, field);
    job = good, region = {};
    expect_told(job, field);
  }
  // The witness: unbroken it is recorded, without a word.
  test::CaughtContracts caught;
  run(good);
  EXPECT_TRUE(caught.empty());
  EXPECT_EQ(recording.driver.dispatches.size(), 1u);
}

TEST(Skinner, PalettesAreCountedInTheEntriesOfTheirKernel) {
  for (const SkinMethod method : {SkinMethod::linear, SkinMethod::dual_quaternion})
    for (const bool stretch : {false, true}) {
      const MeshLayout layout = test::must(layout_mesh(Everything().mesh, {.method = method, .stretch = stretch}));
      const std::size_t each = method == SkinMethod::linear ? 48 : stretch ? 80 : 32;
      ASSERT_EQ(palette_entry_bytes(layout.kernel), each);
      Recording recording(layout, {.groups_y = 1});  // an instance a dispatch
      vulkan::SkinDispatch job = recording.job();
      job.source.palettes.size = recording.instances * layout.palette_limit * each;
      run(job);
      ASSERT_EQ(recording.driver.dispatches.size(), 2u);
      vulkan::SkinInput input;
      std::memcpy(&input, recording.driver.dispatches[1].constants.data(), sizeof input);
      EXPECT_EQ(input.palettes, job.source.palettes.address + layout.palette_limit * each);
      --job.source.palettes.size;
      test::CaughtContracts caught;
      run(job);
      EXPECT_TRUE(caught.took("SkinSource.palettes"));
    }
}

TEST(Skinner, NothingIsRecordedWhereThereIsNothingToSkin) {
  Recording recording(test::must(layout_mesh(Everything().mesh)));
  vulkan::SkinDispatch job = recording.job();
  job.source.instance_count = 0;
  run(job);
  EXPECT_EQ(recording.driver.commands, 0u);
}

/// Push constants as skin.comp reads them.
struct Pushed {
  vulkan::SkinInput input;
  VkDeviceAddress positions, normals, tangents;
  std::uint32_t first_vertex, instance_count;
};

/// A crowd of 20 x 200 million vertices, which no test has the memory for: 48 GB of positions alone.
TEST(Skinner, ACrowdFarOverTheLimitsIsSplitAtTheRightAddresses) {
  for (const bool morphs : {false, true}) {  // two kernels, of other shapes
    MeshLayout layout = test::must(layout_mesh(Everything(morphs).mesh));
    layout.vertex_count = 200'000'000;
    layout.output_positions = layout.output_normals = layout.vertex_count * 12ull;
    layout.output_tangents = layout.vertex_count * 16ull;
    Recording recording(layout);
    recording.instances = 20;
    const vulkan::SkinDispatch job = recording.job();
    run(job);
    const std::uint32_t group = morphs ? vulkan::kGroupThreads : 2 * vulkan::kPairThreads;
    std::uint64_t groups = 0;
    std::set<std::pair<std::uint64_t, std::uint32_t>> starts;
    for (const FakeDriver::Dispatch& dispatch : recording.driver.dispatches) {
      EXPECT_LE(dispatch.x, 65535u);
      EXPECT_LE(dispatch.y, 65535u);
      Pushed pushed;
      ASSERT_EQ(dispatch.constants.size(), sizeof pushed);
      std::memcpy(&pushed, dispatch.constants.data(), sizeof pushed);
      EXPECT_LE(pushed.instance_count, vulkan::kMostElements / layout.vertex_count);
      const std::uint64_t first = (pushed.positions - job.positions.address) / layout.output_positions;
      EXPECT_EQ(pushed.positions, job.positions.address + first * layout.output_positions);
      EXPECT_EQ(pushed.normals, job.normals.address + first * layout.output_normals);
      EXPECT_EQ(pushed.tangents, job.tangents.address + first * layout.output_tangents);
      EXPECT_EQ(pushed.input.palettes, job.source.palettes.address + first * layout.palette_limit * sizeof(Affine));
      if (morphs) {
        EXPECT_EQ(pushed.input.channels, job.source.channels.address + first * sizeof(float));
      }
      starts.insert({first, pushed.first_vertex});
      groups += std::uint64_t(dispatch.x) * pushed.instance_count;
    }
    EXPECT_EQ(starts.size(), recording.driver.dispatches.size()) << "each at a place of its own";
    EXPECT_EQ(groups, (layout.vertex_count + group - 1) / group * 20ull);
  }
}

}  // namespace
}  // namespace sinew
