/* The board, the stack, piles: what hangs on the sizes of a game. */

/* by hex, that of none first */
static int32_t NEAR_START[SIZE + 2];
static int16_t ROWS[SIZE + 1], COLUMNS[SIZE + 1], TOWARDS[SIZE + 1][7];
static int16_t *NEAR;
static uint16_t *DISTANCES;
static HexSet NEAR_SETS[SIZE + 1];

#define NEIGHBORS(h) NEAR_SETS[(h) + 1]
#define NEIGHBOR_COUNT(h) (NEAR_START[(h) + 2] - NEAR_START[(h) + 1])
#define NEIGHBOR(h, n) NEAR[NEAR_START[(h) + 1] + (n)]
#define DISTANCE(a, b) ((num)DISTANCES[((a) + 1) * (SIZE + 1) + (b) + 1])
#define ROW(h) ((num)ROWS[(h) + 1])
#define COLUMN(h) ((num)COLUMNS[(h) + 1])
#define TOWARD(h, d) ((num)TOWARDS[(h) + 1][(d) + 1])

static inline num direction(num a, num b) {
  if (b >= 0) for (int d = 0; d < 6; d++) if (TOWARDS[a + 1][d + 1] == b) return d;
  return -1;
}

static HexSet linked(HexSet start, HexSet within) {
  HexSet reached = HexSet(none)(), fresh = start;
  while (HexSet(any)(fresh)) {
    HexSet beside = HexSet(none)();
    for (num h = HexSet(next)(&fresh, -1); h >= 0; h = HexSet(next)(&fresh, h)) beside = HexSet(or)(beside, NEIGHBORS(h));
    fresh = HexSet(less)(HexSet(and)(beside, within), reached);
    reached = HexSet(or)(reached, fresh);
  }
  return HexSet(or)(reached, HexSet(and)(start, within));
}

/* ------------------------------------------------------------------ travels */

/* What a travel has found of a hex: what it costs to end there, and from which stage; the same of what goes on from
   there, where nothing is carried, and whether that is done (1).  -1: nothing. */
typedef struct { int32_t cost, end_from, going, go_from, done, hex; } Cell;
/* On larger boards only hexes that are come upon have a cell. */
#define DENSE (SIZE <= 640)

typedef struct {
  HexSet ends;
  Cell *cells;
  num begin, stride, count, size, *stages, *going, *go_from;
  uint32_t filled, cell_room;
  char *done;
  int32_t *table;
} Trip;

static Cell *blank_cells(Context *c, uint32_t n) {
  Cell *cells = room(c, n * sizeof(Cell));
  memset(cells, 0xff, n * sizeof(Cell));
  return cells;
}

static Trip *trip_begun(Context *c) {
  Trip *trip = room(c, sizeof *trip);
  trip->ends = HexSet(none)();
  trip->filled = 0, trip->cell_room = DENSE ? SIZE : 32;
  trip->cells = blank_cells(c, trip->cell_room);
  trip->begin = -1, trip->stride = 0, trip->count = trip->size = 0, trip->table = 0, trip->stages = 0;
  return trip;
}

static inline uint32_t cell_place(const Trip *trip, num h) {
  uint32_t at = (uint32_t)h * 0x9E3779B1u >> 7 & (trip->cell_room - 1);
  while (trip->cells[at].hex >= 0 && trip->cells[at].hex != h) at = (at + 1) & (trip->cell_room - 1);
  return at;
}

/* the cell of a hex that is come upon; another hex may move it */
static inline Cell *cell(Context *c, Trip *trip, num h) {
  if (DENSE) return &trip->cells[h];
  Cell *found = &trip->cells[cell_place(trip, h)];
  if (found->hex >= 0) return found;
  if (RARELY(4 * ++trip->filled > 3 * trip->cell_room)) {
    Cell *old = trip->cells;
    uint32_t n = trip->cell_room;
    trip->cells = blank_cells(c, trip->cell_room = 4 * n);
    for (uint32_t i = 0; i < n; i++) if (old[i].hex >= 0) trip->cells[cell_place(trip, old[i].hex)] = old[i];
    found = &trip->cells[cell_place(trip, h)];
  }
  found->hex = (int32_t)h;
  return found;
}

static void trip_ends(Context *c, Trip *trip, num there, num cost, num from) {
  trip->ends = HexSet(with)(trip->ends, there);
  Cell *end = cell(c, trip, there);
  end->cost = (int32_t)cost, end->end_from = (int32_t)from;
}

static inline num trip_cost(const Trip *trip, num target) {
  return target < 0 ? -1 : trip->cells[DENSE ? (uint32_t)target : cell_place(trip, target)].cost;
}

