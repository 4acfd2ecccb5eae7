import { scryptSync } from 'node:crypto'
import { describe, expect, it, onTestFinished } from 'vitest'
import { defaultPasswordCost, hashPassword, isPassword, matchPassword, passwordCost } from './passwords.ts'

describe('a password', () => {
  it('is known by its hash, however its letters are composed', async () => {
    const hash = await hashPassword('caf\u00e9 au lait')
    expect(await isPassword('cafe\u0301 au lait', hash)).toBe(true)
    expect(await isPassword('cafe au lait', hash)).toBe(false)
  })

  it('is known by a hash made with other parameters', async () => {
    const salt = Buffer.from('some salt')
    const derived = scryptSync('anything', salt, 32, { N: 2 ** 10, r: 4, p: 2 })
    const hash = `$scrypt$ln=10,r=4,p=2$${salt.toString('base64')}$${derived.toString('base64')}`
    expect(await isPassword('anything', hash)).toBe(true)
    expect(await isPassword('something', hash)).toBe(false)
  })

  it('is compared with all hashes of one person, which share their salt', async () => {
    const first = await hashPassword('for the shop')
    const second = await hashPassword('for the bank', ['none', first])
    expect(second.split('$').slice(0, -1)).toEqual(first.split('$').slice(0, -1))
    expect(await matchPassword('for the bank', [first, 'none', second])).toEqual([false, false, true])
    expect(await matchPassword('for nobody', [first, second])).toEqual([false, false])
    expect(await matchPassword('', [])).toEqual([])
  })

  it('costs whoever guesses 128 MiB and a good part of a second each time', async () => {
    const cheap = { ...passwordCost }
    onTestFinished(() => void Object.assign(passwordCost, cheap))
    Object.assign(passwordCost, defaultPasswordCost)
    const hash = await hashPassword('guess me')
    expect(hash).toMatch(/^\$scrypt\$ln=17,r=8,p=1\$/)
    expect(await isPassword('guess me', hash)).toBe(true)
  })

  it.each([undefined, '$scrypt$ln=99,r=8$x$y'])('is never that of %j', async (stored) => {
    expect(await isPassword('', stored)).toBe(false)
  })

  it('is checked a few at a time, and too many are told to come again', async () => {
    const hash = '$scrypt$ln=10,r=8,p=1$c29tZSBzYWx0$CqUjJnl6iD7nQ9PNjg1a8yP0eOZxyzg5M0jE7q0G1X8='
    const results = await Promise.allSettled(Array.from({ length: 60 }, () => isPassword('x', hash)))
    const refused = results.filter((result) => result.status === 'rejected')
    expect(refused.length).toBe(29)
    expect(refused[0]?.reason).toMatchObject({ code: 'too-many-requests', retryAfterSeconds: 5 })
    expect(await isPassword('x', hash)).toBe(false)
  })

  it('waits for strangers of other networks, however many they are, only where nobody has signed in before', async () => {
    const hash = await hashPassword('guess me')
    const check = (from: string, isKnown: boolean) =>
      matchPassword('guess me', [hash], { from, domain: 'shop.example', isKnown })
    const flood = Array.from({ length: 200 }, (_, index) => check(`198.51.100.${index}`, false))
    const known = check('192.0.2.1', true)
    const results = await Promise.allSettled(flood)
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(31)
    expect(await known).toEqual([true])
  })

  it('of one network leaves room in the queue to others', async () => {
    const hash = await hashPassword('guess me')
    const check = (from: string) => matchPassword('guess me', [hash], { from, domain: 'shop.example', isKnown: false })
    const flood = Promise.allSettled(Array.from({ length: 50 }, () => check('198.51.100.1')))
    expect(await check('198.51.100.2')).toEqual([true])
    expect((await flood).filter(({ status }) => status === 'fulfilled')).toHaveLength(6)
  })

  it('waits for strangers of its own domain only', async () => {
    const hash = await hashPassword('guess me')
    const check = (from: string, domain: string) => matchPassword('guess me', [hash], { from, domain, isKnown: false })
    const flood = Array.from({ length: 200 }, (_, index) => check(`198.51.100.${index}`, 'shop.example'))
    const other = check('192.0.2.1', 'bank.example')
    const results = await Promise.allSettled(flood)
    expect(await other).toEqual([true])
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(30)
  })
})
