-- Arguments: file of bodies (one a line), seconds to send, method and headers as "Name: value".
-- Sending ends a little before wrk does, so that every request gets its answer and can be counted on both sides.
local ffi = require("ffi")
ffi.cdef [[
  typedef struct { long seconds; long nanoseconds; } moment;
  int clock_gettime(int clock, moment *at);
]]

local at = ffi.new("moment")
local function now()
  ffi.C.clock_gettime(1, at)
  return tonumber(at.seconds) + tonumber(at.nanoseconds) / 1e9
end

local requests = {}
local sent = 0
local sendSeconds, deadline

function init(args)
  sendSeconds = tonumber(args[2])
  local headers = {}
  for index = 3, #args do
    local name, value = args[index]:match("^([^:]+): (.*)$")
    headers[name] = value
  end
  for body in io.lines(args[1]) do
    requests[#requests + 1] = wrk.format("POST", nil, headers, body)
  end
end

function request()
  deadline = deadline or now() + sendSeconds
  sent = sent + 1
  return requests[(sent - 1) % #requests + 1]
end

function delay()
  if now() < deadline then return 0 end
  return 3600 * 1000
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    'RESULT {"answers":%d,"refused":%d,"broken":%d,"p50Ms":%.3f,"p99Ms":%.3f}\n',
    summary.requests, errors.status, errors.connect + errors.read + errors.write + errors.timeout,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000))
end
