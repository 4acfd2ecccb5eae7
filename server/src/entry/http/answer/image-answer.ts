import { imageName, type StoredImage } from '#features/images/image.ts'

/** An image with the address under which it is served. */
export function withUrl<Image extends Pick<StoredImage, 'hash' | 'type'>>(
  image: Image,
  baseUrl: string,
): Image & { url: string } {
  return { url: `${baseUrl}/images/${imageName(image)}`, ...image }
}

export function withUrls<List extends { data: StoredImage[] }>(list: List, baseUrl: string) {
  return { ...list, data: list.data.map((image) => withUrl(image, baseUrl)) }
}
