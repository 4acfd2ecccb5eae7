import { connect } from 'node:net'
import { poll } from '@peyk/test/runner/poll.ts'
import { fastify } from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'
import { RequestError } from '#base/errors.ts'
import type { Csv } from '../panel/panel-route.ts'
import { sendCsv } from './csv-answer.ts'

const reader = { appId: 1, transferMs: 10_000 }

async function download(rows: Csv['rows'], fileName = 'users.csv') {
  const app = fastify()
  app.get('/', (_request, reply) => sendCsv(reply, { fileName, header: ['name', 'count'], rows }, reader))
  return app.inject('/')
}

async function* from(...rows: (string | number | null)[][]) {
  yield* rows
}

describe('a CSV file', () => {
  it('follows RFC 4180 and says that it is UTF-8', async () => {
    const answer = await download(from(['plain', 1], ['a "quoted", one', null], ['two\nlines', -2.5], ['کاربر', 3]))
    expect(answer.body).toBe('\ufeffname,count\r\nplain,1\r\n"a ""quoted"", one",\r\n"two\nlines",-2.5\r\nکاربر,3\r\n')
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(answer.headers['content-disposition']).toBe(`attachment; filename="users.csv"; filename*=UTF-8''users.csv`)
  })

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1'])('does not let %j be a formula', async (text) => {
    const { body } = await download(from([text, 0]))
    expect(body.split('\r\n').slice(1).join('\r\n')).toMatch(/^"?'/)
  })

  it('has its header when there are no rows, and a file name without surprises', async () => {
    const answer = await download(from(), 'x"; ../é.csv')
    expect(answer.body).toBe('\ufeffname,count\r\n')
    expect(answer.headers['content-disposition']).toBe(
      `attachment; filename="x-..-.csv"; filename*=UTF-8''x-%3B%20..-%C3%A9.csv`,
    )
  })

  it('keeps a Persian name, and signs that have a meaning in the header', async () => {
    const { headers } = await download(from(), "خریداران 'تازه' (۱)\r\n.csv")
    const encoded = /; filename\*=UTF-8''([\w%.~!-]+)$/.exec(headers['content-disposition'] as string)?.[1]
    expect(decodeURIComponent(encoded ?? '')).toBe("خریداران 'تازه' (۱)-.csv")
  })

  it('is an ordinary error when it fails before its first row', async () => {
    const failing = {
      [Symbol.asyncIterator]: () => ({
        next: async () => {
          throw new RequestError('not-found', 'There is no such segment.')
        },
      }),
    }
    expect((await download(failing)).statusCode).toBe(404)
  })

  it('is long without being held in memory', async () => {
    async function* many() {
      for (let index = 0; index < 50_000; index++) yield [`user-${index}`, index]
    }
    expect((await download(many())).body.split('\r\n')).toHaveLength(50_002)
  })

  it('breaks off when its reader takes nothing of it', async () => {
    let isClosed = false
    async function* endless() {
      try {
        for (;;) yield ['x'.repeat(1000), 1]
      } finally {
        isClosed = true
      }
    }
    const app = fastify()
    onTestFinished(() => app.close())
    app.get('/', (_request, reply) =>
      sendCsv(reply, { fileName: 'x.csv', header: [], rows: endless() }, { appId: 1, transferMs: 50 }),
    )
    const url = await app.listen({ host: '127.0.0.1', port: 0 })
    const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined)
    onTestFinished(() => void socket.destroy())
    socket.pause()
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    await poll(() => isClosed).toBe(true)
  })
})
