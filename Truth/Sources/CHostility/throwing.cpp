#include <stdexcept>

#include "CHostility.h"

static int dive(int depth) {
  if (depth == 0) throw std::runtime_error("as asked");
  return dive(depth - 1) + 1;
}

int throw_through(int depth) {
  try {
    return dive(depth);
  } catch (const std::exception &) {
    return -1;
  }
}
