import { randomKey } from '../random-key.ts'

/** A UUID of chance. */
export function randomId(): string {
  const [, a, b, c, d] = /^(.{8})(.{4}).(.{3}).(.{15})$/.exec(randomKey()) as unknown as string[]
  return `${a}-${b}-4${c}-8${d?.slice(0, 3)}-${d?.slice(3)}`
}
