#!/usr/bin/env python3
"""Maximises each window of the wall in turn, for some seconds each: tour.py [SECONDS [ROUNDS]]"""

import asyncio
import itertools
import sys

import vitrail


async def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 5.0
    rounds = range(int(sys.argv[2])) if len(sys.argv) > 2 else itertools.count()
    async with vitrail.aio.Wall(name="tour") as wall:
        for _ in rounds:
            for window in (await wall.list())["windows"]:
                try:
                    await wall.maximise(window["window"])
                    await asyncio.sleep(seconds)
                    await wall.maximise(window["window"], on=False)
                except vitrail.Refused as error:  # closed or locked meanwhile
                    print(f"{window['title']}: {error}")


if __name__ == "__main__":
    asyncio.run(main())
