-- SPDX-License-Identifier: MIT
-- work.lua N: a deterministic workload over the parts of Lua. No pointer is printed or used as a table key: their order is not Lua's promise.
-- (A literal nil that is stored makes the compiler use its table's address as a key: hence `none`.)
-- Above 300 it is done again and again: some sections grow faster than N.
local n = math.min(tonumber(arg[1]) or 100, 300)
local rounds = math.max(1, (tonumber(arg[1]) or 100) // 300)
math.randomseed(42)
local none

local function section(name, f)
  for round = 2, rounds do f() end
  print(name, f())
end

section("arithmetic", function()
  local a, b = 0, 1.5
  for i = 1, n * 200 do a = (a * 31 + i) % 65521; b = b * 0.99 + i // 3 - (i & 7) + (i ~ 5) end
  return a, string.format("%.6f", b)
end)

section("fibonacci", function()
  local function fib(k) if k < 2 then return k end return fib(k - 1) + fib(k - 2) end
  return fib(14 + n // 50)
end)

section("closures", function()
  local made = {}
  for i = 1, n do local c = i; made[i] = function(d) c = c + d; return c end end
  local sum = 0
  for round = 1, 5 do for i = 1, n do sum = sum + made[i](round) end end
  return sum
end)

section("tables", function()
  local t = {}
  for i = 1, n * 10 do t[i] = math.random(1, 100000) end
  table.sort(t)
  local words = {}
  for i = 1, n do words["k" .. i] = i end
  local keys = 0
  for k, v in pairs(words) do keys = keys + #k + v end
  for i = 1, n do words["k" .. i] = none end
  table.sort(t, function(a, b) return a % 1000 > b % 1000 or a % 1000 == b % 1000 and a < b end)
  table.insert(t, 3, 7); table.remove(t, 1)
  return t[1], t[#t], keys, next(words), table.concat(t, ",", 1, 8), select("#", table.unpack(t, 1, 50))
end)

section("strings", function()
  local out, count = {}, 0
  for i = 1, n do
    local s = ("item %d of %s: %5.2f %q"):format(i, ("x"):rep(i % 9), i / 7, "a\nb")
    out[#out + 1] = s:upper():gsub("%d+", function(d) count = count + 1; return "<" .. #d .. ">" end):reverse()
  end
  local all = table.concat(out, ";")
  local matches = 0
  for word in all:gmatch("%a+") do matches = matches + #word end
  local packed = string.pack("<i4 z s2 d", 7, "zero", "two", 1.25)
  return #all, matches, count, all:find("<%d>", 50), string.unpack("<i4 z s2 d", packed)
end)

section("errors", function()
  local caught, depth = 0, 0
  local function deep(k) depth = depth + 1; if k == 0 then error({ code = depth }) end deep(k - 1); return 1 end
  for i = 1, n do
    local ok, e = pcall(deep, i % 20)
    if not ok and e.code == depth then caught = caught + 1 end
    depth = 0
  end
  local ok, trace = xpcall(function() local x; return x.field end, function(m) return "handled: " .. m end)
  local nested = select(2, pcall(pcall, error, "inner"))
  local over = select(2, pcall(function() local function f() return 1 + f() end return f() end))
  local closed = {}
  pcall(function()
    local guard <close> = setmetatable({}, { __close = function(_, e) closed[#closed + 1] = tostring(e) end })
    error("leaving", 0)
  end)
  return caught, ok, trace, nested, tostring(over):match("stack overflow"), closed[1], pcall(string.rep), select(2, load("x = = 1"))
end)

section("coroutines", function()
  local function walk(k) if k > 0 then walk(k - 1); coroutine.yield(k); walk(k - 1) end end
  local sum = 0
  for k in coroutine.wrap(function() walk(6 + n // 100) end) do sum = sum * 3 % 99991 + k end
  local failing = coroutine.create(function() coroutine.yield(1); error("in a coroutine", 0) end)
  local a, b = coroutine.resume(failing)
  local c, d = coroutine.resume(failing)
  local through = coroutine.wrap(function() return pcall(function() coroutine.yield("out of pcall"); error("back", 0) end) end)
  return sum, a, b, c, d, coroutine.status(failing), through(), through()
end)

section("objects", function()
  local class = {}; class.__index = class
  class.__add = function(x, y) return setmetatable({ v = x.v + y.v }, class) end
  class.__lt = function(x, y) return x.v < y.v end
  class.__concat = function(x, y) return "<" .. x.v .. y.v .. ">" end
  function class.get(self) return self.v end
  local total = setmetatable({ v = 0 }, class)
  for i = 1, n * 5 do total = total + setmetatable({ v = i }, class) end
  local proxy = setmetatable({}, { __index = function(_, k) return k * 2 end, __newindex = function(t, k, v) rawset(t, k, v + 1) end, __call = function(_, x) return x .. "!" end })
  proxy[3] = 4
  return total:get(), total < setmetatable({ v = 1 }, class), total .. total, proxy[3], proxy[21], proxy("called")
end)

section("collector", function()
  local weak = setmetatable({}, { __mode = "v" })
  local finalized = 0
  for i = 1, n do weak[i] = setmetatable({ i }, { __gc = function() finalized = finalized + 1 end }) end
  collectgarbage(); collectgarbage()
  collectgarbage("generational")
  for i = 1, n * 20 do local t = { i, { i } } end
  collectgarbage("incremental")
  return finalized, #weak, collectgarbage("count") > 0
end)

section("chunks", function()
  local sum = 0
  for i = 1, n // 2 do
    local f = assert(load("local a, b = ... ; local t = {a, b, x = a + b}; for i = 1, 3 do t.x = t.x + i end; return t.x, function() return a end", "chunk" .. i))
    local x, g = f(i, 2)
    sum = sum + x + g()
    local again = load(string.dump(f), "binary", "b")
    sum = sum + again(1, 1)
  end
  return sum, utf8.char(228, 8364, 128512), utf8.len("äöü"), os.time({ year = 2001, month = 2, day = 3, hour = 12 }) > 0
end)
