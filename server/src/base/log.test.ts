import { Writable } from 'node:stream'
import { expect, it } from 'vitest'
import { createLogger } from './log.ts'

it('writes no access token, wherever it stands in a line', async () => {
  const written: string[] = []
  const log = createLogger({
    ...{ level: 'info', isTerminal: false },
    to: new Writable({ write: (line, _, done) => done(void written.push(String(line)) as never) }),
  })
  const token = '0123456789abcdef0123456789abcdef01234567'
  log.error({ err: new Error(`duplicate key (${token})`), [token]: { deep: [token] } }, `of ${token}`)
  expect(written.join('')).toContain('duplicate key ([redacted])')
  expect(written.join('')).not.toContain(token)
})
