const bigintType = 20
const headBytes = 20
const bytesOfNumber = 12

/** Whole numbers for a parameter of the type `bigint[]`, as PostgreSQL reads them: a tenth of the time that text takes. */
export function bigintArray(numbers: Float64Array): Buffer {
  const bytes = Buffer.allocUnsafe(headBytes + numbers.length * bytesOfNumber)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const head = [1, 0, bigintType, numbers.length, 1]
  for (const [index, word] of head.entries()) view.setInt32(index * 4, word)
  let at = headBytes
  for (let index = 0; index < numbers.length; index++) {
    const number = numbers[index] as number
    view.setInt32(at, 8)
    view.setUint32(at + 4, Math.floor(number / 4_294_967_296))
    view.setUint32(at + 8, number >>> 0)
    at += bytesOfNumber
  }
  return bytes
}
