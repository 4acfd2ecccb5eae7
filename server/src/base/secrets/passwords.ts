import { randomBytes, randomInt, scrypt, timingSafeEqual } from 'node:crypto'
import { limitConcurrencyPerKey } from '../concurrency/concurrency-limit-per-key.ts'

export const defaultPasswordCost = { log2N: 17, blockSize: 8, parallelism: 1 }
/** What a new hash costs whoever guesses. Only tests make it cheap. */
export const passwordCost = { ...defaultPasswordCost }
const memoryBytes = 256 * 1024 * 1024
const hashBytes = 32
/** Each costs as much as a whole attempt: a member has one, or two when they were hashed by different versions. */
const maxSalts = 4
const hashForm = /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([A-Za-z0-9+/=]+)\$([A-Za-z0-9+/=]+)$/

/** Determines the queue in which a password waits. */
export interface PasswordTurn {
  /** The network that the request comes from. */
  from: string
  /** Domain of the email address: it separates tenants without revealing who exists. */
  domain: string
  /** This member has a session, or has signed in from this network. */
  isKnown: boolean
}

/** For commands that the operator runs. */
const ownTurn: PasswordTurn = { from: '', domain: '', isKnown: true }

/**
 * The parameters stand in the text, so that they can grow and old hashes still be checked. With the salt of other hashes
 * of the same person, one guess is compared with all of them for the price of one.
 */
export async function hashPassword(
  password: string,
  others: readonly string[] = [],
  turn: PasswordTurn = ownTurn,
): Promise<string> {
  const salt = others.map(readHash).find(Boolean)?.salt ?? randomBytes(16)
  return writeHash(salt, await derive(password, salt, passwordCost, turn))
}

/** Takes as long when there is no hash to compare with, or none that can be read. */
export async function isPassword(password: string, stored: string | undefined): Promise<boolean> {
  const [isMatch = false] = await matchPassword(password, stored === undefined ? [] : [stored])
  return isMatch
}

/** Which of the hashes are of this password. Takes as long when there are none, or none that can be read. */
export async function matchPassword(
  password: string,
  stored: readonly string[],
  turn: PasswordTurn = ownTurn,
): Promise<boolean[]> {
  const read = stored.map(readHash)
  const distinct = new Map(read.flatMap((hash) => (hash ? [[hash.salted, hash] as const] : [])))
  const derived = new Map<string, Buffer>()
  const compared = distinct.size > 0 ? [...distinct.values()] : [hashOfNobody()]
  for (const { salted, salt, cost } of compared.slice(0, maxSalts))
    derived.set(salted, await derive(password, salt, cost, turn))
  return read.map((hash) => {
    if (!hash) return false
    const given = derived.get(hash.salted)
    return given !== undefined && timingSafeEqual(given, hash.hash)
  })
}

interface ReadHash {
  /** All but the hash itself. */
  salted: string
  salt: Buffer
  cost: typeof passwordCost
  hash: Buffer
}

function readHash(text: string | undefined): ReadHash | undefined {
  const read = hashForm.exec(text ?? '')
  if (!read) return undefined
  const [, log2N, blockSize, parallelism, salt, hash] = read as unknown as string[]
  return {
    salted: [log2N, blockSize, parallelism, salt].join(),
    salt: Buffer.from(salt as string, 'base64'),
    cost: { log2N: Number(log2N), blockSize: Number(blockSize), parallelism: Number(parallelism) },
    hash: Buffer.from(hash as string, 'base64'),
  }
}

function writeHash(salt: Buffer, hash: Buffer): string {
  const { log2N, blockSize, parallelism } = passwordCost
  return `$scrypt$ln=${log2N},r=${blockSize},p=${parallelism}$${salt.toString('base64')}$${hash.toString('base64')}`
}

function hashOfNobody(): ReadHash {
  return readHash(writeHash(randomBytes(16), randomBytes(hashBytes))) as ReadHash
}

function derive(
  password: string,
  salt: Buffer,
  { log2N, blockSize, parallelism }: typeof passwordCost,
  { from, domain, isKnown }: PasswordTurn,
): Promise<Buffer> {
  const options = { N: 2 ** log2N, r: blockSize, p: parallelism, maxmem: memoryBytes }
  const work = () =>
    new Promise<Buffer>((resolve, reject) => {
      scrypt(password.normalize('NFKC'), salt, hashBytes, options, (error, hash) =>
        error ? reject(error) : resolve(hash),
      )
    })
  if (isKnown) return knownInTurn(from, work)
  return strangersOfNetwork(from, () => strangersInTurn(domain, work))
}

const tooMany = 'Too many passwords are being checked. Try again in a few seconds.'

/**
 * Each check takes 128 MiB and a thread that file access and DNS lookups need too. Unknown networks share one thread
 * and one queue, however many there are; returning members have their own queue. Among unknown networks, email domains
 * take turns and the fullest makes room, so a flood blocks only its own domain.
 */
const strangersInTurn = limitConcurrencyPerKey<string>({
  ofEach: 1,
  ofAll: 1,
  waiting: { max: 30, maxOfAll: 30, tooMany },
})
const strangersOfNetwork = limitConcurrencyPerKey<string>({
  ...{ ofEach: 1, ofAll: Number.POSITIVE_INFINITY },
  waiting: { max: 5, tooMany },
})
const knownInTurn = limitConcurrencyPerKey<string>({ ofEach: 1, ofAll: 1, waiting: { max: 30, tooMany } })

// Without letters and digits that are taken for one another.
const alphabet = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'

export function randomPassword(): string {
  return Array.from({ length: 20 }, () => alphabet[randomInt(alphabet.length)]).join('')
}
