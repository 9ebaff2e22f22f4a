"""Programs that write variables, for tensorflow_steps.py. Each takes x, [batch, time, features], and two variables of
[features], orders what it reads and writes, and returns tensors. A loop of TensorFlow 1 runs one iteration at a time:
TensorFlow does not fix the order of others."""
import tensorflow as tf

v1 = tf.compat.v1


def after(writes, read):
    with tf.control_dependencies(writes):
        return read()


def copied(variable):
    return variable.read_value() * 1


def is_positive(x):
    return x[0, 0, 0] > 0.01  # not of a sum, which can be 0 but for its rounding


def loop(condition, body, initial):
    return v1.while_loop(condition, body, initial, parallel_iterations=1)


def counted(count, body, *states):
    return loop(lambda i, *now: i < count, lambda i, *now: (i + 1, *body(i, *now)), [tf.constant(0), *states])[1:]


def read_write_read(x, v, w):
    before = copied(v)
    now = after([before], lambda: copied(v.assign_add(x[0, 0])))
    return x * before, x + now


def moving_average(x, v, w):
    mean = tf.reduce_mean(x, [0, 1])
    write = v.assign(v.read_value() * 0.75 + mean * 0.25)
    return after([write], lambda: x - v.read_value())


def exchanged(x, v, w):
    a, b = copied(v), copied(w)
    first = after([a, b], lambda: v.assign(b))
    second = after([first], lambda: w.assign(a))
    return after([second], lambda: x * v.read_value() - w.read_value())


def in_branch(x, v, w):
    write = lambda: after([v.assign_add(x[0, 1])], lambda: copied(v))
    made = tf.cond(is_positive(x), write, lambda: copied(v) * 2)
    return x + made, after([made], lambda: x * v.read_value())


def in_both_branches(x, v, w):
    made = tf.cond(is_positive(x), lambda: after([v.assign_add(x[0, 1])], lambda: copied(v)),
                   lambda: after([w.assign_sub(x[0, 1]), v.assign(x[0, 0])], lambda: copied(w)))
    return after([made], lambda: x * v.read_value() + w.read_value())


def two_results(x, v, w):
    def write():
        before = copied(v)
        return before, after([after([before], lambda: v.assign_add(x[0, 1]))], lambda: copied(v) * 2)
    a, b = tf.cond(is_positive(x), write, lambda: (copied(v), copied(w)))
    return x * a - b, after([a, b], lambda: x * v.read_value())


def branches_in_order(x, v, w):
    isPositive = is_positive(x)
    write = lambda: (after([v.assign_add(x[0, 1])], lambda: copied(v)), copied(w))
    a, b = tf.cond(isPositive, write, lambda: (copied(v), x[0, 1]))
    between = after([a], lambda: v.assign(v.read_value() * 0.5))
    c, d = after([between], lambda: tf.cond(isPositive, write, lambda: (copied(v) * 2, x[0, 0])))
    return x * a - b, x + c * d, after([c], lambda: x * v.read_value())


def branch_in_branch(x, v, w):
    inner = lambda: tf.cond(x[0, 1, 0] > 0.01, lambda: after([v.assign(x[0, 1])], lambda: copied(v)), lambda: copied(w))
    made = tf.cond(is_positive(x), inner, lambda: after([w.assign_add(x[0, 1])], lambda: copied(w)))
    return x + made, after([made], lambda: x * v.read_value() + w.read_value())


def case(x, v, w):
    sides = [lambda: (after([v.assign_add(x[0, 1])], lambda: copied(v)), copied(w)), lambda: (copied(v), copied(w)),
             lambda: (copied(v), after([w.assign_sub(x[0, 1])], lambda: copied(w)))]
    a, b = tf.switch_case(tf.cast(tf.abs(x[0, 0, 0]) * 3, tf.int32), sides)
    return x * a - b, after([a, b], lambda: x * v.read_value() + w.read_value())


def in_loop(x, v, w):
    def body(i, sum):
        write = v.assign_add(x[0, 0])
        return [after([write], lambda: sum + v.read_value())]
    made = counted(3, body, tf.zeros_like(x[0, 0]))[0]
    return after([made], lambda: x * made + v.read_value())


