"""Programs that write lists otherwise than once in each iteration in order, for tensorflow_calls.py and
tensorflow_steps.py. Each takes x, [batch, time, features] of at least two time steps, and returns tensors."""
import tensorflow as tf

R = tf.raw_ops


def array(x, size, **more):
    return tf.TensorArray(x.dtype, size, element_shape=x[:, 0].shape, clear_after_read=False, **more)


def time_major(x):
    return tf.transpose(x, [1, 0, 2])


def scatter(x):
    a = array(x, 4).scatter([2, 0], time_major(x)[:2]).scatter([1, 3], time_major(x)[:2] * 0.5)
    return a.stack(), a.read(2)


def scatter_range(x):
    n = tf.shape(x)[1]
    a = array(x, n).scatter(tf.range(n), time_major(x))
    return a.gather([1, 0]), a.read(n - 1)


def scatter_short(x):
    return array(x, 5).scatter(tf.range(2), time_major(x)[:2]).stack()


def split(x):
    a = tf.TensorArray(x.dtype, 2, clear_after_read=False).split(tf.tile(x[0][:2], [2, 1]), [2, 2])
    return a.stack(), a.read(1)


def split_various(x):
    a = tf.TensorArray(x.dtype, 2, infer_shape=False, clear_after_read=False).split(tf.tile(x[0][:2], [2, 1]), [1, 3])
    return a.read(1), a.concat()


def unrolled(x):
    a = array(x, 3)
    for k, t in enumerate((0, 1, 0)):
        a = a.write(k, x[:, t] * (k + 1.0))
    a = a.write(1, a.read(0) + a.read(2))
    return a.stack(), a.gather([2, 0])


def partial(x):
    return array(x, 4).write(1, x[:, 0]).write(3, x[:, 1]).stack()


def size(x):
    a = array(x, 0, dynamic_size=True).write(0, x[:, 1]).write(1, x[:, 0])
    return a.size(), a.stack()


def initial_size(x):
    a = array(x, 3, dynamic_size=True).write(1, x[:, 0])
    return a.size(), a.stack()


def initial_size_of_loop(x):
    n = tf.shape(x)[1]
    _, a = tf.while_loop(lambda i, a: i < n, lambda i, a: (i + 1, a.write(i, x[:, i])), (0, array(x, 3, dynamic_size=True)))
    return a.size(), a.stack()


def branches(x):
    def swapped():
        return array(x, 2).write(0, x[:, 1]).write(1, x[:, 0])
    return tf.cond(tf.reduce_sum(x) > 0, lambda: array(x, 2).write(0, x[:, 0]).write(1, x[:, 1]), swapped).stack()


def branches_of_one(x):
    a = array(x, 3).write(1, x[:, 1])
    a = tf.cond(tf.reduce_sum(x) > 0, lambda: a.write(0, x[:, 0]), lambda: a.write(2, -x[:, 0]))
    return a.stack()


def read_in_loop(x):
    a = array(x, 3).write(0, x[:, 0]).write(1, x[:, 1]).write(2, x[:, 0] * x[:, 1])
    return tf.while_loop(lambda i, h: i < 3, lambda i, h: (i + 1, h * 0.5 + a.read(i)), (0, x[:, 0]))[1]


def history(x):
    n = tf.shape(x)[1]
    return tf.while_loop(lambda i, a: i < n, lambda i, a: (i + 1, a.write(i, a.read(i - 1) * 0.5 + x[:, i])),
                         (1, array(x, n).write(0, x[:, 0])))[1].stack()


def longer_history(x):
    a = array(x, 6).write(0, x[:, 0]).write(1, x[:, 1])
    _, a = tf.while_loop(lambda i, a: i < 6, lambda i, a: (i + 1, a.write(i, a.read(i - 1) + a.read(i - 2) * 0.5)), (2, a))
    return a.stack(), a.read(5)


def mean_of_history(x):
    n = tf.shape(x)[1]
    a = array(x, 1, dynamic_size=True).write(0, x[:, 0])
    return tf.while_loop(lambda i, a: i < n, lambda i, a: (i + 1, a.write(i, x[:, i] + tf.reduce_mean(a.stack(), 0))), (1, a))[1].stack()


