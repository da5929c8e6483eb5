// The one place where volk's functions are compiled.
#define VOLK_IMPLEMENTATION
#include <volk.h>
