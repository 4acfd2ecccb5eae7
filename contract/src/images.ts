import Type, { type Static } from 'typebox'
import { defineEndpoint } from './schema/endpoint.ts'

const group = 'Images'

const ImageType = Type.Union(
  [Type.Literal('image/jpeg'), Type.Literal('image/png'), Type.Literal('image/webp'), Type.Literal('image/gif')],
  { description: 'What the bytes are, whatever the request called them.' },
)
export type ImageType = Static<typeof ImageType>

const UploadedImage = Type.Object({
  url: Type.String({
    description: 'For `mediaUrl`, `icon` and the like. It never changes and never shows another image.',
  }),
  hash: Type.String({ description: 'SHA-256 of the bytes, in hexadecimal.' }),
  type: ImageType,
  width: Type.Integer({ description: 'Pixels.' }),
  height: Type.Integer({ description: 'Pixels.' }),
  bytes: Type.Integer(),
})
export type UploadedImage = Static<typeof UploadedImage>

const KeptImage = Type.Object({
  ...UploadedImage.properties,
  createdAt: Type.Integer({ description: 'Epoch milliseconds.' }),
  createdBy: Type.String({ description: 'The member’s email address, or the name of the access token.' }),
})
export type KeptImage = Static<typeof KeptImage>

const ImageList = Type.Object({
  data: Type.Array(KeptImage),
  cursor: Type.Optional(Type.String({ description: 'Asks for the next page; absent on the last one.' })),
  total: Type.Object({
    count: Type.Integer(),
    maxCount: Type.Integer(),
    bytes: Type.Integer(),
    maxBytes: Type.Integer(),
  }),
})
export type ImageList = Static<typeof ImageList>

const hash = '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d'
const example: UploadedImage = {
  url: `https://push.example.com/images/${hash}.jpg`,
  hash,
  type: 'image/jpeg',
  width: 1200,
  height: 600,
  bytes: 84_210,
}

export const uploadImage = defineEndpoint({
  summary: 'Upload an image for notifications',
  description:
    'The body is the file itself (`curl --data-binary @sale.jpg`): JPEG, PNG, WebP or GIF of up to 1 MB (1,000,000 bytes) and 4096 pixels a side, recognised by its bytes. Anything else, SVG included, is refused with `invalid-image`. The same file again answers the same. An app keeps up to 5,000 images and 500 MB.',
  group,
  image: true,
  answer: UploadedImage,
  example: { answer: example },
})

export const listImages = defineEndpoint({
  summary: 'List uploaded images, newest first',
  group,
  query: Type.Object({
    cursor: Type.Optional(Type.String({ description: 'The `cursor` of the page before.' })),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1000,
        expected: 'a whole number from 1 to 1000',
        description: '100 by default.',
      }),
    ),
  }),
  answer: ImageList,
  example: {
    query: { limit: '50' },
    answer: {
      data: [{ ...example, createdAt: 1_794_700_800_000, createdBy: 'sara@shop.example' }],
      total: { count: 1, maxCount: 5_000, bytes: 84_210, maxBytes: 524_288_000 },
    },
  },
})

export const deleteImage = defineEndpoint({
  summary: 'Delete an uploaded image',
  description:
    'Within a minute its address answers 404. Devices that have loaded it keep it; messages that name it are shown without it elsewhere.',
  group,
  params: Type.Object({ hash: Type.String({ description: 'The `hash` of the image.' }) }),
  answer: Type.Object({ hash: Type.String() }),
  example: { params: { hash }, answer: { hash } },
})
