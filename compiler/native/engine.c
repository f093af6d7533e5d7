/* What the rules of any game ask of the machine: sets, chance, piles, geometry, memory. */

typedef int64_t num;

#if defined(__GNUC__)
#define LOWEST(x) __builtin_ctzll(x)
#define COUNTED(x) __builtin_popcountll(x)
#define RARELY(x) __builtin_expect(!!(x), 0)
#else
static inline int LOWEST(uint64_t x) { int n = 0; while (!(x & 255)) { x >>= 8; n += 8; } while (!(x & 1)) { x >>= 1; n++; } return n; }
static inline int COUNTED(uint64_t x) { int n = 0; for (; x; x &= x - 1) n++; return n; }
#define RARELY(x) (x)
#endif

/* ------------------------------------------------------------------ faults, and the end of a game */

enum { GOES_ON, OVER, RAN_OUT, FAULT };
enum { RUNNING, WON, TIED, LOST, RETURNED };

typedef struct { int n; const num *at; } roll;
typedef struct Chunk { struct Chunk *before; size_t size, used; } Chunk;
typedef struct { uint64_t key; const num *values; } Found;

typedef struct {
  jmp_buf out;
  int how;
  uint64_t sides[(SIDES + 63) / 64];
  char fault[240];
  /* how many procedures that ask nobody are under way, and where the machine's stack stood before them */
  int depth;
  uintptr_t bottom;
  uint64_t version;
  Chunk *chunk;
  size_t held; /* of what room() gives */
  Found *found;
  size_t found_size, found_count;
  /* finds geometry in Python, once for each pair: the number of values */
  int (*find)(int what, int a, int b, num *values, int most);
  /* gives what chance gives, where that was decided before: whether it has */
  int (*chance)(void *s, num count, num *values);
  /* the options that bots have taken */
  num *taken;
  size_t taken_count, taken_size;
  void *memory;
  /* the numbers by which positions are valued: those of whoever thinks */
  const num *weights;
  /* what never changes during a game */
  const void *given;
} Context;

static void fail(Context *c, const char *text) {
  snprintf(c->fault, sizeof c->fault, "%s", text);
  longjmp(c->out, FAULT);
}

static void finish(Context *c, int how, const uint64_t *sides) {
  c->how = how;
  if (sides) memcpy(c->sides, sides, sizeof c->sides);
  longjmp(c->out, OVER);
}

/* Memory of one run, given back at its end; between two blocks where it is much.  More than most is not asked of the
   system. */
#define MUCH_HELD ((size_t)1 << 20)
#define MOST_HELD ((size_t)1 << 28)

static void *room(Context *c, size_t bytes) {
  bytes = (bytes + 15) & ~(size_t)15;
  if (RARELY(!c->chunk || c->chunk->used + bytes > c->chunk->size)) {
    size_t size = bytes > 262144 ? bytes : 262144;
    Chunk *chunk = c->held + size < MOST_HELD ? malloc(sizeof(Chunk) + 16 + size) : 0;
    if (!chunk) fail(c, "there is no memory left");
    c->held += size;
    chunk->before = c->chunk, chunk->size = size, chunk->used = 0;
    c->chunk = chunk;
  }
  void *given = (char *)(c->chunk + 1) + c->chunk->used;
  c->chunk->used += bytes;
  return given;
}

static void clear_room(Context *c) {
  while (c->chunk && c->chunk->before) {
    Chunk *before = c->chunk->before;
    c->held -= c->chunk->size;
    free(c->chunk);
    c->chunk = before;
  }
  if (c->chunk) c->chunk->used = 0;
}

/* ------------------------------------------------------------------ procedures that call each other */

/* Fewer than Python manages, and no more of the machine's stack than any thread has. */
#define DEEPEST_CALLS 400
#define STACK_BYTES ((uintptr_t)1 << 18)

static inline void deeper(Context *c) {
  char here;
  uintptr_t at = (uintptr_t)&here;
  if (RARELY(++c->depth > DEEPEST_CALLS || (at < c->bottom ? c->bottom - at : at - c->bottom) > STACK_BYTES))
    fail(c, "procedures call each other endlessly");
}

/* ------------------------------------------------------------------ numbers */

#define LARGEST 1000000000000000LL
#define MOST 4096
#define ENDLESS 200000

/* Every number is less than this: so what two of them are added to, taken from or counted between is a number of C. */
#define GREATEST ((num)1 << 62)

static inline num within(Context *c, num n) {
  if (RARELY(n >= GREATEST || n <= -GREATEST)) fail(c, "a number is too large");
  return n;
}

static inline num plus(Context *c, num a, num b) { return within(c, a + b); }
static inline num minus(Context *c, num a, num b) { return within(c, a - b); }

