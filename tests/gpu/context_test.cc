// The headless context: buffers, work, and a validation layer that is heard.
#include "gpu/context.h"

#include <gtest/gtest.h>

#include <numeric>

#include "double.comp.spv.h"
#include "gpu/pipelines.h"
#include "support/files.h"

namespace sinew::test {
namespace {

using namespace gpu;

Context validated(bool graphics = false) {
  ContextOptions options;
  options.validation = true;
  options.graphics = graphics;
  options.transform_feedback = graphics;
  return must(Context::create(options));
}

void expect_done(const Result<void>& result) { EXPECT_TRUE(result) << result.error().message(); }

std::string joined(const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& line : lines) out += line + "\n";
  return out;
}

std::vector<float> counting(std::size_t count) {
  std::vector<float> out(count);
  std::iota(out.begin(), out.end(), 1.0f);
  return out;
}

/// The doubling shader as a pipeline, run on a buffer by its address.
struct Doubling {
  struct Push {
    VkDeviceAddress address;
    std::uint32_t count, padding;
  };
  explicit Doubling(const Context& context)
      : doubling(must(make_push_pipeline(context, shaders::double_comp, sizeof(Push)))) {}
  void record(VkCommandBuffer commands, const Buffer& buffer) const {
    const Push push{buffer.address(), static_cast<std::uint32_t>(buffer.size() / sizeof(float)), 0};
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, doubling.pipeline);
    vkCmdPushConstants(commands, doubling.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(push), &push);
    vkCmdDispatch(commands, (push.count + 63) / 64, 1, 1);
  }
  PushPipeline doubling;
};

TEST(Context, WorksWithoutAnOption) {
  const Context context = must(Context::create());
  EXPECT_NE(context.device(), VK_NULL_HANDLE);
  EXPECT_GE(context.properties().apiVersion, VK_API_VERSION_1_2);
}

TEST(Context, BuffersKeepWhatIsUploaded) {
  const Context context = validated();
  const std::vector<float> values = counting(1000);
  for (const Memory memory : {Memory::host, Memory::device}) {
    const Buffer buffer = must(context.make_buffer(std::as_bytes(std::span(values)), memory));
    EXPECT_EQ(buffer.size(), 4000u);
    EXPECT_NE(buffer.address(), 0u);
    EXPECT_EQ(buffer.mapped().empty(), memory == Memory::device);
    const float changed = -7;
    expect_done(context.upload(buffer, std::as_bytes(std::span(&changed, 1)), 40));
    const std::vector<std::byte> bytes = must(context.read_back(buffer, 36, 12));
    const float* read = reinterpret_cast<const float*>(bytes.data());
    EXPECT_EQ(read[0], 10);
    EXPECT_EQ(read[1], -7);
    EXPECT_EQ(read[2], 12);
  }
  EXPECT_EQ(joined(context.messages()), "");
}

TEST(Context, UploadPastTheEndIsAnError) {
  const Context context = validated();
  const Buffer buffer = must(context.make_buffer(VkDeviceSize(16), Memory::device));
  const std::vector<float> five = counting(5);
  const auto late = context.upload(buffer, std::as_bytes(std::span(five)));
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code, ErrorCode::out_of_range);
  EXPECT_FALSE(context.upload(buffer, std::as_bytes(std::span(five)).first(4), ~VkDeviceSize(0)));
  EXPECT_FALSE(context.read_back(buffer, 8, 9));
  EXPECT_EQ(joined(context.messages()), "");
}

TEST(Context, ShadersReachBuffersByAddress) {
  const Context context = validated();
  const std::vector<float> values = counting(1000);
  const Buffer buffer = must(context.make_buffer(std::as_bytes(std::span(values)), Memory::host));
  const Doubling doubling(context);
  const Timestamps timestamps = must(Timestamps::create(context, 2));
  expect_done(context.submit_and_wait([&](VkCommandBuffer commands) {
    timestamps.reset(commands);
    timestamps.write(commands, 0, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT);
    doubling.record(commands, buffer);
    timestamps.write(commands, 1);
  }));
  for (std::size_t i = 0; i < values.size(); ++i) ASSERT_EQ(buffer.mapped_as<float>()[i], 2 * values[i]) << i;
  const std::vector<double> seconds = must(timestamps.seconds());
  EXPECT_EQ(seconds[0], 0);
  EXPECT_GE(seconds[1], 0);
  EXPECT_EQ(joined(context.messages()), "");
}

TEST(Context, GraphicsHasWhatItPromises) {
  const Context context = validated(true);
  EXPECT_GE(context.properties().apiVersion, VK_API_VERSION_1_3);
  EXPECT_EQ(joined(context.messages()), "");
}

// Witnesses: without them a context that hears nothing would pass every test above.

TEST(Context, WrongUsageIsHeard) {
  const Context context = validated();
  VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  info.size = 16;
  info.usage = 0;  // none: not allowed
  VkBuffer made = VK_NULL_HANDLE;
  vkCreateBuffer(context.device(), &info, nullptr, &made);
  vkDestroyBuffer(context.device(), made, nullptr);
  ASSERT_FALSE(context.messages().empty());
  EXPECT_NE(joined(context.messages()).find("VUID-VkBufferCreateInfo-usage"), std::string::npos);
}

TEST(Context, MissingBarrierIsHeard) {
  const Context context = validated();
  const Buffer a = must(context.make_buffer(VkDeviceSize(64), Memory::device)),
               b = must(context.make_buffer(VkDeviceSize(64), Memory::device));
  expect_done(context.submit_and_wait([&](VkCommandBuffer commands) {
    const VkBufferCopy region{0, 0, 64};
    vkCmdCopyBuffer(commands, a, b, 1, &region);
    vkCmdCopyBuffer(commands, b, a, 1, &region);
  }));
  EXPECT_NE(joined(context.messages()).find("SYNC-HAZARD"), std::string::npos) << joined(context.messages());
}

}  // namespace
}  // namespace sinew::test
