import { readFileSync } from 'node:fs'

const pageKb = 4

/** What the kernel keeps in the buffers of all TCP sockets of the machine, in KB. */
export function readSocketMemory(): number {
  const [, pages] = /^TCP: .* mem (\d+)/m.exec(readFileSync('/proc/net/sockstat', 'utf8')) ?? []
  return Number(pages) * pageKb
}