static inline num product(Context *c, num a, num b) {
  num x = a < 0 ? -a : a, y = b < 0 ? -b : b;
  if (RARELY(x > 2000000000 || y > 2000000000) && y && x > LARGEST / y) fail(c, "a product is larger than 10^15");
  num p = a * b;
  if (RARELY(p > LARGEST || p < -LARGEST)) fail(c, "a product is larger than 10^15");
  return p;
}

/* a product that cannot square numbers: it may be larger, as far as numbers go */
static inline num scaled(Context *c, num a, num b) {
  num x = a < 0 ? -a : a, y = b < 0 ? -b : b;
  if (RARELY(x > 2000000000 || y > 2000000000) && y && x > (GREATEST - 1) / y) fail(c, "a number is too large");
  return a * b;
}

static inline num quotient(num a, num b) {
  if (!b) return 0;
  num q = a / b;
  return q - (a % b && (a < 0) != (b < 0));
}

static inline num rest(num a, num b) {
  if (!b) return 0;
  num r = a % b;
  return r && (r < 0) != (b < 0) ? r + b : r;
}

static inline num lower(num a, num b) { return b < a ? b : a; }
static inline num higher(num a, num b) { return b > a ? b : a; }
static inline num following(num member, num count) { return member >= 0 ? (member + 1) % count : member; }
static inline num shifted(num member, num by, num last) { return member < 0 ? member : higher(0, lower(last, member + by)); }
static inline num turned(num direction, num by) { return direction >= 0 ? rest(direction + by, 6) : direction; }
static inline num bounded(num n, num low, num high) { return n < low ? low : n > high ? high : n; }

/* ------------------------------------------------------------------ sets */

#define SET(W) \
  typedef struct { uint64_t w[W]; } set##W; \
  static inline set##W set##W##_none(void) { set##W a; for (int i = 0; i < W; i++) a.w[i] = 0; return a; } \
  static inline set##W set##W##_or(set##W a, set##W b) { for (int i = 0; i < W; i++) a.w[i] |= b.w[i]; return a; } \
  static inline set##W set##W##_and(set##W a, set##W b) { for (int i = 0; i < W; i++) a.w[i] &= b.w[i]; return a; } \
  static inline set##W set##W##_less(set##W a, set##W b) { for (int i = 0; i < W; i++) a.w[i] &= ~b.w[i]; return a; } \
  static inline num set##W##_same(set##W a, set##W b) { for (int i = 0; i < W; i++) if (a.w[i] != b.w[i]) return 0; return 1; } \
  static inline num set##W##_any(set##W a) { for (int i = 0; i < W; i++) if (a.w[i]) return 1; return 0; } \
  static inline num set##W##_has(set##W a, num m) { return m >= 0 && m < 64 * W && (a.w[m >> 6] >> (m & 63) & 1); } \
  static inline set##W set##W##_with(set##W a, num m) { if (m >= 0 && m < 64 * W) a.w[m >> 6] |= 1ull << (m & 63); return a; } \
  static inline set##W set##W##_without(set##W a, num m) { if (m >= 0 && m < 64 * W) a.w[m >> 6] &= ~(1ull << (m & 63)); return a; } \
  static inline num set##W##_size(set##W a) { num n = 0; for (int i = 0; i < W; i++) n += COUNTED(a.w[i]); return n; } \
  static inline num set##W##_next(const set##W *a, num m) { \
    num n = m + 1; \
    if (n >= 64 * W) return -1; \
    uint64_t left = a->w[n >> 6] >> (n & 63); \
    if (left) return n + LOWEST(left); \
    for (num i = (n >> 6) + 1; i < W; i++) if (a->w[i]) return 64 * i + LOWEST(a->w[i]); \
    return -1; \
  } \
  static inline set##W set##W##_up_to(num n) { set##W a; for (int i = 0; i < W; i++) a.w[i] = n >= 64 * (i + 1) ? ~0ull : n > 64 * i ? (1ull << (n - 64 * i)) - 1 : 0; return a; }

/* the members of one set in another with other numbers: *by* more, as far as there is room */
static inline void moved(const uint64_t *from, int width, num by, uint64_t *to, int room) {
  for (int i = 0; i < room; i++) to[i] = 0;
  for (int i = 0; i < width; i++)
    for (uint64_t left = from[i]; left; left &= left - 1) {
      num m = 64 * i + LOWEST(left) + by;
      if (m >= 0 && m < 64 * room) to[m >> 6] |= 1ull << (m & 63);
    }
}

/* numbers in order, each once; how many */
static int in_order(num *at, int n) {
  for (int i = 1; i < n; i++) {
    num own = at[i];
    int j = i;
    for (; j > 0 && at[j - 1] > own; j--) at[j] = at[j - 1];
    at[j] = own;
  }
  int kept = 0;
  for (int i = 0; i < n; i++) if (!kept || at[i] != at[kept - 1]) at[kept++] = at[i];
  return kept;
}

