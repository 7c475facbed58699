#!/usr/bin/env python3
"""Tests that the JUnit XML of `assay report` is valid by the schema that Jenkins and others publish.

The schema is not ours to copy. pytest's source distribution has it, so that is downloaded once into the build folder,
by version and sha256. The exit code is 77, which ctest shows as skipped, if there is no network.

Usage: junit_schema_test.py ASSAY_BINARY BUILD_FOLDER
"""

import hashlib
import json
import os
import subprocess
import sys
import tarfile
import tempfile
import zlib

PACKAGE, VERSION = "pytest", "7.4.4"
SHA256 = "2cf0005922c6ace4a3e2ec8b4080eb0d9753fdc93107415332f50ce9e7994280"
MEMBER = f"{PACKAGE}-{VERSION}/testing/example_scripts/junit-10.xsd"


def sha256_of(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def schema(folder):
    path = os.path.join(folder, "junit-10.xsd")
    if os.path.exists(path):
        return path
    archive = os.path.join(folder, f"{PACKAGE}-{VERSION}.tar.gz")
    if not os.path.exists(archive):
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
        command += ["--no-binary", PACKAGE, "--dest", folder, f"{PACKAGE}=={VERSION}"]
        result = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
        if not os.path.exists(archive):
            print(f"SKIPPED: the schema cannot be downloaded: {result.stderr.strip()[-400:]}")
            sys.exit(77)
    found = sha256_of(archive)
    assert found == SHA256, f"{archive}: sha256 {found}, expected {SHA256}; delete it and run again"
    with tarfile.open(archive) as tar, open(path + ".partial", "wb") as file:
        file.write(tar.extractfile(MEMBER).read())
    os.rename(path + ".partial", path)
    return path


# The results have every outcome, with texts that XML cannot hold as they are.
def results(path):
    outcomes = "pass fail rejected_valid accepted_invalid unsupported error crash timeout memory guard_violation"
    outcomes += " input_modified not_written nondeterministic environment_changed out_of_fuel skipped oracle_suspect"
    names = outcomes.split()
    backend = {"backend": "./<a>&.so?x=\"1\"", "name": "a", "version": "1", "path": "", "sha256": ""}
    header = {
        "kind": "header",
        "format": 4,
        "assay": "",
        "time": "",
        "command": [],
        "suite": {"paths": [], "cases": 2 * len(names), "sha256": ""},
        "selection": {"ops": [], "cases": False},
        "backends": [{**backend, "policy": "assay", "policy_values": {}}],
    }
    lines = [header]
    for i, outcome in enumerate(names + names):
        op = "add" if i < len(names) else "sub"
        message = f"first <line> ]]> & \x1b[31m \x00 \ufffe\nsecond {i}"
        line = {"kind": "result", "i": i, "backend": backend["backend"], "case": f"{op}/{i}<\"'&>", "op": op}
        lines.append({**line, "type": "tensor<2xi8>", "outcome": outcome, "message": message, "replay": "assay run"})
    lines.append({"kind": "footer", "counts": {name: 2 for name in names}, "seconds": 1.0})
    total = 0
    with open(path, "w", encoding="utf-8") as file:
        for line in lines:
            opened = json.dumps(line)[:-1]
            total = zlib.crc32(opened.encode(), total)
            file.write(f'{opened},"sum":"{total:08x}"}}\n')


def validate(xsd, xml):
    command = ["xmllint", "--noout", "--nonet", "--schema", xsd, xml]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def main(assay, folder):
    xsd = schema(folder)
    with tempfile.TemporaryDirectory() as scratch:
        run, xml = os.path.join(scratch, "r.jsonl"), os.path.join(scratch, "j.xml")
        results(run)
        result = subprocess.run(
            [assay, "report", run, "--junit", xml], capture_output=True, text=True, timeout=60, check=False
        )
        assert result.returncode == 1, result.stdout + result.stderr
        valid = validate(xsd, xml)
        assert valid.returncode == 0, valid.stderr
        # A changed document shows that the check can fail.
        with open(xml, encoding="utf-8") as file:
            text = file.read()
        with open(xml, "w", encoding="utf-8") as file:
            file.write(text.replace("<failure ", "<faliure ", 1).replace("</failure>", "</faliure>", 1))
        assert validate(xsd, xml).returncode != 0, "the schema accepts an element that it does not have"
    print("valid by", MEMBER)


if __name__ == "__main__":
    main(*sys.argv[1:])
