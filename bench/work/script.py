# SPDX-License-Identifier: MIT
"""script.py TURNS: what CPython runs in the bench: objects, dictionaries, strings, sorting, generators; only modules that are built in."""
import sys


class Item:
    def __init__(self, name, weight):
        self.name, self.weight = name, weight

    def cost(self, rate):
        return self.weight * rate + len(self.name)


def words(turn):
    state = turn + 1
    for _ in range(300):
        state = (state * 1103515245 + 12345) % 2147483648
        yield f"word{state >> 8 & 63}-{turn % 5}"


def turn(number):
    count = {}
    for word in words(number):
        count[word] = count.get(word, 0) + 1
    items = [Item(word, times) for word, times in count.items()]
    items.sort(key=lambda item: (-item.weight, item.name))
    text = ",".join(item.name.upper() for item in items[:40])
    table = {part: index for index, part in enumerate(text.split(","))}
    return sum(item.cost(0.5) for item in items) + len(table) + sum(i * i % 7 for i in range(200))


print(round(sum(turn(number) for number in range(int(sys.argv[1])))))
