/* A zoom into the Mandelbrot set, computed by several processes. Each process computes one band of
 * every frame and sends it straight to the displays; the wall shows one picture in one window.
 *
 *   mpirun -n 4 mandelbrot_mpi [FRAMES [WIDTH HEIGHT]]      (300 frames of 3840x2160)
 *
 * Frames are scaled from a "key" picture. Meanwhile the next key picture, magnified twice as much,
 * is computed: some rows per frame. */
#include <math.h>
#include <mpi.h>
#include <sail/sail.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FRAMES_PER_DOUBLING = 240, MOST_STEPS = 200, MOST_DOUBLINGS = 36 };

typedef struct key {
  int doublings; /* log2 of the magnification */
  int first_row; /* first picture row that this rank's band is scaled from */
  int rows, done;
  uint32_t* pixels; /* B, G, R, A */
} key;

static int width = 3840, height = 2160;

static uint32_t colour(int steps) {
  if (steps == MOST_STEPS) return 0xff000000u;
  const uint32_t red = (uint32_t)(128 + 127 * sin(steps * 0.11));
  const uint32_t green = (uint32_t)(128 + 127 * sin(steps * 0.07 + 2));
  const uint32_t blue = (uint32_t)(128 + 127 * sin(steps * 0.05 + 4));
  return 0xff000000u | red << 16 | green << 8 | blue;
}

static int steps_at(double x, double y) {
  double re = 0, im = 0;
  int steps = 0;
  for (; steps < MOST_STEPS && re * re + im * im < 4; ++steps) {
    const double next = re * re - im * im + x;
    im = 2 * re * im + y;
    re = next;
  }
  return steps;
}

/* Computes the next `rows` rows of the key picture. */
static void compute(key* of, int rows, const uint32_t* colours) {
  const double step = 3.0 / height / ldexp(1, of->doublings);
  for (; rows > 0 && of->done < of->rows; --rows, ++of->done) {
    const double y = 0.131825904205330 + (of->first_row + of->done - height / 2.0) * step;
    uint32_t* row = of->pixels + (size_t)of->done * (size_t)width;
    for (int x = 0; x < width; ++x) {
      row[x] = colours[steps_at(-0.743643887037151 + (x - width / 2.0) * step, y)];
    }
  }
}

/* Scales the band from the key picture, enlarged about its centre by 1 to 2. */
static void scale(const key* from, double by, sail_rect band, uint32_t* pixels) {
  int before = -1;
  for (int y = 0; y < band.height; ++y) {
    uint32_t* row = pixels + (size_t)y * (size_t)width;
    const int source_y = (int)(height / 2.0 + (band.y + y + 0.5 - height / 2.0) / by);
    if (source_y == before) {
      memcpy(row, row - width, (size_t)width * 4);
      continue;
    }
    before = source_y;
    const uint32_t* source = from->pixels + (size_t)(source_y - from->first_row) * (size_t)width;
    const double step = 1 / by;
    double source_x = width / 2.0 + (0.5 - width / 2.0) * step;
    for (int x = 0; x < width; ++x, source_x += step) row[x] = source[(int)source_x];
  }
}

static key new_key(sail_rect band) {
  const int above = (int)fmin(band.y, height / 2.0 + (band.y - height / 2.0) / 2) - 1;
  const int end = band.y + band.height;
  const int below = (int)fmax(end, height / 2.0 + (end - height / 2.0) / 2) + 2;
  key made = {.first_row = above < 0 ? 0 : above};
  made.rows = (below > height ? height : below) - made.first_row;
  made.pixels = malloc((size_t)made.rows * (size_t)width * 4);
  return made;
}

static void use_next(key* now, key* next) {
  const key former = *now;
  *now = *next;
  *next = former;
  next->doublings = now->doublings == MOST_DOUBLINGS ? 0 : now->doublings + 1;
  next->done = 0;
}

static int fail(int rank, const char* what) {
  fprintf(stderr, "mandelbrot_mpi: rank %d: %s\n", rank, what);
  MPI_Abort(MPI_COMM_WORLD, 1);
  return 1;
}

/* Returns 0 if the window was closed. */
static int goes_on(sail_session* session) {
  sail_event event;
  while (sail_poll_event(session, &event, 0) == SAIL_OK) {
    if (event.type == SAIL_EVENT_CLOSE) return 0;
  }
  return 1;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const long frames = argc > 1 ? atol(argv[1]) : 300;
  if (argc > 3) width = atoi(argv[2]), height = atoi(argv[3]);
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);

  /* The start time makes the name unique if this program runs twice on one wall. */
  char name[64];
  snprintf(name, sizeof name, "mandelbrot %.6f", MPI_Wtime());
  MPI_Bcast(name, sizeof name, MPI_CHAR, 0, MPI_COMM_WORLD);

  sail_part part = {.name = name, .rank = rank, .ranks = ranks};
  if (sail_band(width, height, rank, ranks, &part.region) != SAIL_OK) {
    return fail(rank, "more ranks than bands: start fewer ranks");
  }
  uint32_t colours[MOST_STEPS + 1];
  for (int i = 0; i <= MOST_STEPS; ++i) colours[i] = colour(i);
  uint32_t* pixels = malloc((size_t)part.region.height * (size_t)width * 4);
  key now = new_key(part.region), next = new_key(part.region);
  if (pixels == NULL || now.pixels == NULL || next.pixels == NULL) return fail(rank, "no memory");
  next.doublings = 1;
  compute(&now, now.rows, colours);

  sail_error error;
  /* The manager's address comes from $VITRAIL_MANAGER. The ranks already use all cores, so no
   * encoder threads. */
  const sail_session_options options = {.name = "mandelbrot", .encode_threads = -1};
  sail_session* session = sail_session_open(&options, &error);
  if (session == NULL) return fail(rank, error.text);
  const sail_stream_options stream_options = {
      .title = "Mandelbrot", .width = width, .height = height, .codec = "dxt1:fast"};
  sail_stream* stream = sail_stream_join(session, &stream_options, &part, &error);
  if (stream == NULL) return fail(rank, error.text);

  const sail_frame frame = {
      .format = SAIL_BGRA, .planes = {(uint8_t*)pixels}, .strides = {(ptrdiff_t)width * 4}};
  const double begun_s = MPI_Wtime();
  long shown = 0;
  while (shown < frames && goes_on(session)) {
    const int of_key = (int)(shown % FRAMES_PER_DOUBLING);
    if (of_key == 0 && shown > 0) {
      compute(&next, next.rows, colours); /* the remaining rows */
      use_next(&now, &next);
    }
    compute(&next, next.rows / FRAMES_PER_DOUBLING + 1, colours);
    scale(&now, pow(2, (double)of_key / FRAMES_PER_DOUBLING), part.region, pixels);
    if (sail_submit(stream, &frame, NULL) < 0) break; /* waits for slower ranks */
    ++shown;
  }
  const double seconds = MPI_Wtime() - begun_s;
  if (rank == 0)
    printf("%ld frames in %.2f s: %.1f a second\n", shown, seconds, (double)shown / seconds);
  MPI_Barrier(MPI_COMM_WORLD);
  sail_session_close(session); /* closes the stream too, and with it the window */
  free(next.pixels);
  free(now.pixels);
  free(pixels);
  MPI_Finalize();
  return 0;
}
