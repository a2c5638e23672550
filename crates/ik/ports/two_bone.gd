# Two rigid bones in space, after tarsus-ik: no angles, one square root for the triangle.
# Points are relative to the start joint. Lengths and distances may be from 1e-9 to 1e9.
class_name TwoBone


# Some vector perpendicular to p: its cross product with the axis it is farthest from.
static func any_perpendicular(p: Vector3) -> Vector3:
	var a := p.abs()
	if a.x <= a.y and a.x <= a.z:
		return p.cross(Vector3.RIGHT)
	return p.cross(Vector3.UP if a.y <= a.z else Vector3.BACK)


# Places mid and end joint of bones r1 and r2, bent toward the pole, a direction. Out of
# reach, the limb is straight or folded flat.
static func solve(target: Vector3, r1: float, r2: float, pole: Vector3) -> Dictionary:
	var total := r1 + r2
	var difference := r1 - r2
	var h := target.dot(target)
	var apart := h > 1e-30 * total * total
	if not apart:
		h = 0.0 # no line: fold along any axis
	var unit := target / sqrt(h) if apart else Vector3.RIGHT
	var reached := h <= total * total and h >= difference * difference
	var within := clampf(h, difference * difference, total * total)

	# Position along the line and height across it. Both are products of sums and
	# differences (Heron), because r1*r1 - r2*r2 and 4*r1*r1*h - w*w cancel.
	var d := sqrt(within)
	var s := (total * total - within) * (within - difference * difference)
	var along := 0.5 * (within + difference * total) / d if d > 0.0 else 0.0
	var height := 0.5 * sqrt(maxf(s, 0.0)) / d if d > 0.0 else r1

	# The pole's part across the line, by two cross products.
	var normal := unit.cross(pole)
	if normal.dot(normal) <= 1e-12 * pole.dot(pole):
		normal = any_perpendicular(unit)
	var across := normal.cross(unit) / sqrt(normal.dot(normal))

	return {
		mid = unit * along + across * height,
		end = target if reached else unit * d,
		reached = reached,
	}
