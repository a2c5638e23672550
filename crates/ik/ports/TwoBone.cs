// Two rigid bones in space, after tarsus-ik: no angles, one square root for the triangle.
// Points are relative to the start joint. Lengths and distances may be from 1e-9 to 1e9.
using System;
using System.Numerics;

public static class TwoBone
{
    public struct Limb
    {
        public Vector3 Mid, End;
        public bool Reached;
    }

    // Some vector perpendicular to p: its cross product with the axis it is farthest from.
    static Vector3 AnyPerpendicular(Vector3 p)
    {
        float x = Math.Abs(p.X), y = Math.Abs(p.Y), z = Math.Abs(p.Z);
        if (x <= y && x <= z) return Vector3.Cross(p, Vector3.UnitX);
        return Vector3.Cross(p, y <= z ? Vector3.UnitY : Vector3.UnitZ);
    }

    // Places mid and end joint of bones r1 and r2, bent toward the pole, a direction. Out of
    // reach, the limb is straight or folded flat.
    public static Limb Solve(Vector3 target, float r1, float r2, Vector3 pole)
    {
        float sum = r1 + r2, difference = r1 - r2;
        float h = Vector3.Dot(target, target);
        bool apart = h > 1e-30f * sum * sum;
        if (!apart) h = 0; // no line: fold along any axis
        Vector3 unit = apart ? target / (float)Math.Sqrt(h) : Vector3.UnitX;
        bool reached = h <= sum * sum && h >= difference * difference;
        float within = Math.Min(Math.Max(h, difference * difference), sum * sum);

        // Position along the line and height across it. Both are products of sums and
        // differences (Heron), because r1*r1 - r2*r2 and 4*r1*r1*h - w*w cancel.
        float d = (float)Math.Sqrt(within);
        float s = (sum * sum - within) * (within - difference * difference);
        float along = d > 0 ? 0.5f * (within + difference * sum) / d : 0;
        float height = d > 0 ? 0.5f * (float)Math.Sqrt(Math.Max(s, 0)) / d : r1;

        // The pole's part across the line, by two cross products.
        Vector3 normal = Vector3.Cross(unit, pole);
        if (Vector3.Dot(normal, normal) <= 1e-12f * Vector3.Dot(pole, pole))
            normal = AnyPerpendicular(unit);
        Vector3 across = Vector3.Cross(normal, unit) / (float)Math.Sqrt(Vector3.Dot(normal, normal));

        return new Limb
        {
            Mid = unit * along + across * height,
            End = reached ? target : unit * d,
            Reached = reached,
        };
    }
}
