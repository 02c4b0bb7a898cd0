#!/usr/bin/env python3
"""Writes what a package has and depends on, as SPDX 2.3 in JSON: usr/share/doc/PACKAGE/PACKAGE.spdx.json in the directory of a
Debian package that is about to be packed; with --tree, of all that is in a source tree, to a file.

    sbom.py debian/PACKAGE
    sbom.py --tree DIRECTORY --version VERSION --out FILE
"""

import argparse
import datetime
import hashlib
import json
import os
import re
import sys
from pathlib import Path

LICENSE = "MIT"
SUPPLIER = "Organization: The eddy authors"


def identifier(text):
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", text)


def created():
    # The time of the release, so that the same sources make the same file.
    seconds = int(os.environ.get("SOURCE_DATE_EPOCH", "0")) or int(datetime.datetime.now().timestamp())
    return datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def describe_file(root, path):
    content = path.read_bytes()
    return {"SPDXID": identifier("file-" + hashlib.sha1(str(path.relative_to(root)).encode()).hexdigest()[:16]),
            "fileName": f"./{path.relative_to(root)}",
            "checksums": [{"algorithm": "SHA1", "checksumValue": hashlib.sha1(content).hexdigest()},
                          {"algorithm": "SHA256", "checksumValue": hashlib.sha256(content).hexdigest()}],
            "licenseConcluded": LICENSE, "licenseInfoInFiles": ["NOASSERTION"], "copyrightText": "NOASSERTION"}


def verification_code(files):
    """As the specification has it: the digest of the sorted digests."""
    digests = sorted(each["checksums"][0]["checksumValue"] for each in files)
    return hashlib.sha1("".join(digests).encode()).hexdigest()


def document(name, version, root, paths, depends):
    """`depends`: of (name, what is said of its version)."""
    files = [describe_file(root, path) for path in paths]
    main = {"SPDXID": identifier("package-" + name), "name": name, "versionInfo": version, "supplier": SUPPLIER,
            "downloadLocation": "NOASSERTION", "filesAnalyzed": True, "licenseConcluded": LICENSE, "licenseDeclared": LICENSE,
            "licenseInfoFromFiles": ["NOASSERTION"], "copyrightText": "2026 The eddy authors",
            "packageVerificationCode": {"packageVerificationCodeValue": verification_code(files)}}
    others = [{"SPDXID": identifier("depends-" + other), "name": other, **({"versionInfo": wanted} if wanted else {}),
               "downloadLocation": "NOASSERTION", "filesAnalyzed": False, "licenseConcluded": "NOASSERTION",
               "licenseDeclared": "NOASSERTION", "copyrightText": "NOASSERTION"} for other, wanted in depends]
    digest = verification_code(files)
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", main["SPDXID"])]
    relations += [(main["SPDXID"], "CONTAINS", each["SPDXID"]) for each in files]
    relations += [(main["SPDXID"], "DEPENDS_ON", each["SPDXID"]) for each in others]
    return {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"{name}-{version}",
            "documentNamespace": f"urn:eddy:spdx:{name}:{version}:{digest}",
            "creationInfo": {"created": created(), "creators": [SUPPLIER, f"Tool: eddy-sbom-{version}"]},
            "packages": [main, *others], "files": files,
            "relationships": [{"spdxElementId": a, "relationshipType": how, "relatedSpdxElement": b} for a, how, b in relations]}


def faults(text):
    """What is wrong with a document of ours: the rules of SPDX 2.3 that a slip in this script could break."""
    found = []
    names = {"SPDXRef-DOCUMENT"}
    for each in [*text["packages"], *text["files"]]:
        if not re.fullmatch(r"SPDXRef-[A-Za-z0-9.-]+", each["SPDXID"]):
            found.append(f"{each['SPDXID']} is no identifier")
        if each["SPDXID"] in names:
            found.append(f"{each['SPDXID']} occurs twice")
        names.add(each["SPDXID"])
    for each in text["relationships"]:
        for end in (each["spdxElementId"], each["relatedSpdxElement"]):
            if end not in names:
                found.append(f"{end} is related, and is nowhere")
    for each in text["files"]:
        if not re.fullmatch(r"[0-9a-f]{40}", each["checksums"][0]["checksumValue"]):
            found.append(f"{each['fileName']} has no SHA-1")
    if not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", text["creationInfo"]["created"]):
        found.append("the time of creation has another form")
    described = [each for each in text["relationships"] if each["relationshipType"] == "DESCRIBES"]
    if len(described) != 1:
        found.append("it describes one package")
    return found


def parse_depends(line):
    for each in filter(None, (part.strip() for part in line.split(","))):
        found = re.match(r"(\S+)(?: \(([^)]*)\))?", each.split("|")[0].strip())
        yield found[1], found[2]


def of_debian_package(root):
    fields = dict(re.findall(r"^([\w-]+): (.*)$", (root / "DEBIAN/control").read_text(encoding="utf-8"), re.MULTILINE))
    out = root / "usr/share/doc" / fields["Package"] / f"{fields['Package']}.spdx.json"
    paths = [path for path in sorted(root.rglob("*"))
             if path.is_file() and not path.is_symlink() and root / "DEBIAN" not in path.parents and path != out]
    return out, document(fields["Package"], fields["Version"], root, paths, list(parse_depends(fields.get("Depends", ""))))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("package", nargs="?", type=Path)
    parser.add_argument("--tree", type=Path)
    parser.add_argument("--version")
    parser.add_argument("--out", type=Path)
    chosen = parser.parse_args()
    if chosen.tree:
        paths = [path for path in sorted(chosen.tree.rglob("*")) if path.is_file() and not path.is_symlink()]
        out, made = chosen.out, document("eddy", chosen.version, chosen.tree, paths, [])
    else:
        out, made = of_debian_package(chosen.package)
    if found := faults(made):
        sys.exit("sbom: " + "; ".join(found))
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
