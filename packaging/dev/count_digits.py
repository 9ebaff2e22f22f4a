"""Prints how many digits an exported model recognises, using only ONNX Runtime: MODEL.onnx EXAMPLE_FOLDER."""
import json
import os
import sys

import numpy as np
import onnx
import onnxruntime as ort

model, example = sys.argv[1:]
images = onnx.TensorProto()
with open(os.path.join(example, "test_data_set_0", "input_0.pb"), "rb") as file:
    images.ParseFromString(file.read())
with open(os.path.join(example, "labels.json")) as file:
    labels = json.load(file)["digits"]
session = ort.InferenceSession(model, providers=["CPUExecutionProvider"])
scores = session.run(None, {session.get_inputs()[0].name: onnx.numpy_helper.to_array(images)})[0]
right = int(np.sum(scores.argmax(axis=1) == np.array(labels)))
print(f"   the exported model recognises {right} of {len(labels)} digits")
