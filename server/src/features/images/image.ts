import type { ImageType, KeptImage } from '@peyk/contract'

/** An image as verbs answer it: under which address it is served is not theirs to know. */
export type StoredImage = Omit<KeptImage, 'url'>

export interface ImageRow {
  hash: string
  type: ImageType
  width: number
  height: number
  bytes: number
  created_at: Date
  created_by: string
}

export function storedImage({ created_at, created_by, ...row }: ImageRow): StoredImage {
  return { ...row, createdAt: created_at.getTime(), createdBy: created_by }
}

const extensions: Record<ImageType, string> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/gif': 'gif',
}

/** The name under which it is served. */
export function imageName({ hash, type }: Pick<StoredImage, 'hash' | 'type'>): string {
  return `${hash}.${extensions[type]}`
}
