import type { PoolAnswer } from '#base/http-client/pool.ts'

export function answered(status: number, body: unknown = '', headers: Record<string, string> = {}): PoolAnswer {
  return { kind: 'answer', status, headers, body: typeof body === 'string' ? body : JSON.stringify(body) }
}

/** What no provider should send, and what must never be thrown at. */
export const oddBodies: Record<string, string> = {
  nothing: '',
  'a page': '<!doctype html><html><body>502 Bad Gateway</body></html>',
  'cut JSON': '{"error":{"code":404,"status":"NOT_FO',
  'an array': '[]',
  null: 'null',
  'a number': '42',
  'wrong types': '{"error":[1],"reason":{"a":1},"name":7,"sid":[],"timestamp":"x","access_token":{}}',
  'wrong details': '{"error":{"details":{"0":1},"status":5,"message":{}}}',
  'odd details': '{"error":{"details":[null,1,[],{"@type":3},{"@type":"x.FcmError","errorCode":{}}]}}',
  'deep JSON': '['.repeat(30_000) + ']'.repeat(30_000),
  'deep objects': `{"error":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}}`,
  'dangerous names': '{"__proto__":{"reason":"Unregistered"},"constructor":{"name":"x"}}',
  'control characters': '\u0000\u0001\uD800',
}
