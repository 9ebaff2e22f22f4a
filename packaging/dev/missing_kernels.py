"""Prints which operators ONNX Runtime cannot run, although ONNX defines them: the rows of core/onnx/missing_kernels.cpp.

    build/deps/venv/bin/python packaging/dev/missing_kernels.py

Takes an example of each operator from ONNX's backend tests, or makes one from its schema, changes the type of one type
parameter at a time (and tries a few types of the others), and loads the model in each opset in which the operator's
schema changes. Operators with a function body are tried in every opset: ONNX Runtime can run the body instead, but only
in some opsets. A row has the operator, the first and last opset, the operand that the type belongs to (-1: the result,
whose type is an attribute), and the types for which ONNX Runtime reports that it has no implementation, or that the
function body does not fit. Operators with subgraphs and of sequences are left out.
"""

import collections

import onnx
import onnx.backend.test.case.node as cases
import onnxruntime

FIRST_OPSET = 11
LAST_OPSET = 26

TYPES = {f"tensor({name})": value for name, value in {
    "float": 1, "uint8": 2, "int8": 3, "uint16": 4, "int16": 5, "int32": 6, "int64": 7, "string": 8, "bool": 9,
    "float16": 10, "double": 11, "uint32": 12, "uint64": 13, "bfloat16": 16}.items()}
NAMES = {1: "Float32", 2: "UInt8", 3: "Int8", 4: "UInt16", 5: "Int16", 6: "Int32", 7: "Int64", 8: "String", 9: "Bool",
         10: "Float16", 11: "Float64", 12: "UInt32", 13: "UInt64", 16: "BFloat16"}
OPTIONS = onnxruntime.SessionOptions()
OPTIONS.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
onnxruntime.set_default_logger_severity(4)


def examples():
    """The first nodes of each operator, with the element types of their inputs."""
    found = collections.defaultdict(list)
    for case in cases.collect_testcases(None):
        graph = case.model.graph if case.model else None
        if graph is None or len(graph.node) != 1 or graph.node[0].domain:
            continue
        node = graph.node[0]
        types = {value.name: value.type.tensor_type.elem_type for value in graph.input}
        if any(attribute.HasField("g") for attribute in node.attribute):
            continue
        if all(not name or types.get(name) for name in node.input):
            found[node.op_type].append((node, [types.get(name, 0) for name in node.input]))
    return found


def made_example(op):
    """A node with the inputs and attributes that the schema requires."""
    schema = onnx.defs.get_schema(op, LAST_OPSET)
    required = {"shape": [2], "value": 1.0, "axis": 0}
    attributes = {name: required.get(name) for name, attribute in schema.attributes.items() if attribute.required}
    if "dtype" in schema.attributes:
        attributes["dtype"] = onnx.TensorProto.FLOAT
    allowed = {c.type_param_str: c.allowed_type_strs for c in schema.type_constraints}
    types = []
    for formal in schema.inputs[:schema.min_input]:
        names = [name for name in allowed.get(formal.type_str, [formal.type_str]) if name in TYPES]
        if not names:
            return None
        types.append(TYPES["tensor(float)" if "tensor(float)" in names else names[0]])
    if schema.deprecated or None in attributes.values() or not schema.min_output:
        return None
    node = onnx.helper.make_node(op, [f"x{i}" for i in range(len(types))],
                                 [f"y{i}" for i in range(schema.min_output)], **attributes)
    return node, types


def model_of(node, types, opset):
    inputs = []
    renamed = onnx.NodeProto()
    renamed.CopyFrom(node)
    del renamed.input[:]
    for i, (name, element) in enumerate(zip(node.input, types)):
        renamed.input.append(f"x{i}" if name else "")
        if name:
            inputs.append(onnx.helper.make_tensor_value_info(f"x{i}", element, None))
    graph = onnx.helper.make_graph([renamed], "g", inputs, [onnx.ValueInfoProto(name=name) for name in node.output
                                                            if name])
    return onnx.helper.make_model(graph, ir_version=10, opset_imports=[onnx.helper.make_opsetid("", opset)])


def outcome(node, types, opset):
    """"runs", "missing", or "invalid" for a model that is rejected for another reason."""
    try:
        onnxruntime.InferenceSession(model_of(node, types, opset).SerializeToString(), OPTIONS,
                                     providers=["CPUExecutionProvider"])
    except Exception as error:  # pylint: disable=broad-except
        isMissing = any(reason in str(error) for reason in ("NOT_IMPLEMENTED", "FAIL : Type Error")) # INVALID_GRAPH: the model
        return "missing" if isMissing else "invalid"
    return "runs"


