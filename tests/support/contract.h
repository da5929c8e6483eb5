// Catching broken contracts instead of aborting.
#pragma once

#include <string>
#include <vector>

#include "sinew/job.h"

namespace sinew::test {

/// In its scope, a broken contract is noted and the job returns. One at a time.
class CaughtContracts {
 public:
  CaughtContracts();
  ~CaughtContracts();
  CaughtContracts(const CaughtContracts&) = delete;
  CaughtContracts& operator=(const CaughtContracts&) = delete;
  const std::vector<std::string>& messages() const { return messages_; }
  bool empty() const { return messages_.empty(); }
  /// True if the last message holds the text; forgets all messages.
  bool took(const std::string& text);

 private:
  static void note(const char* message);
  std::vector<std::string> messages_;
  ContractHandler before_;
};

}  // namespace sinew::test
