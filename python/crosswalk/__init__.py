"""Converts neural-network models to ONNX exactly, without the framework that made them.

    import crosswalk

    conversion = crosswalk.convert("model-symbol.json", shapes={"data": ["N", 3, 224, 224]})
    conversion.save("model.onnx")

Every function raises CrosswalkError, which has the problems, if a model cannot be read, converted or written. Ctrl+C stops any of them.
"""

from __future__ import annotations

import dataclasses
import os
import pathlib
import tempfile
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from . import _native

__all__ = ["Change", "Choice", "Comparison", "Conversion", "CrosswalkError", "DiffReport", "Model", "Problem", "VerifyReport",
           "convert", "diff", "inspect", "open", "verify"]

PathLike = Union[str, "os.PathLike[str]"]
Dim = Union[int, str, None]
Shapes = Mapping[str, Sequence[Dim]]


@dataclasses.dataclass(frozen=True)
class Choice:
    """A way to convert a node that ONNX cannot express exactly with one operator."""

    strategy: str  #: "exact", "fused" or "unrolled", for the option `strategies`
    cost: str  #: what it costs, or what is lost
    exact: bool


@dataclasses.dataclass(frozen=True)
class Problem:
    """One finding about a file or a model."""

    severity: str  #: "error", "warning" or "note"
    code: str  #: a stable name, such as "unsupported-operator"
    message: str
    node: str = ""  #: the source node; empty if the whole file is meant
    op: str = ""
    attribute: str = ""
    hint: str = ""  #: what to do
    choices: Tuple[Choice, ...] = ()

    def __str__(self) -> str:
        text = f"{self.node}: {self.message}" if self.node else self.message
        return f"{text} ({self.hint})" if self.hint else text


class CrosswalkError(Exception):
    """A model could not be read, converted, written or run."""

    def __init__(self, problems: Sequence[Problem]):
        self.problems: List[Problem] = list(problems)
        errors = [problem for problem in self.problems if problem.severity == "error"] or self.problems
        more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
        super().__init__(f"{errors[0]}{more}" if errors else "unknown error")

    @property
    def code(self) -> str:
        """Of the first error."""
        errors = [problem for problem in self.problems if problem.severity == "error"] or self.problems
        return errors[0].code if errors else "internal"


def _problem(fields: Dict[str, Any]) -> Problem:
    choices = tuple(Choice(*choice) for choice in fields["choices"])
    return Problem(**{**fields, "choices": choices})


def _given(options: Mapping[str, Any]) -> Dict[str, Any]:
    """The options without those that have their default. Mappings become dictionaries."""
    return {name: dict(value) if isinstance(value, Mapping) else value for name, value in options.items() if value is not None}


def _failure(fields: Dict[str, Any]) -> CrosswalkError:
    return CrosswalkError([_problem(fields)])


class Model:
    """A model as a file, folder or archive has it; its weights stay in the file. open() returns it."""

    def __init__(self, native: _native.Model):
        self._native = native

    @property
    def path(self) -> pathlib.Path:
        return pathlib.Path(self._native.path)

    @property
    def format(self) -> str:
        """For example "mxnet", "tensorflow" or "onnx"."""
        return self._native.format

    @property
    def problems(self) -> List[Problem]:
        """Of the files."""
        return [_problem(fields) for fields in self._native.problems]

    def inspect(self, **options: Any) -> Dict[str, Any]:
        """What the model contains: inputs, outputs, operators, parameters, metadata. Takes the options of convert()."""
        return _native.inspect(self._native, _given(options))

    def convert(self, **options: Any) -> Conversion:
        """See convert()."""
        return Conversion(self, _native.convert(self._native, _given(options)))

    def render(self, *, groups: str = "auto", dark: bool = False, **options: Any) -> str:
        """The graph of the source as SVG. Takes the options of convert(), which determine the shapes."""
        return self.convert(**options).render("source", groups=groups, dark=dark)

    def _repr_svg_(self) -> str:
        return self.render()

    def __repr__(self) -> str:
        return f"<crosswalk.Model {self._native.path!r}, {self.format}>"