def backwards(x):
    n = tf.shape(x)[1]
    return tf.while_loop(lambda i, a: i >= 0, lambda i, a: (i - 1, a.write(i, x[:, i] * 2.0)), (n - 1, array(x, n)))[1].stack()


def branch_in_loop(x):
    n = tf.shape(x)[1]
    step = lambda i, a: tf.cond(tf.equal(i % 2, 0), lambda: a.write(i, x[:, i]), lambda: a.write(i, x[:, i] * 3.0))
    return tf.while_loop(lambda i, a: i < n, lambda i, a: (i + 1, step(i, a)), (0, array(x, n)))[1].stack()


def some_steps(x):
    n = tf.shape(x)[1]
    step = lambda i, a: tf.cond(tf.reduce_sum(x[:, i]) > 0, lambda: a.write(a.size(), x[:, i]), lambda: a)
    _, a = tf.while_loop(lambda i, a: i < n, lambda i, a: (i + 1, step(i, a)), (0, array(x, 0, dynamic_size=True).write(0, x[:, 0])))
    return a.stack(), a.size()


def two_writes(x):
    n = tf.shape(x)[1]
    step = lambda i, a: a.write(2 * i, x[:, i]).write(2 * i + 1, -x[:, i])
    return tf.while_loop(lambda i, a: i < n, lambda i, a: (i + 1, step(i, a)), (0, array(x, 2 * n)))[1].stack()


def two_loops(x):
    n = tf.shape(x)[1]
    _, a = tf.while_loop(lambda i, a: i < n, lambda i, a: (i + 1, a.write(i, x[:, i])), (0, array(x, 2 * n)))
    return tf.while_loop(lambda i, a: i < n, lambda i, a: (i + 1, a.write(n + i, x[:, i] * 2.0)), (0, a))[1].stack()


def nested(x):
    n = tf.shape(x)[1]

    def outer(i, a):
        return i + 1, tf.while_loop(lambda j, a: j < 2, lambda j, a: (j + 1, a.write(2 * i + j, x[:, i] * tf.cast(j + 1, x.dtype))), (0, a))[1]
    return tf.while_loop(lambda i, a: i < n, outer, (0, array(x, 2 * n)))[1].stack()


def swapped(x):
    a, b = array(x, tf.shape(x)[1]).unstack(time_major(x)), array(x, tf.shape(x)[1]).unstack(time_major(x) * 2.0)
    _, a, b = tf.while_loop(lambda i, a, b: i < 3, lambda i, a, b: (i + 1, b, a), (0, a, b))
    return a.stack(), b.read(0)


def bubble_sort(x):
    n = tf.shape(x)[1]

    def inner(j, a):
        first, second = a.read(j), a.read(j + 1)
        return j + 1, a.write(j, tf.minimum(first, second)).write(j + 1, tf.maximum(first, second))
    outer = lambda i, a: (i + 1, tf.while_loop(lambda j, a: j < n - 1, inner, (0, a))[1])
    return tf.while_loop(lambda i, a: i < n, outer, (0, array(x, n).unstack(time_major(x))))[1].stack()


def delayed(x):  # a is what b was before the step, with another element
    n = tf.shape(x)[1]
    body = lambda i, a, b: (i + 1, b.write(i, x[:, i] * 2.0), b.write(i, x[:, i]))
    _, a, b = tf.while_loop(lambda i, a, b: i < n, body, (0, array(x, n), array(x, n)))
    return a.stack(), b.stack()


def sizes_swapped(x):
    n = tf.shape(x)[1]
    a, b = array(x, n - 1).write(0, x[:, 0]), array(x, n + 1).write(1, x[:, 1])
    _, a, b = tf.while_loop(lambda i, a, b: i < 3, lambda i, a, b: (i + 1, b, a), (0, a, b))
    return a.stack(), b.stack()


