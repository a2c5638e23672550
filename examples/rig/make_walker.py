#!/usr/bin/env python3
"""Writes walker.gltf, the skinned bird of the example `rig`.

y is up and the bird looks along +z, in metres. All joints have their bind rotation 0, so
an inverse bind matrix is the translation that brings the joint to the origin.
"""

import base64
import json
import math
import pathlib
import struct

# Name, parent and bind position of each joint.
JOINTS = [("body", None, (0.0, 1.0, 0.0)), ("neck", "body", (0.0, 1.1, 0.28)), ("head", "neck", (0.0, 1.66, 0.42))]
for side, x in (("l", 0.15), ("r", -0.15)):
    JOINTS += [
        (f"hip_{side}", "body", (x, 0.95, 0.02)),
        (f"knee_{side}", f"hip_{side}", (x * 1.05, 0.52, -0.14)),
        (f"ankle_{side}", f"knee_{side}", (x * 1.05, 0.07, 0.02)),
    ]
INDEX = {name: i for i, (name, _, _) in enumerate(JOINTS)}
PLACE = {name: place for name, _, place in JOINTS}

BODY, BELLY, LEG, BEAK = (34, 82, 105), (235, 205, 150), (222, 120, 40), (240, 160, 40)

positions, normals, joints, weights, colors, indices = [], [], [], [], [], []


def add(a, b, s=1.0):
    return tuple(x + y * s for x, y in zip(a, b))


def unit(v):
    length = math.sqrt(sum(x * x for x in v)) or 1.0
    return tuple(x / length for x in v)


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def mix(a, b, t):
    return tuple(x + (y - x) * t for x, y in zip(a, b))


def smooth(t):
    t = min(max(t, 0.0), 1.0)
    return t * t * (3.0 - 2.0 * t)


def tube(path, radii, sides, skin, color):
    """A closed tube along a path. `skin` maps the ring to weights of joints, `color` the
    ring and the height of the side, from -1 to 1, to a colour."""
    first, count = len(positions), len(path)
    for ring, (center, radius) in enumerate(zip(path, radii)):
        along = unit(add(path[min(ring + 1, count - 1)], path[max(ring - 1, 0)], -1.0))
        right = unit(cross((0.0, 0.0, 1.0) if abs(along[1]) > 0.7 else (0.0, 1.0, 0.0), along))
        up = cross(along, right)
        before, after = max(ring - 1, 0), min(ring + 1, count - 1)
        run = math.dist(path[before], path[after]) or 1.0
        slope = (radii[after] - radii[before]) / run
        shares = sorted(skin(ring).items(), key=lambda share: -share[1])[:4]
        shares += [(JOINTS[0][0], 0.0)] * (4 - len(shares))
        bytes_ = [round(255 * share) for _, share in shares]
        bytes_[0] += 255 - sum(bytes_)
        for side in range(sides):
            angle = 2.0 * math.pi * side / sides
            out = add(tuple(x * math.cos(angle) for x in right), up, math.sin(angle))
            positions.append(add(center, out, radius))
            normals.append(unit(add(out, along, -slope)))
            joints.append([INDEX[name] for name, _ in shares])
            weights.append(bytes_)
            colors.append((*color(ring, out[1]), 255))
    for ring in range(count - 1):
        for side in range(sides):
            a, b = first + ring * sides + side, first + ring * sides + (side + 1) % sides
            indices.extend((a, b, a + sides, b, b + sides, a + sides))


def main():
    # Body and tail: an egg.
    steps = 13
    path = [mix((0.0, 1.02, -0.5), (0.0, 1.09, 0.31), i / (steps - 1)) for i in range(steps)]
    egg = [0.27 * math.sin(math.pi * (i / (steps - 1)) ** 0.8) ** 0.75 + 0.004 for i in range(steps)]
    tube(path, egg, 12, lambda _: {"body": 1.0}, lambda _, h: mix_color(BELLY, BODY, smooth(h * 1.2 + 0.8)))
    # Neck, bent as an S.
    steps = 10
    at = [i / (steps - 1) for i in range(steps)]
    path = [(0.0, 1.04 + 0.62 * t, 0.16 + 0.26 * smooth(1.4 * t) + 0.02 * math.sin(math.pi * t)) for t in at]
    radii = [0.05 + 0.11 * smooth(5.0 * t) - 0.115 * smooth(1.25 * t) for t in at]

    def neck(ring):
        head = smooth(3.0 * at[ring] - 2.0)
        base = 1.0 - smooth(2.5 * at[ring])
        return {"body": base, "neck": (1.0 - base) * (1.0 - head), "head": (1.0 - base) * head}

    tube(path, radii, 10, neck, lambda _, h: mix_color(BELLY, BODY, smooth(h * 1.2 + 0.8)))
    # Head and beak.
    path = [(0.0, 1.685 - 0.01 * i, 0.33 + 0.045 * i) for i in range(6)]
    tube(path, [0.01, 0.07, 0.09, 0.085, 0.06, 0.03], 12, lambda _: {"head": 1.0}, lambda _, h: BODY)
    path = [(0.0, 1.645 - 0.02 * i, 0.52 + 0.07 * i) for i in range(4)]
    tube(path, [0.042, 0.034, 0.02, 0.003], 6, lambda _: {"head": 1.0}, lambda _, h: BEAK)
    for side in ("l", "r"):
        leg(side)
    write(pathlib.Path(__file__).with_name("walker.gltf"))


