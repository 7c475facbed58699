"""Takes out of a call what its attributes and regions say, in the forms that libraries ask for."""

import json

from assay_call import Unsupported


def numbers(call, *names):
    """Takes attributes that are numbers, or lists of these, and returns them: one alone, or a list of several."""
    values = [json.loads(call.attributes.pop(name).text) for name in names]
    return values[0] if len(names) == 1 else values


def monoid(call, library):
    """Takes the region, and returns the op that is all of it."""
    (op,) = call.monoids
    if op is None:
        raise Unsupported(f"a body that {library} does not have")
    call.regions.clear()
    return op
