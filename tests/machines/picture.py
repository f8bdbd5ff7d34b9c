"""The test's film, and whether a display shows it. The film's quarters have one colour each."""

import subprocess

SIZE = (640, 360)
SECONDS = 20
COLOURS = ((192, 32, 32), (32, 192, 32), (32, 32, 192), (192, 192, 32))  # by rows
TOLERANCE = 24  # per component: two lossy encoders


def make_film(path):
    """Makes the film; its pictures are alike, so that all moments compare."""
    width, height = (length // 2 for length in SIZE)
    inputs = []
    for red, green, blue in COLOURS:
        inputs += ["-f", "lavfi", "-i", f"color=c=0x{red:02x}{green:02x}{blue:02x}:s={width}x{height}:r=2:d={SECONDS}"]
    subprocess.run(["ffmpeg", "-y", "-loglevel", "error", *inputs, "-filter_complex", "[0][1]hstack[a];[2][3]hstack[b];[a][b]vstack",
                    "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", path], check=True)


def differences(film, tile, pixels):
    """How the pixels of a tile differ from the film, both being rectangles of the wall: nine points of each quarter are
    compared, if they are on the tile. "" if the tile shows the film."""
    wrong, compared = [], 0
    for number, wanted in enumerate(COLOURS):
        for step in range(9):
            x = film[0] + film[2] * (number % 2 * 8 + 2 + step % 3 * 2) // 16 - tile[0]
            y = film[1] + film[3] * (number // 2 * 8 + 2 + step // 3 * 2) // 16 - tile[1]
            if not (0 <= x < tile[2] and 0 <= y < tile[3]):
                continue
            compared += 1
            place = 3 * (y * tile[2] + x)
            seen = tuple(pixels[place:place + 3])
            if max(abs(one - other) for one, other in zip(seen, wanted)) > TOLERANCE:
                wrong.append(f"{x},{y} is {seen}, not {wanted}")
    return "; ".join(wrong[:3]) if compared else "the film is not on this tile"


def colours(pixels):
    """The number of different colours of a picture: 1 if it is blank."""
    return len({pixels[place:place + 3] for place in range(0, len(pixels), 3)})
