/** Of images in notifications, in English: the fields of the Send page, and the list in the settings. */
export const imagesEn = {
  upload: 'Upload',
  uploadFor: (field: string) => `Upload: ${field}`,
  uploading: 'Uploading',
  stop: 'Stop upload',
  remove: (field: string) => `Remove: ${field}`,
  size: (width: string, height: string) => `${width} × ${height} px`,
  sizeAndBytes: (size: string, bytes: string) => `${size} · ${bytes}`,
  refused: {
    type: () => 'Choose a JPEG, PNG, WebP or GIF file.',
    bytes: (size: string) => `This file is ${size}. Phones load up to 1 MB: choose a smaller one.`,
  },
  reach: {
    notHttps: 'Phones load images over https only. Use an https:// address, or upload the image.',
    unreachable: 'Your browser cannot load an image from this address. Check it, or upload the image.',
    ownHttp: 'Phones cannot load it: this service has no https address. Set PEYK_PUBLIC_URL on the server.',
    thisMachine: 'Only this machine can load it. For real phones, set PEYK_PUBLIC_URL to a public https address.',
    webp: 'iPhones do not show WebP. Use JPEG or PNG.',
  },
  list: {
    title: 'Images',
    lead: 'Uploaded for notifications. Devices load them from this service.',
    used: (bytes: string, maxBytes: string, count: string, maxCount: string) =>
      `${bytes} of ${maxBytes} used · ${count} of ${maxCount} images`,
    image: 'Image',
    size: 'Size',
    uploaded: 'Uploaded',
    by: 'By',
    actions: 'Actions',
    none: 'No images yet',
    noneText: 'Upload one beside the image field when you write a message.',
    delete: 'Delete image',
    deleteTitle: 'Delete this image?',
    deleteText: 'Messages that use it will be shown without it. Devices that have already loaded it keep it.',
    deleted: 'Image deleted',
  },
}