static size_t stage_place(const Trip *trip, const num *stage) {
  uint64_t key = 0;
  for (int i = 0; i < trip->stride; i++) key = (key + (uint64_t)stage[i]) * 0x9E3779B97F4A7C15ull, key ^= key >> 29;
  size_t at = key & (2 * trip->size - 1);
  for (; trip->table[at] >= 0; at = (at + 1) & (2 * trip->size - 1))
    if (!memcmp(trip->stages + trip->table[at] * trip->stride, stage, trip->stride * sizeof(num))) break;
  return at;
}

static num stage_known(const Trip *trip, const num *stage) { return trip->table[stage_place(trip, stage)]; }

static num stage_of(Context *c, Trip *trip, const num *stage) {
  if (trip->count == trip->size) {
    num size = trip->size ? 2 * trip->size : 64;
    num *stages = room(c, size * (trip->stride + 2) * sizeof(num));
    num *going = stages + size * trip->stride, *go_from = going + size;
    char *done = room(c, size);
    if (trip->count) {
      memcpy(stages, trip->stages, trip->count * trip->stride * sizeof(num));
      memcpy(going, trip->going, trip->count * sizeof(num));
      memcpy(go_from, trip->go_from, trip->count * sizeof(num));
      memcpy(done, trip->done, trip->count);
    }
    trip->stages = stages, trip->going = going, trip->go_from = go_from, trip->done = done, trip->size = size;
    trip->table = room(c, 2 * size * sizeof(int32_t));
    for (num i = 0; i < 2 * size; i++) trip->table[i] = -1;
    for (num i = 0; i < trip->count; i++) trip->table[stage_place(trip, stages + i * trip->stride)] = (int32_t)i;
  }
  num n = trip->count++;
  memcpy(trip->stages + n * trip->stride, stage, trip->stride * sizeof(num));
  trip->going[n] = -1, trip->done[n] = 0;
  trip->table[stage_place(trip, stage)] = -1;
  size_t at = stage_place(trip, stage);
  trip->table[at] = (int32_t)n;
  return n;
}

/* whether a stage comes before another in order */
static inline int stage_before(const Trip *trip, num a, num b) {
  if (!trip->stages) return a < b;
  for (int i = 0; i < trip->stride; i++) {
    num x = trip->stages[a * trip->stride + i], y = trip->stages[b * trip->stride + i];
    if (x != y) return x < y;
  }
  return 0;
}

static roll trip_way(Context *c, Trip *trip, num target) {
  if (trip_cost(trip, target) < 0) return (roll){0, 0};
  int n = 0, size = 64;
  num *back = room(c, size * sizeof(num));
  back[n++] = target;
  for (num at = cell(c, trip, target)->end_from;; at = trip->stages ? trip->go_from[at] : cell(c, trip, at)->go_from) {
    num hex = trip->stages ? trip->stages[at * trip->stride] : at;
    if (hex != back[n - 1]) {
      if (n == size) {
        num *more = room(c, 2 * size * sizeof(num));
        memcpy(more, back, n * sizeof(num));
        back = more, size *= 2;
      }
      back[n++] = hex;
    }
    if (at == trip->begin) break;
  }
  n--;
  for (int i = 0; i < n / 2; i++) {
    num one = back[i];
    back[i] = back[n - 1 - i], back[n - 1 - i] = one;
  }
  return (roll){n, back};
}

/* ------------------------------------------------------------------ the stack */

#define WORDS(x) ((sizeof(x) + 7) / 8)

static num *pushed(State *s, Context *c, num words) {
  if (RARELY(s->top + words > STACK)) fail(c, "too much is under way at a time");
  num *at = s->stack + s->top;
  s->top += words;
  return at;
}

static num *enter(State *s, Context *c, num block, num words) {
  num below = s->frame;
  s->frame = s->top;
  num *n = pushed(s, c, words);
  memset(n, 0, words * sizeof(num));
  n[0] = below, n[1] = block;
  s->depth++;
  return n;
}

static void leave(State *s) {
  s->top = s->frame;
  s->frame = s->stack[s->frame];
  s->depth--;
}

/* a roll in a frame: where it lies on the stack, its length, its room */
static roll kept_roll(State *s, const num *at) { return (roll){(int)at[1], s->stack + at[0]}; }

static roll keep_roll(State *s, Context *c, num *at, roll given) {
  if (at[2] < given.n) {
    num *more = pushed(s, c, given.n);
    at[0] = more - s->stack, at[2] = given.n;
  }
  if (given.n) memmove(s->stack + at[0], given.at, given.n * sizeof(num));
  at[1] = given.n;
  return kept_roll(s, at);
}

/* The end of a procedure that returns a roll: that lies behind what is under way until it is taken. */
static void leave_roll(State *s, Context *c, roll given) {
  leave(s);
  if (RARELY(s->top + given.n > STACK)) fail(c, "too much is under way at a time");
  if (given.n) memmove(s->stack + s->top, given.at, given.n * sizeof(num));
  s->result[0] = given.n;
}

