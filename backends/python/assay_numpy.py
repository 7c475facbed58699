"""Tensors as arrays of NumPy, for the workers whose libraries take these. Import it after assay_worker."""

import numpy as np

from assay_call import Unsupported

try:
    import ml_dtypes  # NumPy itself has no floats but these of IEEE 754
except ImportError:
    ml_dtypes = None

DTYPES = {
    "i1": np.dtype(np.bool_),
    **{f"i{bits}": np.dtype(f"<i{bits // 8}") for bits in (8, 16, 32, 64)},
    **{f"ui{bits}": np.dtype(f"<u{bits // 8}") for bits in (8, 16, 32, 64)},
    **{f"f{bits}": np.dtype(f"<f{bits // 8}") for bits in (16, 32, 64)},
    **{f"complex<f{bits}>": np.dtype(f"<c{bits // 4}") for bits in (32, 64)},
}
if ml_dtypes:
    DTYPES["bf16"] = np.dtype(ml_dtypes.bfloat16)
    for text in (
        "f4E2M1FN f6E2M3FN f6E3M2FN f8E3M4 f8E4M3 f8E4M3FN f8E4M3FNUZ f8E4M3B11FNUZ"
        " f8E5M2 f8E5M2FNUZ f8E8M0FNU"
    ).split():
        name = f"float{text[1]}_{text[2:].lower()}"
        if hasattr(ml_dtypes, name):
            DTYPES[text] = np.dtype(getattr(ml_dtypes, name))


def view(tensor, dtypes=DTYPES, library="NumPy"):
    """Returns a tensor as it lies in memory."""
    dtype = dtypes.get(tensor.element)
    if dtype is None:
        raise Unsupported(f"{library} has no {tensor.element}")
    return np.ndarray(tensor.shape, dtype, tensor.memory, tensor.at, tensor.byte_strides)
