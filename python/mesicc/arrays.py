# SPDX-License-Identifier: MIT
"""Where an array of another library lies, of which type its elements are, and on which device.

`view_of(object)` gives a View, or None for an object that is no array. DLPack is asked first
(https://dmlc.github.io/dlpack), then the buffer protocol. A View keeps its array alive.
"""
import ctypes

CPU, CUDA, CUDA_HOST, CUDA_MANAGED = 1, 2, 3, 13  # DLDeviceType
KINDS = {0: 'i', 1: 'u', 2: 'f', 4: 'b', 5: 'c', 6: '?'}  # DLDataTypeCode: bfloat16 is 'b'

LETTERS = {'i': 'bhilqn', 'u': 'cBHILQN', 'f': 'efd', '?': '?'}  # of the buffer protocol


class View:
    """address: of the first element; kind: 'i' signed, 'u' unsigned, 'f' float, 'b' bfloat16, 'c'
    complex, '?' bool; bits: of an element; device: CPU or CUDA; number: of the GPU; owner: keeps
    the memory."""

    __slots__ = 'address kind bits device number contiguous read_only owner'.split()

    def __init__(self, *values):
        for name, value in zip(self.__slots__, values):
            setattr(self, name, value)


class _Tensor(ctypes.Structure):  # DLTensor
    _fields_ = [
        ('data', ctypes.c_void_p),
        ('device_type', ctypes.c_int32),
        ('device_id', ctypes.c_int32),
        ('ndim', ctypes.c_int32),
        ('code', ctypes.c_uint8),
        ('bits', ctypes.c_uint8),
        ('lanes', ctypes.c_uint16),
        ('shape', ctypes.POINTER(ctypes.c_int64)),
        ('strides', ctypes.POINTER(ctypes.c_int64)),
        ('byte_offset', ctypes.c_uint64),
    ]


_pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
_pointer_of.restype = ctypes.c_void_p
_pointer_of.argtypes = [ctypes.py_object, ctypes.c_char_p]


def _is_contiguous(tensor):
    """In the order of C: the strides of dimensions of one element do not count."""
    expected = 1
    if not tensor.strides:
        return True
    for axis in reversed(range(tensor.ndim)):
        if tensor.shape[axis] != 1 and tensor.strides[axis] != expected:
            return False
        expected *= tensor.shape[axis]
    return True


def _of_dlpack(array):
    if getattr(array, 'requires_grad', False):
        array = array.detach()
    capsule = array.__dlpack__()
    tensor = _Tensor.from_address(_pointer_of(capsule, b'dltensor'))
    device = CUDA if tensor.device_type in (CUDA, CUDA_MANAGED) else tensor.device_type
    return View(
        (tensor.data or 0) + tensor.byte_offset,
        KINDS.get(tensor.code, '-'),
        tensor.bits * tensor.lanes,
        CPU if device == CUDA_HOST else device,
        tensor.device_id,
        _is_contiguous(tensor),
        False,
        (capsule, array),
    )


class _Buffer(ctypes.Structure):  # Py_buffer
    _fields_ = [
        ('address', ctypes.c_void_p),
        ('object', ctypes.c_void_p),
        ('bytes', ctypes.c_ssize_t),
        ('itemsize', ctypes.c_ssize_t),
        ('read_only', ctypes.c_int),
        ('ndim', ctypes.c_int),
        ('format', ctypes.c_char_p),
        ('shape', ctypes.c_void_p),
        ('strides', ctypes.c_void_p),
        ('suboffsets', ctypes.c_void_p),
        ('internal', ctypes.c_void_p),
    ]


_FULL_READ_ONLY = 0x11C  # PyBUF_FULL_RO


def _address_of(memory):
    buffer = _Buffer()
    if ctypes.pythonapi.PyObject_GetBuffer(
        ctypes.py_object(memory), ctypes.byref(buffer), _FULL_READ_ONLY
    ):
        raise BufferError('the array does not say where it lies')
    address = buffer.address
    ctypes.pythonapi.PyBuffer_Release(ctypes.byref(buffer))
    return address or 0


def _of_buffer(array):
    memory = memoryview(array)
    letter = memory.format.lstrip('@=<')
    kind = next((k for k, letters in LETTERS.items() if letter in letters), '-')
    return View(
        _address_of(memory),
        kind,
        8 * memory.itemsize,
        CPU,
        0,
        memory.contiguous,
        memory.readonly,
        memory,
    )


def view_of(array):
    """The array's View; None where the object is none."""
    if hasattr(array, '__dlpack__'):
        try:
            return _of_dlpack(array)
        except BufferError:  # NumPy: DLPack has no word for read-only
            pass
    try:
        return _of_buffer(array)
    except TypeError:
        return None
