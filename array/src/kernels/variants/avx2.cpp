// The loops that gain from vectors, for machines with this extension; built only for them.
#if defined(REFRAIN_ARRAY_VARIANTS)

#define REFRAIN_ARRAY_VARIANT avx2
#include "kernels/arg_extreme.cpp"       // NOLINT
#include "kernels/arithmetic.cpp"        // NOLINT
#include "kernels/comparisons.cpp"       // NOLINT
#include "kernels/rounding.cpp"          // NOLINT
#include "kernels/selects.cpp"           // NOLINT
#include "kernels/sums.cpp"              // NOLINT
#include "kernels/vector_functions.cpp"  // NOLINT

#endif
