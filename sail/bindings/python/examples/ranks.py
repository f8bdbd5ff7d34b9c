#!/usr/bin/env python3
"""One window of several programs. Each supplies a band of every frame and sends it directly to the displays.

    mpirun -n 4 python3 ranks.py [FRAMES]

Open MPI, MPICH and Slurm set the rank in the environment; mpi4py is not needed. Without them, set RANK=0 RANKS=2.
"""

import os
import sys

import numpy
import vitrail

WIDTH, HEIGHT = 1920, 1080
NAMES = [("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"), ("PMI_RANK", "PMI_SIZE"), ("SLURM_PROCID", "SLURM_NTASKS"),
         ("RANK", "RANKS")]


def rank_of_this_program() -> tuple[int, int]:
    for rank, ranks in NAMES:
        if rank in os.environ:
            return int(os.environ[rank]), int(os.environ[ranks])
    return 0, 1


def main() -> None:
    frames = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    rank, ranks = rank_of_this_program()
    with vitrail.Session("ranks", encode_threads=-1) as session:
        part = session.part("rings", rank, ranks, WIDTH, HEIGHT)
        x, y, width, height = part.region
        across = numpy.arange(x, x + width, dtype=numpy.float32) - WIDTH / 2
        down = numpy.arange(y, y + height, dtype=numpy.float32)[:, None] - HEIGHT / 2
        distance = numpy.hypot(across, down)
        with session.stream("Rings", WIDTH, HEIGHT, codec="dxt1:fast", part=part) as window:
            for frame in range(frames):
                if not window.wanted:
                    return
                window.show((128 + 127 * numpy.sin(distance / 20 - frame / 5)).astype(numpy.uint8))


if __name__ == "__main__":
    main()
