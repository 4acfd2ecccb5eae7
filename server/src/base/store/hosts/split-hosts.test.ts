import { expect, it } from 'vitest'
import { splitHosts } from './split-hosts.ts'

it.each([
  [
    'postgresql://peyk:a%2Cb@one:5432,two,[::1]:5433/peyk?sslmode=require',
    [
      'postgresql://peyk:a%2Cb@one:5432/peyk?sslmode=require',
      'postgresql://peyk:a%2Cb@two/peyk?sslmode=require',
      'postgresql://peyk:a%2Cb@[::1]:5433/peyk?sslmode=require',
    ],
  ],
  ['postgres://one,two', ['postgres://one', 'postgres://two']],
  [
    'postgresql://peyk:x@/peyk?host=/run/a,/run/b&port=5432',
    ['postgresql://peyk:x@/peyk?host=%2Frun%2Fa&port=5432', 'postgresql://peyk:x@/peyk?host=%2Frun%2Fb&port=5432'],
  ],
  [
    'postgresql:///peyk?host=/a,/b&port=1,2',
    ['postgresql:///peyk?host=%2Fa&port=1', 'postgresql:///peyk?host=%2Fb&port=2'],
  ],
])('%s', (url, hosts) => {
  expect(splitHosts(url)).toEqual(hosts)
})

it.each([
  'postgresql://peyk:secret@db:5432/peyk',
  'postgresql://peyk@/peyk?host=/run/postgresql',
  'postgresql://u:p@[::1]/a',
])('leaves %s as it is', (url) => expect(splitHosts(url)).toEqual([url]))
