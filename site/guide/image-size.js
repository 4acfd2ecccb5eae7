/** Width and height of a PNG or WebP (with animation or not), read from its head. */
export function imageSize(content) {
  if (content.toString('latin1', 1, 4) === 'PNG') {
    return { width: content.readUInt32BE(16), height: content.readUInt32BE(20) }
  }
  if (content.toString('latin1', 12, 16) === 'VP8X') {
    return { width: content.readUIntLE(24, 3) + 1, height: content.readUIntLE(27, 3) + 1 }
  }
  throw new Error('An image is neither PNG nor WebP with an extended head.')
}
