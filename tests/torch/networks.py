#!/usr/bin/env python3
"""Convert ten composed networks of PyTorch, verify them by inner tensors, and compare their sizes with PyTorch's own exporter.

  networks.py --bin build/release/bin/crosswalk OUT [--only REGEX]

Builds each network with small, random weights (biases included, as trained networks have them) and saves it as a TorchScript archive and,
if torch.export can export it, as a .pt2. Each file is converted with and without --optimize at OPSET and compared with PyTorch by
`crosswalk verify`; of a .pt2, the result of every node is recorded and compared (`--inner`), of an archive the outputs. The table has the
number of nodes with --optimize, including those of bodies, and of the smaller export of torch.onnx, with and without its dynamo, after
onnxsim. Exit status 0 only if every file is right and none has more nodes than the peer's export.

Needs an environment of its own: `pip install torch==2.15.0 torchvision onnx onnxsim onnxscript numpy`."""
import argparse
import os
import re
import subprocess
import sys
import warnings

import onnx
import onnxsim
import torch
import torch.nn.functional as F
from onnx import numpy_helper
from torch import Tensor, nn
from torchvision import models, ops
from torchvision.models.segmentation.deeplabv3 import DeepLabHead

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "judge"))
from node_counts import operators  # noqa: E402
from record_inner_torch import record  # noqa: E402

OPSET = 20


class DeepLab(nn.Module):
    def __init__(self):
        super().__init__()
        net = models.resnet18(weights=None, replace_stride_with_dilation=None)
        self.backbone = nn.Sequential(net.conv1, net.bn1, net.relu, net.maxpool, net.layer1, net.layer2)
        self.head = DeepLabHead(128, 5)

    def forward(self, x):
        return F.interpolate(self.head(self.backbone(x)), size=x.shape[-2:], mode="bilinear", align_corners=False)


class Encoder(nn.Module):
    """BERT: embeddings of tokens, places and segments, layers of attention with a padding mask, and a pooled output."""

    def __init__(self, layers=2, width=32, heads=4):
        super().__init__()
        self.heads = heads
        self.token, self.place, self.segment = nn.Embedding(100, width), nn.Embedding(16, width), nn.Embedding(2, width)
        self.norm = nn.LayerNorm(width)
        self.layers = nn.ModuleList(nn.ModuleDict({
            "q": nn.Linear(width, width), "k": nn.Linear(width, width), "v": nn.Linear(width, width), "o": nn.Linear(width, width),
            "n1": nn.LayerNorm(width), "up": nn.Linear(width, 4 * width), "down": nn.Linear(4 * width, width), "n2": nn.LayerNorm(width),
        }) for _ in range(layers))
        self.pooler = nn.Linear(width, width)

    def forward(self, ids: Tensor, mask: Tensor):
        x = self.norm(self.token(ids) + self.place(torch.arange(ids.shape[1])) + self.segment(torch.zeros_like(ids)))
        bias = (1.0 - mask[:, None, None, :].to(x.dtype)) * -10000.0
        for layer in self.layers:
            q, k, v = (layer[name](x).unflatten(-1, (self.heads, -1)).transpose(1, 2) for name in "qkv")
            scores = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5 + bias
            y = (scores.softmax(-1) @ v).transpose(1, 2).flatten(2)
            x = layer["n1"](x + layer["o"](y))
            x = layer["n2"](x + layer["down"](F.gelu(layer["up"](x))))
        return x, torch.tanh(self.pooler(x[:, 0]))


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(50, 8, padding_idx=0)
        self.recurrent = nn.LSTM(8, 6, num_layers=2, bidirectional=True, batch_first=True)
        self.tags = nn.Linear(12, 5)

    def forward(self, ids):
        y, _ = self.recurrent(self.embedding(ids))
        return torch.log_softmax(self.tags(y), -1)


