#!/usr/bin/env python3
"""Checks the laws that scripts/bench papers finds, with made-up costs."""

import math
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from law import law_of  # noqa: E402

SIZES = (1, 4, 16, 64)


class Laws(unittest.TestCase):
    def test_a_line(self):
        law = law_of([(n, 8 + 0.5 * n) for n in SIZES])
        self.assertEqual(law.text(), "8 + 0.5 · n")
        self.assertAlmostEqual(law.off, 0)
        self.assertAlmostEqual(law.reaches(100), 184)

    def test_a_power(self):
        law = law_of([(n, 0.3 * n**2) for n in SIZES])
        self.assertEqual(law.text(), "0.3 · n^2.00")
        self.assertAlmostEqual(law.at(100), 3000)
        self.assertAlmostEqual(law.reaches(300), math.sqrt(1000))

    def test_noise_of_a_tenth(self):
        law = law_of([(n, 2 * n**1.5 * (1.1 if n % 8 else 0.9)) for n in SIZES])
        self.assertAlmostEqual(law.exponent, 1.5, delta=0.1)
        self.assertLess(law.off, 0.15)

    def test_what_does_not_grow_is_never_full(self):
        for costs in ((5, 5, 5, 5), (9, 7, 5, 3)):
            law = law_of(list(zip(SIZES, costs)))
            self.assertEqual(law.reaches(100), math.inf)
            self.assertLess(law.off, 0.35)


if __name__ == "__main__":
    unittest.main()