/* ------------------------------------------------------------------ chance: as runtime/chance.py */

static inline uint64_t word(uint64_t seed, num stream, num counter) {
  uint64_t x = seed + (uint64_t)(stream + 1) * 0xD1342543DE82EF95ull + (uint64_t)(counter + 1) * 0x9E3779B97F4A7C15ull;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
  return x ^ (x >> 31);
}

/* ------------------------------------------------------------------ geometry */

static const num *found(Context *c, int what, num a, num b) {
  uint64_t key = ((uint64_t)what << 48 | (uint64_t)(a + 1) << 24 | (uint64_t)(b + 1)) + 1;
  if (2 * (c->found_count + 1) > c->found_size) {
    size_t size = c->found_size ? 2 * c->found_size : 1024;
    Found *more = calloc(size, sizeof(Found));
    if (!more) fail(c, "there is no memory left");
    for (size_t i = 0; i < c->found_size; i++)
      if (c->found[i].key) {
        size_t at = c->found[i].key * 0x9E3779B97F4A7C15ull >> 20 & (size - 1);
        while (more[at].key) at = (at + 1) & (size - 1);
        more[at] = c->found[i];
      }
    free(c->found);
    c->found = more, c->found_size = size;
  }
  size_t at = key * 0x9E3779B97F4A7C15ull >> 20 & (c->found_size - 1);
  for (; c->found[at].key; at = (at + 1) & (c->found_size - 1)) if (c->found[at].key == key) return c->found[at].values;
  static const int most = 65536;
  num *values = malloc(most * sizeof(num));
  if (!values) fail(c, "there is no memory left");
  int count = c->find(what, (int)a, (int)b, values, most);
  if (count < 0) { free(values); fail(c, "the board does not answer"); }
  num *less = realloc(values, (count > 0 ? count : 1) * sizeof(num));
  c->found[at].key = key, c->found[at].values = less ? less : values, c->found_count++;
  return c->found[at].values;
}

enum { AROUND, ENTRIES, CROSSED, BEARING, PASSAGES, WHOLES };

/* ------------------------------------------------------------------ nearest first */

typedef struct { num cost, at; } Waiting;
typedef struct { Waiting *heap; int n, size; } Queue;

static void wait(Context *c, Queue *q, num cost, num at) {
  if (q->n == q->size) {
    Waiting *more = room(c, (size_t)(2 * q->size + 64) * sizeof(Waiting));
    if (q->n) memcpy(more, q->heap, q->n * sizeof(Waiting));
    q->heap = more, q->size = 2 * q->size + 64;
  }
  int i = q->n++;
  for (; i > 0; i = (i - 1) / 2) {
    Waiting *above = &q->heap[(i - 1) / 2];
    if (above->cost < cost || (above->cost == cost && above->at <= at)) break;
    q->heap[i] = *above;
  }
  q->heap[i].cost = cost, q->heap[i].at = at;
}

static Waiting nearest(Queue *q) {
  Waiting first = q->heap[0], last = q->heap[--q->n];
  int i = 0;
  for (;;) {
    int j = 2 * i + 1;
    if (j >= q->n) break;
    Waiting *a = &q->heap[j], *b = &q->heap[j + 1];
    if (j + 1 < q->n && (b->cost < a->cost || (b->cost == a->cost && b->at < a->at))) j++, a = b;
    if (last.cost < a->cost || (last.cost == a->cost && last.at <= a->at)) break;
    q->heap[i] = *a;
    i = j;
  }
  q->heap[i] = last;
  return first;
}

/* ------------------------------------------------------------------ whoever is served */

/* Whether each of *n* can have one of its own candidates, none serving more than its room.  Candidates are numbered;
   *own* lists those of each, from *first* on. */
typedef struct { int n; const int *first, *own; const num *space; int *served, *holds, *before; char *tried; } Allotting;

static int serve(Allotting *a, int who) {
  for (int i = a->first[who]; i < a->first[who + 1]; i++) {
    int thing = a->own[i];
    if (a->tried[thing]) continue;
    a->tried[thing] = 1;
    if (a->served[thing] < a->space[thing]) {
      a->served[thing]++;
      a->holds[who] = thing;
      return 1;
    }
    for (int other = 0; other < a->n; other++)
      if (other != who && a->holds[other] == thing && serve(a, other)) {
        a->holds[who] = thing;
        return 1;
      }
  }
  return 0;
}

