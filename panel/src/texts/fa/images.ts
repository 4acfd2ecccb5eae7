import type { imagesEn } from '../en/images.ts'

/** Of images in notifications, in Persian. */
export const imagesFa: typeof imagesEn = {
  upload: 'آپلود',
  uploadFor: (field) => `آپلود: ${field}`,
  uploading: 'در حال آپلود',
  stop: 'توقف آپلود',
  remove: (field) => `حذف: ${field}`,
  size: (width, height) => `${width} × ${height} پیکسل`,
  sizeAndBytes: (size, bytes) => `${size}، ${bytes}`,
  refused: {
    type: () => 'فایل JPEG، PNG، WebP یا GIF انتخاب کنید.',
    bytes: (size) => `حجم این فایل ${size} است. گوشی‌ها تا ۱ مگابایت را بارگیری می‌کنند: کوچک‌ترش کنید.`,
  },
  reach: {
    notHttps: 'گوشی‌ها تصویر را فقط از https بارگیری می‌کنند. لینک https بدهید یا تصویر را آپلود کنید.',
    unreachable: 'مرورگر شما نتوانست از این لینک تصویری بارگیری کند. لینک را بررسی کنید یا تصویر را آپلود کنید.',
    ownHttp: 'گوشی‌ها نمی‌توانند آن را بارگیری کنند: این سرویس لینک https ندارد. روی سرور PEYK_PUBLIC_URL را تنظیم کنید.',
    thisMachine:
      'فقط همین دستگاه می‌تواند آن را بارگیری کند. برای گوشی‌های واقعی، PEYK_PUBLIC_URL را روی یک لینک عمومی https تنظیم کنید.',
    webp: 'آیفون WebP را نشان نمی‌دهد. JPEG یا PNG بگذارید.',
  },
  list: {
    title: 'تصویرها',
    lead: 'برای اعلان‌ها آپلود شده‌اند. دستگاه‌ها از همین سرویس بارگیری‌شان می‌کنند.',
    used: (bytes, maxBytes, count, maxCount) => `${bytes} از ${maxBytes} پر است، ${count} از ${maxCount} تصویر`,
    image: 'تصویر',
    size: 'اندازه',
    uploaded: 'زمان آپلود',
    by: 'آپلودکننده',
    actions: 'کارها',
    none: 'هنوز تصویری نیست',
    noneText: 'هنگام نوشتن پیام، کنار فیلد تصویر یکی آپلود کنید.',
    delete: 'حذف تصویر',
    deleteTitle: 'این تصویر حذف شود؟',
    deleteText:
      'پیام‌هایی که آن را دارند از این پس بدون تصویر نشان داده می‌شوند. دستگاه‌هایی که بارگیری‌اش کرده‌اند نگهش می‌دارند.',
    deleted: 'تصویر حذف شد',
  },
}
