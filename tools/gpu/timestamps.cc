#include "gpu/context.h"

namespace sinew::gpu {

Result<Timestamps> Timestamps::create(const Context& context, std::uint32_t count) {
  std::uint32_t families = 0;
  vkGetPhysicalDeviceQueueFamilyProperties(context.physical_device(), &families, nullptr);
  std::vector<VkQueueFamilyProperties> properties(families);
  vkGetPhysicalDeviceQueueFamilyProperties(context.physical_device(), &families, properties.data());
  Timestamps made;
  made.device_ = context.device();
  made.count_ = count;
  made.valid_bits_ = properties[context.queue_family()].timestampValidBits;
  made.period_ = static_cast<double>(context.properties().limits.timestampPeriod) * 1e-9;
  if (made.valid_bits_ == 0)
    return fail(ErrorCode::unsupported, "Vulkan", "the device's queue has no timestamps", "measure on another device");
  VkQueryPoolCreateInfo info{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
  info.queryType = VK_QUERY_TYPE_TIMESTAMP;
  info.queryCount = count;
  VkQueryPool pool = VK_NULL_HANDLE;
  const VkResult result = vkCreateQueryPool(context.device(), &info, nullptr, &pool);
  if (result != VK_SUCCESS) return Unexpected(error_of(result, "making timestamps"));
  made.pool_ = Handle<VkQueryPool>(context.device(), pool, vkDestroyQueryPool);
  return made;
}

void Timestamps::reset(VkCommandBuffer commands) const { vkCmdResetQueryPool(commands, pool_, 0, count_); }

void Timestamps::write(VkCommandBuffer commands, std::uint32_t index, VkPipelineStageFlagBits stage) const {
  vkCmdWriteTimestamp(commands, stage, pool_, index);
}

Result<std::vector<double>> Timestamps::seconds() const {
  std::vector<std::uint64_t> ticks(count_);
  const VkResult result =
      vkGetQueryPoolResults(device_, pool_, 0, count_, ticks.size() * sizeof(ticks[0]), ticks.data(), sizeof(ticks[0]),
                            VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);
  if (result != VK_SUCCESS) return Unexpected(error_of(result, "reading timestamps"));
  // A clock of fewer than 64 bits may wrap between two moments: the difference is right modulo its range.
  const std::uint64_t mask = valid_bits_ >= 64 ? ~std::uint64_t(0) : (std::uint64_t(1) << valid_bits_) - 1;
  std::vector<double> out;
  for (const std::uint64_t tick : ticks) out.push_back(static_cast<double>((tick - ticks[0]) & mask) * period_);
  return out;
}

}  // namespace sinew::gpu