static int *more(Context *c, int *at, int count, int *most, int spare) {
  *most *= 2;
  int *given = room(c, (size_t)(*most + spare) * sizeof(int));
  memcpy(given, at, (size_t)count * sizeof(int));
  return given;
}

static num allotted(Context *c, int n, const int *first, const int *own, const num *space, int things) {
  Allotting a = {n, first, own, space, room(c, things * sizeof(int)), room(c, (n + 1) * sizeof(int)), 0, room(c, things)};
  memset(a.served, 0, things * sizeof(int));
  for (int who = 0; who < n; who++) a.holds[who] = -1;
  for (int who = 0; who < n; who++) {
    memset(a.tried, 0, things);
    if (!serve(&a, who)) return 0;
  }
  return 1;
}

/* ------------------------------------------------------------------ rolls and piles */

typedef struct { num n; const int16_t *at; } pile;

static inline num roll_count(roll r, num face) { num n = 0; for (int i = 0; i < r.n; i++) n += r.at[i] == face; return n; }
static inline num pile_count(pile p, num card) { num n = 0; for (num i = 0; i < p.n; i++) n += p.at[i] == card; return n; }
static inline num roll_same(roll a, roll b) { return a.n == b.n && (!a.n || !memcmp(a.at, b.at, a.n * sizeof(num))); }
static inline num pile_same(pile a, pile b) { return a.n == b.n && !memcmp(a.at, b.at, a.n * sizeof(int16_t)); }
static inline num face(roll r) { return r.n ? r.at[0] : -1; }
static inline num top(pile p) { return p.n ? p.at[p.n - 1] : -1; }

/* the cards of a pile, each once, in order */
static roll pile_members(Context *c, pile p) {
  num *at = room(c, (size_t)(p.n + 1) * sizeof(num));
  for (num i = 0; i < p.n; i++) at[i] = p.at[i];
  return (roll){in_order(at, (int)p.n), at};
}

/* the cards of a pile from the top down */
static roll pile_downwards(Context *c, pile p) {
  num *at = room(c, (size_t)(p.n + 1) * sizeof(num));
  for (num i = 0; i < p.n; i++) at[i] = p.at[p.n - 1 - i];
  return (roll){(int)p.n, at};
}

static roll roll_copy(Context *c, roll r) {
  num *at = room(c, (size_t)(r.n + 1) * sizeof(num));
  if (r.n) memcpy(at, r.at, (size_t)r.n * sizeof(num));
  return (roll){r.n, at};
}

static inline num countable(Context *c, num n) {
  if (RARELY(n < -1)) fail(c, "a set cannot hold negative numbers");
  if (RARELY(n >= MOST)) fail(c, "a set cannot hold numbers of 4096 and more");
  return n;
}

static inline num choosable(Context *c, num n) {
  if (RARELY(n < 0 || n > 65535)) fail(c, "only numbers from 0 to 65535 can be chosen from");
  return n;
}

/* ------------------------------------------------------------------ bots' chance: as Python's Random */

typedef struct { uint32_t word[624]; int at; } Random;

static void random_begin(Random *r, const uint32_t *key, int length) {
  uint32_t *w = r->word;
  w[0] = 19650218u;
  for (int i = 1; i < 624; i++) w[i] = 1812433253u * (w[i - 1] ^ (w[i - 1] >> 30)) + i;
  int i = 1, j = 0;
  for (int k = length > 624 ? length : 624; k; k--) {
    w[i] = (w[i] ^ ((w[i - 1] ^ (w[i - 1] >> 30)) * 1664525u)) + key[j] + j;
    if (++i > 623) w[0] = w[623], i = 1;
    if (++j >= length) j = 0;
  }
  for (int k = 623; k; k--) {
    w[i] = (w[i] ^ ((w[i - 1] ^ (w[i - 1] >> 30)) * 1566083941u)) - i;
    if (++i > 623) w[0] = w[623], i = 1;
  }
  w[0] = 0x80000000u;
  r->at = 624;
}

static uint32_t random_word(Random *r) {
  uint32_t *w = r->word;
  if (r->at >= 624) {
    for (int i = 0; i < 624; i++) {
      uint32_t y = (w[i] & 0x80000000u) | (w[(i + 1) % 624] & 0x7fffffffu);
      w[i] = w[(i + 397) % 624] ^ (y >> 1) ^ (y & 1 ? 0x9908b0dfu : 0);
    }
    r->at = 0;
  }
  uint32_t y = w[r->at++];
  y ^= y >> 11, y ^= (y << 7) & 0x9d2c5680u, y ^= (y << 15) & 0xefc60000u;
  return y ^ (y >> 18);
}

static inline double random_part(Random *r) {
  uint32_t a = random_word(r) >> 5, b = random_word(r) >> 6;
  return (a * 67108864.0 + b) / 9007199254740992.0;
}
