class Model(Module):
  __parameters__ = ["w", ]
  __buffers__ = []
  w : Tensor
  training : bool
  k : Final[int] = 4
  __annotations__["0"] = __torch__.torch.nn.modules.linear.Linear
  def forward(self: __torch__.Model,
    x: Tensor,
    y: Optional[Tensor]=None) -> Tuple[Tensor, List[Tensor]]:
    _0 = getattr(self, "0")
    out = annotate(List[Tensor], [])
    for i in range(torch.len(out)):
      _1 = torch.append(out, torch.mul(x, -1.0000000000000001e-05))
    if torch.__is__(y, None):
      a, b, = torch.chunk(x, 2, 1)
    else:
      a, b = x, unchecked_cast(Tensor, y)
    while bool(torch.gt(torch.sum(a), 1)):
      a = torch.sub(a, CONSTANTS.c0, alpha=1)
    return ((_0).forward(a, ), [b, {"k": "\n\x41"}["k"]])