def before_and_after_in_loop(x, v, w):
    def body(i, sum):
        before = copied(v)
        write = after([before], lambda: v.assign(before * 0.5 + sum))
        return [after([write], lambda: sum * 0.5 + before - copied(v))]
    made = counted(3, body, x[0, 0])[0]
    return after([made], lambda: x * made - v.read_value())


def only_in_order(x, v, w):
    def body(i, sum):
        write = v.assign_add(tf.cast(i, x.dtype) + x[0, 1])
        return [after([write], lambda: sum * 0.5)]
    made = counted(3, body, x)[0]
    return after([made], lambda: made + v.read_value())


def branch_in_loop(x, v, w):
    def body(i, sum):
        write = lambda: after([v.assign_add(sum)], lambda: copied(v))
        return [tf.cond(tf.equal(i % 2, 0), write, lambda: sum * 0.5)]
    made = counted(4, body, x[0, 0])[0]
    return after([made], lambda: x * made + v.read_value())


def loop_in_branch(x, v, w):
    body = lambda i, sum: [after([v.assign_sub(sum * 0.5)], lambda: sum + v.read_value())]
    made = tf.cond(is_positive(x), lambda: counted(3, body, x[0, 0])[0], lambda: copied(v))
    return after([made], lambda: x * made + v.read_value())


def loop_in_loop(x, v, w):
    inner = lambda j, sum: [after([v.assign_add(w.read_value() * 0.5)], lambda: sum * 0.5 + v.read_value())]
    body = lambda i, sum: counted(i, inner, sum)
    made = counted(3, body, x[0, 0])[0]
    return after([made], lambda: x * made + v.read_value())


def until(x, v, w):
    body = lambda i, sum: (i + 1, after([v.assign_add(tf.abs(x[0, 0]) + 1)], lambda: sum + 0.5))
    condition = lambda i, sum: (tf.reduce_sum(v.read_value()) < 8) & (i < 9)
    made = loop(condition, body, [tf.constant(0), x])[1]
    return after([made], lambda: made * v.read_value())


def exchanged_in_loop(x, v, w):
    def body(i, sum):
        a, b = copied(v), copied(w)
        first = after([a, b], lambda: v.assign(b * 0.5))
        second = after([first], lambda: w.assign(a - b))
        return [after([second], lambda: sum + copied(v))]
    made = counted(3, body, x)[0]
    return after([made], lambda: made * w.read_value())


def list_in_loop(x, v, w):
    def body(i, rows):
        write = v.assign_add(x[0, 0])
        return [after([write], lambda: rows.write(2 - i, v.read_value() * x[:, 1]))]
    rows = tf.TensorArray(x.dtype, 3, element_shape=x[:, 1].shape, clear_after_read=False)
    made = counted(3, body, rows)[0].stack()
    return after([made], lambda: made * v.read_value())


def read_list_in_loop(x, v, w):
    def body(i, rows):
        write = v.assign_add(tf.reduce_mean(rows.read(i), 0))
        return [after([write], lambda: rows.write(i + 1, rows.read(i) * v.read_value()))]
    rows = tf.TensorArray(x.dtype, 4, element_shape=x[:, 1].shape, clear_after_read=False).write(0, x[:, 0])
    made = counted(3, body, rows)[0].stack()
    return after([made], lambda: made + v.read_value())


def loops_in_order(x, v, w):
    body = lambda i, sum: [after([v.assign(v.read_value() * 0.5 + sum)], lambda: sum - v.read_value())]
    first = counted(2, body, x[0, 0])[0]
    write = after([first], lambda: v.assign_add(w.read_value()))
    second = after([write], lambda: counted(2, body, first + copied(v))[0])
    return after([second], lambda: x * second + v.read_value())


def rows(x, v, w):
    write = v1.scatter_add(v, [1, 0], x[0, :2, 0])
    return after([write], lambda: x * v.read_value())


def slices(x, v, w):
    write = v[1:].assign(x[0, 0, 1:] * 2)
    return after([write], lambda: x * v.read_value())


PROGRAMS = [read_write_read, moving_average, exchanged, in_branch, in_both_branches, two_results, branches_in_order, branch_in_branch, case, in_loop, before_and_after_in_loop, only_in_order, branch_in_loop,
            loop_in_branch, loop_in_loop, until, exchanged_in_loop, list_in_loop, read_list_in_loop, loops_in_order, rows, slices]
