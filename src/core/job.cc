#include "sinew/job.h"

#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>

#include "core/contract.h"

namespace sinew {
namespace {

void print_and_abort(const char* message) {
  std::fprintf(stderr, "sinew: contract broken: %s\n", message);
  std::abort();
}

std::atomic<ContractHandler> handler{print_and_abort};

}  // namespace

ContractHandler set_contract_handler(ContractHandler next) { return handler.exchange(next ? next : print_and_abort); }

namespace detail {

void contract_failed(const char* format, ...) {
  char message[256];  // on the stack: a broken contract in a running game must not allocate either
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  handler.load()(message);
}

}  // namespace detail
}  // namespace sinew
