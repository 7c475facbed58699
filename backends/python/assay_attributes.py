"""Takes out of a call what its attributes and regions say, in the forms that libraries ask for."""

import json
import re

from assay_call import Unsupported


def number(text):
    """Returns a number, or a list of numbers, that an attribute has as text. NaN and infinity are no JSON."""
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return float(text)


def numbers(call, *names):
    """Takes attributes that are numbers, or lists of these, and returns them: one alone, or a list of several."""
    values = [number(call.attributes.pop(name).text) for name in names]
    return values[0] if len(names) == 1 else values


def monoid(call, library):
    """Takes the region, and returns the op that is all of it."""
    (op,) = call.monoids
    if op is None:
        raise Unsupported(f"a body that {library} does not have")
    call.regions.clear()
    return op


def comparison(call, library):
    """Takes the comparator, and returns LT or GT if it is this comparison of its first two arguments alone.

    The total order of floats is another one than a library's, and is declined.
    """
    (region,) = call.regions
    whole = re.search(r"\^bb0\(%arg0: \S+, %arg1: [^%]+\):\s*"
                      r'%(\w+) = "stablehlo\.compare"\(%arg0, %arg1\) <\{(.*)\}> : .*\s*"func\.return"\(%\1\)', region)
    direction = whole and re.search("comparison_direction (LT|GT)>", whole[2])
    if not direction or "TOTALORDER" in whole[2]:
        raise Unsupported(f"a comparator that {library} does not have")
    call.regions.clear()
    return direction[1]