def mix_color(a, b, t):
    return tuple(round(x) for x in mix(a, b, t))


def leg(side):
    hip, knee, ankle = (PLACE[f"{joint}_{side}"] for joint in ("hip", "knee", "ankle"))
    steps = [-0.1, 0.1, 0.3, 0.5, 0.7, 0.82, 0.92, 1.0, 1.08, 1.18, 1.32, 1.55, 1.78, 1.9, 2.0]
    path = [add(hip, add(knee, hip, -1.0), t) if t < 1.0 else add(knee, add(ankle, knee, -1.0), t - 1.0) for t in steps]
    radii = [0.1, 0.125, 0.11, 0.085, 0.055, 0.042, 0.038, 0.04, 0.036, 0.03, 0.026, 0.024, 0.024, 0.026, 0.028]

    def skin(ring):
        shin = smooth((steps[ring] - 0.8) / 0.4)
        foot = smooth((steps[ring] - 1.8) / 0.3)
        body = 0.7 * (1.0 - smooth((steps[ring] + 0.1) / 0.5))
        return {
            "body": body,
            f"hip_{side}": (1.0 - shin) * (1.0 - body),
            f"knee_{side}": shin * (1.0 - foot),
            f"ankle_{side}": shin * foot,
        }

    tube(path, radii, 8, skin, lambda ring, _: mix_color(BODY, LEG, smooth((steps[ring] - 0.35) / 0.3)))
    # Three toes and a heel, flat on the ground.
    for angle, length in ((0.0, 0.2), (0.55, 0.16), (-0.55, 0.16), (math.pi, 0.07)):
        reach = (math.sin(angle) * length, math.cos(angle) * length)
        path = [
            add(ankle, (0.0, 0.0, 0.0)),
            add(ankle, (reach[0] * 0.35, -0.035, reach[1] * 0.35)),
            add(ankle, (reach[0] * 0.8, -0.05, reach[1] * 0.8)),
            add(ankle, (reach[0], -0.058, reach[1])),
        ]
        tube(path, [0.026, 0.022, 0.02, 0.008], 6, lambda _: {f"ankle_{side}": 1.0}, lambda _, h: LEG)


def write(path):
    blob, views, accessors = b"", [], []

    def view(data, kind, component, count, **more):
        nonlocal blob
        views.append({"buffer": 0, "byteOffset": len(blob), "byteLength": len(data)})
        accessors.append({"bufferView": len(views) - 1, "componentType": component, "count": count, "type": kind, **more})
        blob += data + b"\0" * (-len(data) % 4)
        return len(accessors) - 1

    def floats(rows):
        return b"".join(struct.pack("<" + "f" * len(row), *row) for row in rows)

    def octets(rows):
        return b"".join(bytes(row) for row in rows)

    count = len(positions)
    bounds = {"min": [min(axis) for axis in zip(*positions)], "max": [max(axis) for axis in zip(*positions)]}
    attributes = {
        "POSITION": view(floats(positions), "VEC3", 5126, count, **bounds),
        "NORMAL": view(floats(normals), "VEC3", 5126, count),
        "JOINTS_0": view(octets(joints), "VEC4", 5121, count),
        "WEIGHTS_0": view(octets(weights), "VEC4", 5121, count, normalized=True),
        "COLOR_0": view(octets(colors), "VEC4", 5121, count, normalized=True),
    }
    faces = view(struct.pack(f"<{len(indices)}H", *indices), "SCALAR", 5123, len(indices))
    inverse = [(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, *(-x for x in place), 1) for _, _, place in JOINTS]
    matrices = view(floats(inverse), "MAT4", 5126, len(inverse))
    nodes = []
    for name, parent, place in JOINTS:
        node = {"name": name, "translation": [round(x, 4) for x in add(place, PLACE[parent] if parent else (0, 0, 0), -1.0)]}
        children = [INDEX[child] for child, above, _ in JOINTS if above == name]
        nodes.append({**node, **({"children": children} if children else {})})
    nodes.append({"name": "walker", "mesh": 0, "skin": 0})
    document = {
        "asset": {"version": "2.0", "generator": "make_walker.py", "copyright": "CC0"},
        "scene": 0,
        "scenes": [{"nodes": [0, len(JOINTS)]}],
        "nodes": nodes,
        "skins": [{"joints": list(range(len(JOINTS))), "inverseBindMatrices": matrices}],
        "meshes": [{"primitives": [{"attributes": attributes, "indices": faces}]}],
        "accessors": accessors,
        "bufferViews": views,
        "buffers": [{"byteLength": len(blob), "uri": "data:application/octet-stream;base64," + base64.b64encode(blob).decode()}],
    }
    path.write_text(json.dumps(document, separators=(",", ":")) + "\n")


main()