def masked(x):
    n = tf.shape(x)[1]
    step = lambda i, a: tf.cond(tf.reduce_sum(x[:, i]) > 0, lambda: a.write(i, x[:, i]), lambda: a)
    return tf.while_loop(lambda i, a: i < n, lambda i, a: (i + 1, step(i, a)), (0, array(x, n).write(0, x[:, 0])))[1].stack()


def sides(x):
    a = array(x, 6).write(0, x[:, 0])
    return tf.switch_case(tf.shape(x)[1], [lambda k=k: a.write(k, x[:, 1] * float(k)) for k in range(6)]).stack()


def scattered_to_larger(x):
    n = tf.shape(x)[1]
    return array(x, 2 * n).scatter(tf.range(n), time_major(x)).stack()


def no_steps(x):
    n = tf.shape(x)[1]
    a = array(x, 0, dynamic_size=True).write(0, x[:, 0])
    return tf.while_loop(lambda i, a: i < n - 20, lambda i, a: (i + 1, a.write(i, x[:, i])), (1, a))[1].stack()


def int16_gaps(x):
    return tf.TensorArray(tf.int16, 4, element_shape=[None, x.shape[2]]).write(1, tf.cast(x[:, 0] * 9.0, tf.int16)).stack()


def joined_in_loop(x):
    n = tf.shape(x)[1]
    a = tf.TensorArray(x.dtype, n, infer_shape=False, element_shape=[None, x.shape[2]])
    return tf.while_loop(lambda i, a: i < n, lambda i, a: (i + 1, a.write(i, x[0, :i + 1])), (0, a))[1].concat()


def empty_list(x):
    return R.EmptyTensorList(element_shape=tf.constant([-1, x.shape[2]]), max_num_elements=-1, element_dtype=x.dtype)


def stack(x, list_):
    return R.TensorListStack(input_handle=list_, element_shape=tf.constant([-1, x.shape[2]]), element_dtype=x.dtype, num_elements=-1)


def push(x):
    n = tf.shape(x)[1]
    body = lambda i, a: (i + 1, R.TensorListPushBack(input_handle=a, tensor=x[:, i] * 2.0))
    _, a = tf.while_loop(lambda i, a: i < n, body, (0, empty_list(x)))
    return stack(x, a), R.TensorListLength(input_handle=a)


def push_pop(x):
    a = empty_list(x)
    for factor in (1.0, 2.0, 3.0):
        a = R.TensorListPushBack(input_handle=a, tensor=x[:, 0] * factor)
    a, y = R.TensorListPopBack(input_handle=a, element_shape=tf.constant([-1, x.shape[2]]), element_dtype=x.dtype)
    return y, stack(x, a)


def push_to_reserved(x):
    a = R.TensorListReserve(element_shape=tf.constant([-1, x.shape[2]]), num_elements=2, element_dtype=x.dtype)
    for k in (1, 0):
        a = R.TensorListSetItem(input_handle=a, index=k, item=x[:, k])
    a = R.TensorListPushBack(input_handle=a, tensor=x[:, 0] * 3.0)
    return stack(x, a), R.TensorListLength(input_handle=a)


def push_to_partial(x):
    a = R.TensorListReserve(element_shape=tf.constant([2, 3]), num_elements=3, element_dtype=x.dtype)
    a = R.TensorListSetItem(input_handle=a, index=0, item=tf.fill([2, 3], tf.reduce_sum(x)))
    a = R.TensorListPushBack(input_handle=a, tensor=tf.fill([2, 3], tf.reduce_max(x)))
    return R.TensorListStack(input_handle=a, element_shape=tf.constant([2, 3]), element_dtype=x.dtype, num_elements=-1)


PROGRAMS = [scatter, scatter_range, scatter_short, split, split_various, unrolled, partial, size, initial_size, initial_size_of_loop, branches,
            branches_of_one, read_in_loop, history, longer_history, mean_of_history, backwards, branch_in_loop, some_steps, two_writes, two_loops,
            nested, swapped, bubble_sort, joined_in_loop, delayed, sizes_swapped,
            masked, sides, scattered_to_larger, no_steps, int16_gaps, push, push_pop,
            push_to_reserved, push_to_partial]