class Translator(nn.Module):
    """An encoder, and a decoder that runs until it has written its last token, at most `steps` times."""

    def __init__(self):
        super().__init__()
        self.source, self.target = nn.Embedding(30, 8), nn.Embedding(30, 8)
        self.encoder = nn.GRU(8, 12, batch_first=True)
        self.cell = nn.GRUCell(8, 12)
        self.words = nn.Linear(12, 30)

    def forward(self, ids: Tensor, steps: int = 6):
        _, state = self.encoder(self.source(ids))
        h = state[0]
        word = torch.ones_like(ids[:, 0])
        written = [word]
        for _step in range(steps):
            h = self.cell(self.target(word), h)
            word = self.words(h).argmax(-1)
            written.append(word)
            if bool((word == 0).all()):
                break
        return torch.stack(written, 1)


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.down1, self.down2, self.middle = self.block(3, 8), self.block(8, 16), self.block(16, 32)
        self.up2, self.up1 = nn.ConvTranspose2d(32, 16, 2, 2), nn.ConvTranspose2d(16, 8, 2, 2)
        self.join2, self.join1, self.last = self.block(32, 16), self.block(16, 8), nn.Conv2d(8, 2, 1)

    @staticmethod
    def block(a, b):
        return nn.Sequential(nn.Conv2d(a, b, 3, padding=1, bias=False), nn.BatchNorm2d(b), nn.ReLU(),
                             nn.Conv2d(b, b, 3, padding=1, bias=False), nn.BatchNorm2d(b), nn.ReLU())

    def forward(self, x):
        a = self.down1(x)
        b = self.down2(F.max_pool2d(a, 2))
        c = self.middle(F.max_pool2d(b, 2))
        b = self.join2(torch.cat([self.up2(c), b], 1))
        return self.last(self.join1(torch.cat([self.up1(b), a], 1)))


class Detector(nn.Module):
    """A head of one scale: boxes relative to cells and anchors, of which the best that do not overlap are returned. Without torch.max,
    whose NaN the peer's export loses and ours keeps, in a few nodes more."""

    def __init__(self, classes=3, size=6):
        super().__init__()
        self.classes = classes
        self.body = nn.Sequential(nn.Conv2d(3, 8, 3, 2, 1), nn.SiLU(), nn.Conv2d(8, 16, 3, 2, 1), nn.SiLU())
        self.head = nn.Conv2d(16, 2 * (5 + classes), 1)
        y, x = torch.meshgrid(torch.arange(size), torch.arange(size), indexing="ij")
        self.register_buffer("cells", torch.stack([x, y], -1).float())
        self.register_buffer("anchors", torch.tensor([[2.0, 3.0], [5.0, 4.0]]).view(1, 2, 1, 1, 2))

    def forward(self, x):
        y = self.head(self.body(x))
        n, _, h, w = y.shape
        y = y.view(n, 2, 5 + self.classes, h, w).permute(0, 1, 3, 4, 2)
        center = (y[..., :2].sigmoid() + self.cells) * 4
        size = y[..., 2:4].exp() * self.anchors
        boxes = torch.cat([center - size / 2, center + size / 2], -1).view(n, -1, 4)[0]
        scores = y[..., 4].sigmoid().view(n, -1)[0]
        kinds = y[..., 5:].softmax(-1).view(n, -1, self.classes)[0]
        kept = ops.nms(boxes, scores, 0.4)[:10]
        return boxes[kept], scores[kept], kinds[kept]


def image(size, batch=1):
    return (torch.randn(batch, 3, size, size),)


NETWORKS = {
    "resnet": lambda: (models.ResNet(models.resnet.BasicBlock, [1, 1, 1, 1], num_classes=10), image(64)),
    "mobilenet": lambda: (models.mobilenet_v2(weights=None, width_mult=0.25, num_classes=10), image(64)),
    "vit": lambda: (models.VisionTransformer(32, 8, 2, 4, 32, 64, num_classes=10), image(32)),
    "swin": lambda: (models.SwinTransformer([4, 4], 24, [2, 2], [3, 6], [7, 7], num_classes=10), image(224)),
    "deeplab": lambda: (DeepLab(), image(64)),
    "bert": lambda: (Encoder(), (torch.randint(1, 100, (2, 9)), torch.tensor([[1] * 9, [1] * 6 + [0] * 3]))),
    "tagger": lambda: (Tagger(), (torch.randint(1, 50, (2, 7)),)),
    "translator": lambda: (Translator(), (torch.randint(2, 30, (3, 5)),)),
    "unet": lambda: (UNet(), image(32)),
    "detector": lambda: (Detector(), image(24)),
}
SCRIPTED = ("translator",)  # its loop ends by what it computes
INPUTS = {"bert": ["ids", "mask"], "tagger": ["ids"], "translator": ["ids"]}


def built(name):
    torch.manual_seed(0)
    model, inputs = NETWORKS[name]()
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.dim() == 1:
                parameter.add_(torch.randn_like(parameter) / 20)
    for module in model.modules():
        if isinstance(module, nn.BatchNorm2d):
            module.running_mean.normal_(0, 0.1)
            module.running_var.uniform_(0.5, 1.5)
    return model.eval(), inputs


