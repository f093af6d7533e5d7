/* What could be where a side does not see all: as runtime/view.py and runtime/hidden.py have it, with the same choice for
   the same chance. */

static uint64_t random_bits(Random *r, int bits) {
  if (bits <= 32) return random_word(r) >> (32 - bits);
  uint64_t low = random_word(r);
  return low | (uint64_t)(random_word(r) >> (64 - bits)) << 32;
}

static int random_below(Random *r, int n) {
  int bits = 0;
  for (int left = n; left; left >>= 1) bits++;
  uint64_t drawn = random_bits(r, bits);
  while (drawn >= (uint64_t)n) drawn = random_bits(r, bits);
  return (int)drawn;
}

/* ------------------------------------------------------------------ cards */

typedef struct { int16_t *cards; int unseen, hand; } Covered;
typedef struct { double key; num card; int at; } Dealt;

static int by_number(const void *a, const void *b) {
  num x = *(const num *)a, y = *(const num *)b;
  return (x > y) - (x < y);
}

static int by_key(const void *a, const void *b) {
  const Dealt *x = a, *y = b;
  if (x->key != y->key) return x->key < y->key ? -1 : 1;
  return x->at - y->at;
}

/* the unseen cards of piles are dealt anew */
static void deal(Context *c, Random *chance, Covered *piles, int count) {
  int n = 0;
  for (int i = 0; i < count; i++) n += piles[i].unseen;
  Dealt *cards = room(c, (size_t)(n + 1) * sizeof *cards);
  num *pool = room(c, (size_t)(n + 1) * sizeof *pool);
  int at = 0;
  for (int i = 0; i < count; i++)
    for (int j = 0; j < piles[i].unseen; j++) pool[at++] = piles[i].cards[j];
  qsort(pool, n, sizeof *pool, by_number);
  for (int i = 0; i < n; i++) cards[i] = (Dealt){random_part(chance), pool[i], i};
  qsort(cards, n, sizeof *cards, by_key);
  at = 0;
  for (int i = 0; i < count; i++) {
    for (int j = 0; j < piles[i].unseen; j++) pool[j] = cards[at++].card;
    if (piles[i].hand) qsort(pool, piles[i].unseen, sizeof *pool, by_number);
    for (int j = 0; j < piles[i].unseen; j++) piles[i].cards[j] = (int16_t)pool[j];
  }
}

/* ------------------------------------------------------------------ fields */

/* Numbers and sets as words that are in the order of Python's whole numbers; those of one owner stand in a row. */
typedef struct { const uint64_t *at; int n; } Row;

static uint64_t *row_number(uint64_t *at, num value) {
  *at = (uint64_t)value ^ 1ull << 63;
  return at + 1;
}

static num number_in(const uint64_t **at) { return (num)(*(*at)++ ^ 1ull << 63); }

static uint64_t *row_set(uint64_t *at, const uint64_t *words, int width) {
  while (width--) *at++ = words[width];
  return at;
}

static void set_in(const uint64_t **at, uint64_t *words, int width) {
  while (width--) words[width] = *(*at)++;
}

static int by_row(const void *a, const void *b) {
  const Row *x = a, *y = b;
  for (int i = 0; i < x->n; i++) if (x->at[i] != y->at[i]) return x->at[i] < y->at[i] ? -1 : 1;
  return 0;
}

/* How the owners of one kind exchange what is hidden of them: *shared* tells what they must share with those that they
   could be (nothing where none of their values is exchanged), *values* tells these, *put* puts others in their places. */
typedef struct {
  int most;
  uint64_t *(*shared)(const State *, Context *, num side, num i, uint64_t *to);
  uint64_t *(*values)(const State *, Context *, num side, num i, uint64_t *to);
  void (*put)(State *world, const State *, Context *, num side, num i, const uint64_t *from);
} Exchange;

static void exchanged(State *world, const State *s, Context *c, num side, Random *chance, const Exchange *e, int count) {
  Row *shared = room(c, (size_t)(count + 1) * sizeof *shared), *values = room(c, (size_t)(count + 1) * sizeof *values);
  int *first = room(c, (size_t)(count + 1) * sizeof *first), *members = room(c, (size_t)(count + 1) * sizeof *members);
  for (int i = 0; i < count; i++) {
    uint64_t *own = room(c, (size_t)(e->most + 1) * sizeof *own);
    shared[i] = (Row){own, (int)(e->shared(s, c, side, i, own) - own)};
    first[i] = shared[i].n ? i : -1;
    for (int j = 0; j < i && first[i] == i; j++)
      if (first[j] == j && shared[j].n == shared[i].n && !by_row(&shared[j], &shared[i])) first[i] = j;
  }
  for (int i = 0; i < count; i++) {
    if (first[i] != i) continue;
    int n = 0;
    for (int j = i; j < count; j++) {
      if (first[j] != i) continue;
      uint64_t *own = room(c, (size_t)(e->most + 1) * sizeof *own);
      values[n] = (Row){own, (int)(e->values(s, c, side, j, own) - own)};
      members[n++] = j;
    }
    qsort(values, n, sizeof *values, by_row);
    for (int j = n - 1; j > 0; j--) {
      int other = random_below(chance, j + 1);
      Row one = values[j];
      values[j] = values[other], values[other] = one;
    }
    for (int j = 0; j < n; j++) e->put(world, s, c, side, members[j], values[j].at);
  }
}

static void mixed(Random *chance, num *all, int n) {
  for (int i = n - 1; i > 0; i--) {
    int j = random_below(chance, i + 1);
    num one = all[i];
    all[i] = all[j], all[j] = one;
  }
}
