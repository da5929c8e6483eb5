#include "support/contract.h"

#include <utility>

namespace sinew::test {
namespace {

CaughtContracts* current = nullptr;

}  // namespace

CaughtContracts::CaughtContracts() : before_(set_contract_handler(note)) { current = this; }

CaughtContracts::~CaughtContracts() {
  set_contract_handler(before_);
  current = nullptr;
}

void CaughtContracts::note(const char* message) { current->messages_.emplace_back(message); }

bool CaughtContracts::took(const std::string& text) {
  const auto messages = std::exchange(messages_, {});
  return messages.size() == 1 && messages[0].find(text) != std::string::npos;
}

}  // namespace sinew::test
