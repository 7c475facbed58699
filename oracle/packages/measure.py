"""Runs in the environment of a package, and finds which values of each policy key explain all that the package does.

Prints one line of JSON: the versions, and for each key the values, how many probes were asked, what was seen as text
and as bits ("found", by number of the probe), and the probes that are not supported, for want of a type alone or not.
A key none of whose probes the package supports has no values.
"""

import importlib
import json
import sys

from keys import KEYS


def alone(package, probe):
    """Returns the probe, which expects for each element the result that it gives as the only element."""
    results = []
    for k in range(len(probe.operands[0])):
        one = probe._replace(operands=tuple([bits[k]] for bits in probe.operands), attributes={})
        results.append(package.call(one, copies=1)[0].pop())
    return probe._replace(attributes={}, expect={"alone": results})


def measured(package, key):
    values, seen, unsupported, answers = set(key.models), [], [], {}
    lacks_type = True
    for number, probe in enumerate(key.probes):
        try:
            if probe.attributes.get("alone"):
                probe = alone(package, probe)
            results = package.call(probe)
        except package.Unsupported as error:
            lacks_type = lacks_type and isinstance(error, package.NoType)
            unsupported.append(f"{probe.op} {', '.join(probe.types)} -> {probe.result}: {error}")
            continue
        answers[number] = [sorted(found) for found in results]
        for element, found in enumerate(results):
            for bits in found:
                values = {value for value in values if key.models[value](probe, element, bits)}
        seen.append(f"{probe.op} {', '.join(probe.types)} -> {probe.result} of "
                    f"{' '.join(str([hex(b) for b in operand]) for operand in probe.operands)}: "
                    f"{' '.join('/'.join(hex(b) for b in sorted(found)) for found in results)}")
    return {"values": sorted(values) if answers else [], "asked": len(answers), "seen": seen, "found": answers,
            "unsupported": unsupported, "lacks_type": lacks_type}


def main(name):
    package = importlib.import_module(f"{name}_calls")
    keys = {name: measured(package, key) for name, key in KEYS.items() if key.probes}
    print(json.dumps({"versions": package.VERSIONS, "keys": keys}))


if __name__ == "__main__":
    main(sys.argv[1])
