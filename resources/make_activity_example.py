#!/usr/bin/env python3
"""Make resources/examples/wearable_activity: a file for PyTorch's mobile interpreter that tells what a phone's owner does.

    python3 resources/make_activity_example.py

Convolutions and a GRU read two seconds of an accelerometer at 50 Hz. The program is a script, because it repeats windows that are
shorter than a second. It is trained on simulated movements. Needs `pip install torch==2.15.0 onnx numpy`; the weights depend on the
release of PyTorch."""
import os

import numpy as np
import torch
from onnx import numpy_helper
from torch import Tensor, nn

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "examples", "wearable_activity")
LABELS = ("still", "walking", "running", "cycling")
MOVEMENTS = ((0.2, 0.02), (1.9, 0.35), (2.9, 1.1), (1.3, 0.25))  # Hz and g


class Activity(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Conv1d(3, 12, 5, padding=2), nn.BatchNorm1d(12), nn.ReLU(),
                                      nn.Conv1d(12, 16, 3, 2, 1), nn.ReLU())
        self.recurrent = nn.GRU(16, 16, batch_first=True)
        self.scores = nn.Linear(16, len(LABELS))

    def forward(self, samples: Tensor) -> Tensor:
        movement = samples - samples.mean(1, keepdim=True)
        if movement.size(1) < 50:
            movement = torch.cat([movement, movement], 1)
        features = self.features(movement.transpose(1, 2)).transpose(1, 2)
        states, _ = self.recurrent(features)
        return torch.softmax(self.scores(states[:, -1]), 1)


def windows(count, random, length=100):
    """Accelerations (count, length, 3) and what they are."""
    time = np.arange(length) / 50
    kinds = random.integers(len(MOVEMENTS), size=count)
    samples = np.empty((count, length, 3), np.float32)
    for i, kind in enumerate(kinds):
        frequency, size = MOVEMENTS[kind] * random.uniform((0.9, 0.8), (1.1, 1.2))
        phase = random.uniform(0, 2 * np.pi)
        angle = 2 * np.pi * frequency * time + phase
        isCycling = kind == 3
        sideways = 0.4 * np.cos(angle) if isCycling else 0.2 * np.sin(2 * angle)
        upwards = 0.1 if isCycling else np.abs(np.sin(angle / 2)) + 0.1
        gravity = random.normal(size=3)
        movement = size * np.stack(np.broadcast_arrays(0.5 * np.sin(angle), sideways, upwards), 1)
        samples[i] = movement + gravity / np.linalg.norm(gravity) + random.normal(scale=0.03, size=(length, 3))
    return torch.from_numpy(samples), torch.from_numpy(kinds)


def store(name, array, file):
    path = os.path.join(FOLDER, "test_data_set_0", file)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as stream:
        stream.write(numpy_helper.from_array(array, name).SerializeToString())


def main():
    torch.manual_seed(7)
    torch.set_num_threads(1)
    random = np.random.default_rng(3)
    model = Activity()
    optimizer = torch.optim.Adam(model.parameters(), 0.01)
    samples, kinds = windows(1200, random)
    for _ in range(160):
        batch = torch.from_numpy(random.integers(len(samples), size=64))
        optimizer.zero_grad()
        nn.functional.nll_loss(torch.log(model(samples[batch]) + 1e-9), kinds[batch]).backward()
        optimizer.step()
    model.eval()
    samples, kinds = windows(400, random)
    print("accuracy", (model(samples).argmax(1) == kinds).float().mean().item())
    os.makedirs(FOLDER, exist_ok=True)
    script = torch.jit.script(model)
    script._save_for_lite_interpreter(os.path.join(FOLDER, "activity.ptl"))
    samples, _ = windows(8, random)
    store("samples", samples.numpy(), "input_0.pb")
    store("output_0", script(samples).detach().numpy(), "output_0.pb")


if __name__ == "__main__":
    main()
