type Numbers =
  | Uint8Array<ArrayBuffer>
  | Uint16Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>
  | Int32Array<ArrayBuffer>
  | Float64Array<ArrayBuffer>

/**
 * The same array with room for `length` values, and for whole words of bits; the new ones are 0. Its memory is moved, not
 * copied, where it can be.
 */
export function grow<Array extends Numbers>(array: Array, length: number): Array {
  if (length <= array.length) return array
  const wanted = Math.ceil(Math.max(length, array.length * 1.5) / 32) * 32
  const Constructor = array.constructor as new (buffer: ArrayBuffer) => Array
  return new Constructor(array.buffer.transfer(wanted * array.BYTES_PER_ELEMENT))
}