static roll left_roll(State *s, Context *c) { return roll_copy(c, (roll){(int)s->result[0], s->stack + s->top}); }

static num *shelve(State *s, Context *c, num words) {
  num at = s->top, *given = pushed(s, c, words + 2);
  given[0] = s->shelf, given[1] = words;
  s->shelf = at;
  return given + 2;
}

static num *unshelve(State *s, Context *c, num words) {
  (void)c;
  num at = s->shelf;
  s->shelf = s->stack[at];
  if (at + 2 + words == s->top) s->top = at;
  return s->stack + at + 2;
}

/* options lie behind what is under way, and behind them what the question is about */
static inline num *offered(State *s) { return s->stack + s->top; }

static inline void offer(State *s, Context *c, num option) {
  if (RARELY(s->top + s->options >= STACK)) fail(c, "too many options");
  s->stack[s->top + s->options++] = option;
}

static void tell(State *s, Context *c, const uint64_t *words, num count) {
  if (RARELY(s->top + s->options + s->abouts + count > STACK)) fail(c, "a question is about too much");
  memcpy(s->stack + s->top + s->options + s->abouts, words, count * sizeof(num));
  s->abouts += count;
}

static inline void tell_roll(State *s, Context *c, roll r) {
  num n = r.n;
  tell(s, c, (uint64_t *)&n, 1);
  if (n) tell(s, c, (const uint64_t *)r.at, n);
}

/* ------------------------------------------------------------------ chance and cards */

typedef struct { int n, size; num *at; } Grown;

static inline void grow(Context *c, Grown *g, num member) {
  if (g->n == g->size) {
    int size = g->size ? 2 * g->size : 32;
    num *more = room(c, size * sizeof(num));
    if (g->n) memcpy(more, g->at, g->n * sizeof(num));
    g->at = more, g->size = size;
  }
  g->at[g->n++] = member;
}

/* Whether what chance gives was decided before: *values* are that then. */
static inline int decided(State *s, Context *c, num count, num *values) {
  if (!RARELY(c->chance != 0)) return 0;
  if (!c->chance(s, count, values)) fail(c, "chance is not what it was before");
  return 1;
}

static roll rolled(State *s, Context *c, int stream, num count, const num *faces, int sides) {
  if (count <= 0) return (roll){0, 0};
  if (count > MOST) fail(c, "a roll of too many dice");
  num *dice = room(c, count * sizeof(num));
  if (decided(s, c, count, dice)) return (roll){(int)count, dice};
  for (num done = 0; done < count; done += 16) {
    uint64_t x = word(s->seed, stream, s->counters[stream]++);
    for (num i = done; i < count && i < done + 16; i++) dice[i] = faces[x % sides], x /= sides;
  }
  return (roll){(int)count, dice};
}

static num drawn(State *s, Context *c, int n, const num *members) {
  num member;
  if (n && decided(s, c, 1, &member)) return member;
  if (n < 2) return n ? members[0] : -1;
  return members[word(s->seed, STREAMS - 1, s->counters[STREAMS - 1]++) % n];
}

static void mingle(State *s, Context *c, int stream, num *cards, int n) {
  if (decided(s, c, n, cards)) return;
  for (int i = n - 1; i > 0; i--) {
    int j = (int)(word(s->seed, stream, s->counters[stream]++) % (i + 1));
    num card = cards[i];
    cards[i] = cards[j], cards[j] = card;
  }
}

static void shuffle(State *s, Context *c, int stream, int16_t *cards, int n) {
  num *all = room(c, (size_t)(n + 1) * sizeof *all);
  for (int i = 0; i < n; i++) all[i] = cards[i];
  mingle(s, c, stream, all, n);
  for (int i = 0; i < n; i++) cards[i] = (int16_t)all[i];
}

static void lay(Context *c, int16_t *n, int16_t *cards, int most, num card) {
  if (*n == most) fail(c, "more cards on a pile than there are");
  cards[(*n)++] = (int16_t)card;
}

static void insert(Context *c, int16_t *n, int16_t *cards, int most, num card) {
  if (*n == most) fail(c, "more cards in a hand than there are");
  int i = (*n)++;
  for (; i > 0 && cards[i - 1] > card; i--) cards[i] = cards[i - 1];
  cards[i] = (int16_t)card;
}

static void pour(Context *c, int16_t *n, int16_t *cards, int16_t *to_n, int16_t *to, int most) {
  if (*to_n + *n > most) fail(c, "more cards on a pile than there are");
  memcpy(to + *to_n, cards, *n * sizeof *cards);
  *to_n += *n, *n = 0;
}

static int taken(int16_t *n, int16_t *cards, num card) {
  for (int i = 0; i < *n; i++)
    if (cards[i] == card) {
      memmove(cards + i, cards + i + 1, (*n - i - 1) * sizeof *cards);
      --*n;
      return 1;
    }
  return 0;
}
