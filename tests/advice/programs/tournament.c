/* SPDX-License-Identifier: MIT */
/* A tournament of board games: players with different ways to value a board play moves, which are drawn by lot. Prints
 * the values that each way has given. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIDE 24
#define WAYS 4u

struct board {
    int32_t field[SIDE][SIDE];
    uint32_t moves;
};

#ifdef FIXED
#define BOARD const struct board *
#define GIVEN(board) (&(board))
#define OF(board) (board)
#else
#define BOARD struct board
#define GIVEN(board) (board)
#define OF(board) (&(board))
#endif

typedef int64_t board_value(BOARD board, unsigned row, unsigned column);

static int64_t value_row(BOARD board, unsigned row, unsigned column)
{
    int64_t sum = column;
    for (unsigned i = 0; i < SIDE; i++) sum += OF(board)->field[row][i] * (int)(i + 1);
    return sum;
}

static int64_t value_column(BOARD board, unsigned row, unsigned column)
{
    int64_t sum = row;
    for (unsigned i = 0; i < SIDE; i++) sum += OF(board)->field[i][column] ^ (int)i;
    return sum;
}

static int64_t value_near(BOARD board, unsigned row, unsigned column)
{
    int64_t sum = 0;
    for (unsigned y = row ? row - 1 : 0; y < row + 2 && y < SIDE; y++)
        for (unsigned x = column ? column - 1 : 0; x < column + 2 && x < SIDE; x++) sum += OF(board)->field[y][x];
    return sum;
}

static int64_t value_edge(BOARD board, unsigned row, unsigned column)
{
    int64_t sum = 0;
    for (unsigned i = 0; i < SIDE; i++) sum += OF(board)->field[0][i] - OF(board)->field[SIDE - 1][i];
    return sum * (row < column ? 1 : 2);
}

static board_value *const ways[WAYS] = { value_row, value_column, value_near, value_edge };

static uint64_t lot_draw(uint64_t *seed)
{
    for (int i = 0; i < 12; i++) {
        *seed ^= *seed << 13;
        *seed ^= *seed >> 7;
        *seed ^= *seed << 17;
    }
    return *seed;
}

static void board_move(struct board *board, unsigned row, unsigned column, int by)
{
    board->field[row][column] = (board->field[row][column] + by) & 0xfff;
    board->moves++;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned moves = (unsigned)(9000000 * scale) + 1;
    static struct board board;
    uint64_t seed = 88172645463325252ULL;
    int64_t sums[WAYS] = { 0 };
    for (unsigned i = 0; i < moves; i++) {
        uint64_t lot = lot_draw(&seed);
        unsigned row = (unsigned)(lot >> 8) % SIDE, column = (unsigned)(lot >> 20) % SIDE, way = lot >> 62;
        board_move(&board, row, column, (int)(lot & 15));
        sums[way] += ways[way](GIVEN(board), row, column); /* @ */
    }
    for (unsigned i = 0; i < WAYS; i++) printf("%lld ", (long long)sums[i]);
    printf("%u\n", board.moves);
    return 0;
}