def type_of_input(schema, i):
    formal = schema.inputs[min(i, len(schema.inputs) - 1)]
    return formal.type_str


def variants(types, ofInput, allowed, parameter, name):
    """The types of the inputs, also with those of the other parameters equal to this one's, or the usual ones."""
    yield types
    others = sorted(set(ofInput) - {parameter})
    for other in [*others, None]:
        for choice in (name, "tensor(float)", "tensor(int64)"):
            changed = [TYPES[choice] if t and of != parameter and other in (of, None) and choice in allowed.get(of, ()) else t
                       for t, of in zip(types, ofInput)]
            if changed != types:
                yield changed


def probe(schema, node, types, opset):
    """For each type parameter: the types that ONNX Runtime lacks and those that it runs."""
    results = {}
    allowed = {c.type_param_str: c.allowed_type_strs for c in schema.type_constraints}
    ofInput = [type_of_input(schema, i) for i in range(len(types))]
    for parameter in allowed:
        places = [i for i, name in enumerate(ofInput) if name == parameter and types[i]]
        attribute = next((a for a in ("dtype", "to", "output_dtype") if a in schema.attributes), None)
        isOutput = not places and any(o.type_str == parameter for o in schema.outputs) and attribute
        missing, running = set(), set()
        for name in allowed[parameter]:
            if name not in TYPES or not (places or isOutput):
                continue
            changed = list(types)
            changedNode = onnx.NodeProto()
            changedNode.CopyFrom(node)
            for place in places:
                changed[place] = TYPES[name]
            if isOutput:
                kept = [a for a in changedNode.attribute if a.name != attribute]
                del changedNode.attribute[:]
                changedNode.attribute.extend(kept)
                changedNode.attribute.append(onnx.helper.make_attribute(attribute, TYPES[name]))
            how = [outcome(changedNode, variant, opset) for variant in variants(changed, ofInput, allowed, parameter, name)]
            if "runs" in how:
                running.add(TYPES[name])
            elif "missing" in how:
                missing.add(TYPES[name])
        results[(places[0] if places else -1) if places or isOutput else None] = (missing, running)
    return results


def main():
    found = examples()
    for schema in onnx.defs.get_all_schemas():
        if not schema.domain and schema.name not in found:
            made = made_example(schema.name)
            if made:
                found[schema.name].append(made)
    rows = []
    for op in sorted(found):
        opsets = sorted({first_of(op, opset): opset for opset in range(FIRST_OPSET, LAST_OPSET + 1)
                         if onnx.defs.has(op) and has(op, opset)}.items())
        for first, last in opsets:
            schema = onnx.defs.get_schema(op, last)
            merged = collections.defaultdict(lambda: [set(), set()])
            for node, types in found[op][:40]:
                if len(types) > len(schema.inputs) and not any(
                        i.option == onnx.defs.OpSchema.FormalParameterOption.Variadic for i in schema.inputs):
                    continue
                if any(a.name not in schema.attributes for a in node.attribute):
                    continue
                for place, (missing, running) in probe(schema, node, types, last).items():
                    if place is not None:
                        merged[place][0] |= missing
                        merged[place][1] |= running
            for place, (missing, running) in sorted(merged.items()):
                lacking = sorted(missing - running)
                if lacking:
                    rows.append([op, first, last, place, lacking])
    for op, first, last, place, lacking in merged_opsets(rows):
        print(f'    {{"{op}", {first}, {last}, {place}, {{{", ".join(NAMES[t] for t in lacking)}}}}},')


def merged_opsets(rows):
    """Joins rows of consecutive opsets that are otherwise equal."""
    rows = sorted(rows, key=lambda row: (row[0], row[3], row[1]))
    merged = []
    for row in rows:
        if merged and merged[-1][0] == row[0] and merged[-1][3:] == row[3:] and merged[-1][2] + 1 == row[1]:
            merged[-1][2] = row[2]
        else:
            merged.append(list(row))
    return merged


def first_of(op, opset):
    """The first opset whose results hold for this one."""
    schema = onnx.defs.get_schema(op, opset)
    isFunction = schema.has_function or schema.has_context_dependent_function
    return opset if isFunction else max(schema.since_version, FIRST_OPSET)


def has(op, opset):
    try:
        onnx.defs.get_schema(op, opset)
        return True
    except Exception:  # pylint: disable=broad-except
        return False


if __name__ == "__main__":
    main()
