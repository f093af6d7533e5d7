/* Random games of the small game that `grognard new` begins, written by hand: see bench/speed/by_hand.py, which puts the
   board's tables before this. Rules: rulesets/NAME/ruleset.grog there. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { UNITS = 6, NOWHERE = -1 };

typedef struct {
  int8_t hex[UNITS], strength[UNITS], on[HEXES + 1];
  int8_t active, turns;
} Game;

static uint64_t chance;

/* xorshift64*: as quick as chance gets */
static inline uint32_t below(uint32_t n) {
  chance ^= chance >> 12, chance ^= chance << 25, chance ^= chance >> 27;
  return (uint32_t)(((chance * 0x2545F4914F6CDD1Dull >> 32) * n) >> 32);
}

static int reach(const Game *g, int u, int8_t *to) {
  uint64_t seen = 1ull << g->hex[u];
  int8_t edge[2][HEXES];
  int count = 0, here = 0, sizes[2] = {1, 0};
  edge[0][0] = g->hex[u];
  for (int step = 0; step < MOVE[TYPE[u]]; step++, here = !here) {
    sizes[!here] = 0;
    for (int i = 0; i < sizes[here]; i++) {
      int a = edge[here][i];
      if (step && FOREST[a]) continue;
      for (const int8_t *n = NEAR[a]; *n != NOWHERE; n++) {
        if (seen >> *n & 1 || g->on[*n] != NOWHERE) continue;
        seen |= 1ull << *n, to[count++] = *n, edge[!here][sizes[!here]++] = *n;
      }
    }
  }
  return count;
}

static int sees(const Game *g, int a, int b) {
  for (const int8_t *gate = GATES[a][b]; *gate != NOWHERE; gate += 2)
    if ((FOREST[gate[0]] || g->on[gate[0]] != NOWHERE) && (FOREST[gate[1]] || g->on[gate[1]] != NOWHERE)) return 0;
  return 1;
}

static int targets(const Game *g, int u, int8_t *foes) {
  int count = 0;
  for (int v = 0; v < UNITS; v++)
    if (SIDE[v] != SIDE[u] && g->hex[v] != NOWHERE && APART[g->hex[u]][g->hex[v]] <= RANGE[TYPE[u]] &&
        sees(g, g->hex[u], g->hex[v]))
      foes[count++] = (int8_t)v;
  return count;
}

static int beaten(const Game *g, int side) {
  for (int u = 0; u < UNITS; u++)
    if (SIDE[u] == side && g->hex[u] != NOWHERE) return 0;
  return 1;
}

/* plays a game: how many decisions with several options there were; *winner: the side, or -1 */
static int play(int *winner) {
  Game g;
  int decisions = 0;
  memset(&g, 0, sizeof g), memset(g.on, NOWHERE, sizeof g.on);
  for (int u = 0; u < UNITS; u++) g.hex[u] = START[u], g.strength[u] = STRENGTH[TYPE[u]], g.on[START[u]] = (int8_t)u;
  for (g.turns = TURNS; g.turns; g.turns--, g.active = !g.active) {
    int8_t to[UNITS][HEXES], foes[UNITS][UNITS], option[2 * UNITS + 1];
    int reaches[UNITS] = {0}, seen[UNITS] = {0}, n = 0;
    for (int u = 0; u < UNITS; u++)
      if (SIDE[u] == g.active && g.hex[u] != NOWHERE && (reaches[u] = reach(&g, u, to[u]))) option[n++] = (int8_t)u;
    for (int u = 0; u < UNITS; u++)
      if (SIDE[u] == g.active && g.hex[u] != NOWHERE && (seen[u] = targets(&g, u, foes[u])))
        option[n++] = (int8_t)(UNITS + u);
    option[n++] = 2 * UNITS;
    decisions += n > 1;
    int taken = option[below((uint32_t)n)], u = taken % UNITS;
    if (taken < UNITS) {
      decisions += reaches[u] > 1;
      g.on[g.hex[u]] = NOWHERE, g.hex[u] = to[u][below((uint32_t)reaches[u])], g.on[g.hex[u]] = (int8_t)u;
    } else if (taken < 2 * UNITS) {
      decisions += seen[u] > 1;
      int foe = foes[u][below((uint32_t)seen[u])], hits = 0;
      for (int dice = DICE[TYPE[u]] - FOREST[g.hex[foe]]; dice > 0; dice--) hits += below(3) == 0;
      g.strength[foe] = (int8_t)(g.strength[foe] > hits ? g.strength[foe] - hits : 0);
      if (!g.strength[foe]) {
        g.on[g.hex[foe]] = NOWHERE, g.hex[foe] = NOWHERE;
        if (beaten(&g, !g.active)) {
          *winner = g.active;
          return decisions;
        }
      }
    }
  }
  *winner = -1;
  return decisions;
}

int main(int count, char **words) {
  long games = count > 1 ? atol(words[1]) : 1000, decisions = 0, won[3] = {0};
  for (long i = 1; i <= games; i++) {
    int winner;
    chance = (uint64_t)i * 0x9E3779B97F4A7C15ull;
    decisions += play(&winner);
    won[winner < 0 ? 2 : winner]++;
  }
  printf("%ld %ld %ld %ld\n", decisions, won[0], won[1], won[2]);
  return 0;
}
