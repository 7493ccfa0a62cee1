"""Sorting inside compiled code: whole numbers, in place."""

from __future__ import annotations

import cython
from cython import longlong as whole

SMALL = cython.declare(whole, 16)


@cython.cfunc
def sort(numbers: whole[::1], low: whole, high: whole) -> cython.void:
    """Bring `numbers[low:high]` into ascending order (quicksort, the median of three)."""
    while high - low > SMALL:
        middle = _median(numbers[low], numbers[(low + high) >> 1], numbers[high - 1])
        left: whole = low
        right: whole = high - 1
        while left <= right:
            while numbers[left] < middle:
                left += 1
            while numbers[right] > middle:
                right -= 1
            if left <= right:
                numbers[left], numbers[right] = numbers[right], numbers[left]
                left += 1
                right -= 1
        # The shorter part first: the stack stays flat whatever the numbers are.
        if right - low < high - left:
            sort(numbers, low, right + 1)
            low = left
        else:
            sort(numbers, left, high)
            high = right + 1
    _insert(numbers, low, high)


@cython.cfunc
def _median(a: whole, b: whole, c: whole) -> whole:
    return max(min(a, b), min(max(a, b), c))


@cython.cfunc
def _insert(numbers: whole[::1], low: whole, high: whole) -> cython.void:
    for place in range(low + 1, high):
        number = numbers[place]
        at: whole = place
        while at > low and numbers[at - 1] > number:
            numbers[at] = numbers[at - 1]
            at -= 1
        numbers[at] = number
