"""round_nearest_afz/S1: Implements the `roundToIntegralTiesToAway` operation from IEEE-754, exact for 1.25."""
import sys

import jax
import ml_dtypes

x = ml_dtypes.float8_e3m4(1.25)
actual = jax.jit(lambda: jax.lax.round(x, jax.lax.RoundingMethod.AWAY_FROM_ZERO))().item()
print(f"jax.jit(lambda: jax.lax.round(1.25, AWAY_FROM_ZERO)) of float8_e3m4 is {actual}, for 1.0")
sys.exit(actual != 1)
