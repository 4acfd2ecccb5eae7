import { randomBytes, randomInt, scrypt, timingSafeEqual } from 'node:crypto'
import { limitTurns } from './turns.ts'

export const usualPasswordCost = { log2N: 17, blockSize: 8, parallelism: 1 }
/** What a new hash costs whoever guesses. Only tests make it cheap. */
export const passwordCost = { ...usualPasswordCost }
const memoryBytes = 256 * 1024 * 1024
const hashBytes = 32
const hashForm = /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([A-Za-z0-9+/=]+)\$([A-Za-z0-9+/=]+)$/

/** The parameters stand in the text, so that they can grow and old hashes still be checked. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  return writeHash(salt, await derive(password, salt, passwordCost))
}

/** Takes as long when there is no hash to compare with, or none that can be read. */
export async function isPassword(password: string, stored: string | undefined): Promise<boolean> {
  const read = hashForm.exec(stored ?? '')
  const [, log2N, blockSize, parallelism, salt, hash] = (read ?? hashForm.exec(hashOfNobody())) as string[]
  const given = await derive(password, Buffer.from(salt as string, 'base64'), {
    log2N: Number(log2N),
    blockSize: Number(blockSize),
    parallelism: Number(parallelism),
  })
  return timingSafeEqual(given, Buffer.from(hash as string, 'base64')) && read !== null
}

function writeHash(salt: Buffer, hash: Buffer): string {
  const { log2N, blockSize, parallelism } = passwordCost
  return `$scrypt$ln=${log2N},r=${blockSize},p=${parallelism}$${salt.toString('base64')}$${hash.toString('base64')}`
}

function hashOfNobody(): string {
  return writeHash(randomBytes(16), randomBytes(hashBytes))
}

function derive(
  password: string,
  salt: Buffer,
  { log2N, blockSize, parallelism }: typeof passwordCost,
): Promise<Buffer> {
  const options = { N: 2 ** log2N, r: blockSize, p: parallelism, maxmem: memoryBytes }
  return inTurn(
    () =>
      new Promise((resolve, reject) => {
        scrypt(password.normalize('NFKC'), salt, hashBytes, options, (error, hash) =>
          error ? reject(error) : resolve(hash),
        )
      }),
  )
}

/** Each takes 128 MiB and a thread that files and name lookups need too. */
const inTurn = limitTurns({
  atOnce: 2,
  waiting: { max: 30, tooMany: 'Too many passwords are being checked. Try again in a few seconds.' },
})

// Without letters and digits that are taken for one another.
const alphabet = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'

export function randomPassword(): string {
  return Array.from({ length: 20 }, () => alphabet[randomInt(alphabet.length)]).join('')
}
