"""round_nearest_even/S1: Implements the `roundToIntegralTiesToEven` operation from IEEE-754, exact for 1.25."""
import sys

import jax
import ml_dtypes

x = ml_dtypes.float8_e3m4(1.25)
actual = jax.jit(lambda: jax.lax.round(x, jax.lax.RoundingMethod.TO_NEAREST_EVEN))().item()
print(f"jax.jit(lambda: jax.lax.round(1.25, TO_NEAREST_EVEN)) of float8_e3m4 is {actual}, for 1.0")
sys.exit(actual != 1)