def write_tensors(folder, kind, names, tensors):
    os.makedirs(folder, exist_ok=True)
    for i, (name, tensor) in enumerate(zip(names, tensors)):
        with open(os.path.join(folder, f"{kind}_{i}.pb"), "wb") as file:
            file.write(numpy_helper.from_array(tensor.detach().contiguous().numpy(), name).SerializeToString())


def saved(name, out):
    """The files of a network, with recorded inputs and outputs beside each."""
    model, inputs = built(name)
    names = INPUTS.get(name, ["x"])
    with torch.no_grad():
        results = model(*inputs)
    results = results if isinstance(results, tuple) else (results,)
    scripted = torch.jit.script(model) if name in SCRIPTED else torch.jit.trace(model, inputs, check_trace=False)
    files = {"pt": scripted.save}
    if name not in SCRIPTED:
        files["pt2"] = lambda path: torch.export.save(torch.export.export(model, inputs), path)
    made = []
    for ending, save in files.items():
        folder = os.path.join(out, f"{name}_{ending}")
        os.makedirs(folder, exist_ok=True)
        path = os.path.join(folder, f"model.{ending}")
        save(path)
        data = os.path.join(folder, "test_data_set_0")
        write_tensors(data, "input", names, inputs)
        write_tensors(data, "output", [f"output_{i}" for i in range(len(results))], results)
        if ending == "pt2":
            record(folder, os.path.join(folder, "recorded"))
        made.append(path)
    return model, inputs, names, made


def peer_nodes(model, inputs, names, out, name):
    """The fewest nodes of the peer's exports; None if it has none."""
    counts = []
    for dynamo in (True, False):
        path = os.path.join(out, f"{name}_peer_{int(dynamo)}.onnx")
        try:
            exported = torch.jit.script(model) if name in SCRIPTED and not dynamo else model
            torch.onnx.export(exported, inputs, path, dynamo=dynamo, opset_version=OPSET, input_names=names, verbose=False)
            whole = onnx.load(path)
            counts.append(nodes_of(whole))
            counts.append(nodes_of(onnxsim.simplify(whole)[0]))
        except Exception:  # whatever the peer cannot export
            continue
    return min(counts, default=None)


def nodes_of(model):
    counts = operators(model.graph)
    return sum(counts.values()) - counts["Constant"]


def converted(binary, path, names, inputs, optimize):
    """Converts and verifies a file; the number of nodes, and what differs if anything does."""
    target = os.path.join(os.path.dirname(path), "optimized.onnx" if optimize else "model.onnx")
    shapes = [argument for name, tensor in zip(names, inputs) for argument in ("--shape", f"{name}={','.join(map(str, tensor.shape))}")]
    types = [argument for name, tensor in zip(names, inputs) if tensor.dtype == torch.int64 for argument in ("--dtype", f"{name}=int64")]
    extra = ["--optimize"] if optimize else []
    command = [binary, "convert", path, "-o", target, "--force", "--opset", str(OPSET), "--quiet", *shapes, *types, *extra]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode != 0:
        return None, run.stderr.strip()
    recorded = os.path.join(os.path.dirname(path), "recorded")
    has_inner = os.path.isdir(recorded)
    data = os.path.join(recorded if has_inner else os.path.dirname(path), "test_data_set_0")
    inner = ["--inner"] if has_inner else []
    verified = subprocess.run([binary, "verify", target, "--data", data, "--atol", "1e-4", "--rtol", "1e-3", *inner],
                              capture_output=True, text=True)
    return nodes_of(onnx.load(target)), verified.stdout.strip() if verified.returncode != 0 else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True)
    parser.add_argument("--only", default="")
    parser.add_argument("out")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    table = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # the peer's exporter prints graphs
    is_right = True
    print(f"{'network':<12}{'file':<8}{'nodes':>7}{'peer':>7}  result", file=table, flush=True)
    for name in NETWORKS:
        if not re.search(options.only, name):
            continue
        model, inputs, names, files = saved(name, options.out)
        peer = peer_nodes(model, inputs, names, options.out, name)
        for path in files:
            _, plain = converted(options.bin, path, names, inputs, optimize=False)
            nodes, optimized = converted(options.bin, path, names, inputs, optimize=True)
            fault = plain or optimized
            has_more = nodes is not None and peer is not None and nodes > peer
            is_right = is_right and not fault and not has_more
            result = fault or ("more nodes" if has_more else "right")
            print(f"{name:<12}{path.rsplit('.', 1)[1]:<8}{nodes or '-':>7}{peer or '-':>7}  {result}", file=table, flush=True)
    sys.exit(0 if is_right else 1)


if __name__ == "__main__":
    main()
