-- Asks for the addresses of a list, one after the other and again from its start: lines of host, space, path.
local requests, place = {}, 0

function init(args)
  for line in io.lines(args[1]) do
    local host, path = line:match("^(%S+) (%S+)$")
    requests[#requests + 1] = wrk.format("GET", path, { Host = host })
  end
end

function request()
  place = place % #requests + 1
  return requests[place]
end

function done(summary)
  local errors = summary.errors
  io.write(string.format(
    '{"requests": %d, "seconds": %.6f, "bytes": %d, "failed": %d, "refused": %d}\n',
    summary.requests, summary.duration / 1e6, summary.bytes,
    errors.connect + errors.read + errors.write + errors.timeout, errors.status
  ))
end