class Conversion:
    """A model converted to ONNX. Problems do not keep it from being looked at, only from being saved."""

    def __init__(self, source: Model, native: _native.OnnxExport):
        self._native = native
        self.source = source

    @property
    def problems(self) -> List[Problem]:
        """All of the files and of the conversion, each at its node of the source."""
        return self.source.problems + [_problem(fields) for fields in self._native.problems]

    @property
    def is_complete(self) -> bool:
        """Whether every node has an exact form, or the approximation that was asked for."""
        return self._native.is_complete

    @property
    def opset(self) -> int:
        return self._native.opset

    @property
    def node_count(self) -> int:
        """Of the ONNX graph, without the nodes in bodies."""
        return self._native.node_count

    def save(self, path: PathLike, *, external_data: bool = False, weights_in_place: bool = False, partial: bool = False,
             overwrite: bool = False) -> int:
        """Checks the ONNX model and writes it, or leaves an existing file as it was. Returns the number of bytes.

        external_data: writes the weights to PATH.data, as above 2 GB.
        weights_in_place: weights that lie in the source's files as they are stay there.
        partial: nodes without a form stay, in a domain of their own.
        overwrite: also replaces files of the source.
        """
        try:
            return _native.write(self._native, os.fspath(path), external_data, weights_in_place, partial, overwrite)
        except CrosswalkError as error:
            if error.code != "not-convertible":
                raise
            raise CrosswalkError(self.problems) from None

    def to_bytes(self, *, partial: bool = False) -> bytes:
        """The ONNX file, with its weights: at most 2 GB."""
        with tempfile.TemporaryDirectory(prefix="crosswalk-") as folder:
            path = pathlib.Path(folder) / "model.onnx"
            self.save(path, partial=partial)
            if path.with_name("model.onnx.data").exists():
                raise CrosswalkError([Problem("error", "unwritable", "the model exceeds 2 GB", hint="use save()")])
            return path.read_bytes()

    def to_onnx(self, *, partial: bool = False) -> Any:
        """An onnx.ModelProto; needs the package onnx."""
        import onnx

        return onnx.load_model_from_string(self.to_bytes(partial=partial))

    def render(self, side: str = "onnx", *, groups: str = "auto", dark: bool = False) -> str:
        """The graph as SVG. side: "source" or "onnx". groups: "open", "closed", a depth, or "auto"."""
        return _native.render(self._native, side, groups, dark)

    def _repr_svg_(self) -> str:
        return self.render()

    def __repr__(self) -> str:
        state = "complete" if self.is_complete else "with gaps"
        return f"<crosswalk.Conversion of {self.source._native.path!r}, opset {self.opset}, {self.node_count} nodes, {state}>"


def open(path: PathLike, *, weights: Optional[PathLike] = None, signature: str = "", tags: Sequence[str] = (),
         inputs: Sequence[str] = (), shapes: Optional[Shapes] = None, allow_large: bool = False) -> Model:
    """Opens a model, whose content determines the format.

    weights: by default found beside the model, by the framework's naming.
    signature: of a model with several. tags: all tags of the graph to use, of a SavedModel with several.
    inputs, shapes: for formats whose graph depends on them; convert() passes its own.
    allow_large: reads and converts a model, and writes its export, although it asks for far more than its size justifies.
    """
    return Model(_native.open(os.fspath(path), "" if weights is None else os.fspath(weights), signature, list(tags),
                              list(inputs), dict(shapes or {}), allow_large))


def convert(model: Union[Model, PathLike], *, weights: Optional[PathLike] = None, signature: str = "", tags: Sequence[str] = (),
            allow_large: bool = False, shapes: Optional[Shapes] = None, dtypes: Optional[Mapping[str, str]] = None, **options: Any) -> Conversion:
    """Converts a model, or the model of a path, to ONNX.

    shapes: of inputs; a name is a symbolic dimension. dtypes: of inputs, such as "int64".
    opset: 17 by default, or that of an ONNX model. outputs: values of the source that become the outputs.
    rnn, strategies: "exact", "fused" or "unrolled", for recurrent layers without an exact operator, for all or by node.
    custom_ops: source operator to (domain, operator). rename: of inputs and outputs.
    each_sample, reroll: as on the command line. optimize: True, or "attention" to form Attention nodes too (opset 23 and later).
    """
    if isinstance(model, Model):
        if weights is not None or signature or tags or allow_large:
            raise TypeError("weights, signature, tags and allow_large are options of open(), which has opened the model")
    else:
        model = _open_for(model, shapes, dtypes, weights=weights, signature=signature, tags=tags, allow_large=allow_large)
    return model.convert(shapes=shapes, dtypes=dtypes, **options)


