import { randomBytes, randomInt, scrypt } from 'node:crypto'

const log2N = 17
const blockSize = 8
const parallelism = 1
const memoryBytes = 256 * 1024 * 1024

/** The parameters stand in the text, so that they can grow and old hashes still be checked. */
export function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const options = { N: 2 ** log2N, r: blockSize, p: parallelism, maxmem: memoryBytes }
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, 32, options, (error, hash) => {
      if (error) return reject(error)
      resolve(
        `$scrypt$ln=${log2N},r=${blockSize},p=${parallelism}$${salt.toString('base64')}$${hash.toString('base64')}`,
      )
    })
  })
}

// Without letters and digits that are taken for one another.
const alphabet = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'

export function randomPassword(): string {
  return Array.from({ length: 20 }, () => alphabet[randomInt(alphabet.length)]).join('')
}
