"""Sites that people browse: thirty shapes of lists, addresses and decoys, each with the truth about its targets."""

from dowse.sim.shapes.catalogue import SHAPES
from dowse.sim.shapes.shape import Shape
from dowse.sim.shapes.site import ShapeSite, open_shape
from dowse.sim.shapes.truth import FormWay, ShapeTruth

__all__ = ["SHAPES", "FormWay", "Shape", "ShapeSite", "ShapeTruth", "open_shape"]