def inspect(model: Union[Model, PathLike], *, shapes: Optional[Shapes] = None, dtypes: Optional[Mapping[str, str]] = None,
            **options: Any) -> Dict[str, Any]:
    """See Model.inspect()."""
    if not isinstance(model, Model):
        model = _open_for(model, shapes, dtypes)
    return model.inspect(shapes=shapes, dtypes=dtypes, **options)


def _open_for(path: PathLike, shapes: Optional[Shapes], dtypes: Optional[Mapping[str, str]], **options: Any) -> Model:
    """Opens a model to convert it with these shapes and types of inputs."""
    return open(path, inputs=[*(shapes or {}), *(dtypes or {})], shapes=shapes, **options)


@dataclasses.dataclass(frozen=True)
class Comparison:
    """One output compared with its recorded tensor."""

    name: str
    equal: bool
    why: str  #: empty if equal
    max_absolute: float
    max_relative: float
    differing: int
    elements: int


@dataclasses.dataclass(frozen=True)
class VerifyReport:
    equal: bool
    runtime_version: str
    data_sets: int
    outputs: Tuple[Comparison, ...]

    def __bool__(self) -> bool:
        return self.equal


def verify(model: PathLike, data: PathLike, *, rtol: float = 1e-3, atol: float = 1e-4) -> VerifyReport:
    """Runs an ONNX file with ONNX Runtime on recorded tensors, input_<i>.pb and output_<i>.pb, and compares its outputs.

    Uses the ONNX Runtime of the package onnxruntime if it is installed, unless CROSSWALK_ONNXRUNTIME names another.
    """
    _find_runtime()
    fields = _native.verify(os.fspath(model), os.fspath(data), rtol, atol)
    return VerifyReport(**{**fields, "outputs": tuple(Comparison(**one) for one in fields["outputs"])})


def _find_runtime() -> None:
    import importlib.util

    if "CROSSWALK_ONNXRUNTIME" in os.environ:
        return
    package = importlib.util.find_spec("onnxruntime")
    for folder in (package.submodule_search_locations or []) if package else []:
        libraries = sorted(pathlib.Path(folder, "capi").glob("libonnxruntime.so*"))
        if libraries:
            os.environ["CROSSWALK_ONNXRUNTIME"] = str(libraries[0])
            return


@dataclasses.dataclass(frozen=True)
class Change:
    """A node that differs between two models."""

    change: str  #: "changed", "removed" or "added"
    node: str
    op: str
    counterpart: str  #: the node in the second model; empty unless changed
    differences: Tuple[Tuple[str, str, str], ...]  #: what, before, after


@dataclasses.dataclass(frozen=True)
class DiffReport:
    equal: bool
    model: Tuple[Tuple[str, str, str], ...]  #: opsets, inputs and outputs: what, before, after
    nodes: Tuple[Change, ...]
    same: int  #: the number of nodes that do not differ

    def __bool__(self) -> bool:
        return not self.equal


def diff(first: Union[Model, PathLike], second: Union[Model, PathLike], allow_large: bool = False) -> DiffReport:
    """Compares two models node by node, with the content of their weights. True if they differ.

    allow_large: as in open(), for the paths among the two.
    """
    models = [model if isinstance(model, Model) else open(model, allow_large=allow_large) for model in (first, second)]
    fields = _native.diff(models[0]._native, models[1]._native)
    nodes = tuple(Change(**{**node, "differences": tuple(node["differences"])}) for node in fields["nodes"])
    return DiffReport(fields["equal"], tuple(fields["model"]), nodes, fields["same"])
