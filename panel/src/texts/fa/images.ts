import type { imagesEn } from '../en/images.ts'

/** Of images in notifications, in Persian. */
export const imagesFa: typeof imagesEn = {
  upload: 'بارگذاری',
  uploadFor: (field) => `بارگذاری: ${field}`,
  uploading: 'در حال بارگذاری',
  stop: 'توقف بارگذاری',
  remove: (field) => `حذف: ${field}`,
  size: (width, height) => `${width} × ${height} پیکسل`,
  sizeAndBytes: (size, bytes) => `${size}، ${bytes}`,
  refused: {
    type: () => 'فایل JPEG، PNG، WebP یا GIF انتخاب کنید.',
    bytes: (size) => `حجم این فایل ${size} است. گوشی‌ها تا ۱ مگابایت را بارگذاری می‌کنند: فایل کوچک‌تری انتخاب کنید.`,
  },
  reach: {
    notHttps: 'گوشی‌ها تصویر را فقط از https می‌گیرند. لینک https وارد کنید یا تصویر را بارگذاری کنید.',
    unreachable: 'مرورگر شما نتوانست تصویری را از این لینک باز کند. لینک را بررسی کنید یا تصویر را بارگذاری کنید.',
    ownHttp: 'گوشی‌ها به آن دسترسی ندارند: این سرویس آدرس https ندارد. روی سرور PEYK_PUBLIC_URL را تنظیم کنید.',
    thisMachine:
      'فقط همین دستگاه به آن دسترسی دارد. برای گوشی‌های واقعی، PEYK_PUBLIC_URL را روی یک آدرس عمومی https تنظیم کنید.',
    webp: 'آیفون WebP را نشان نمی‌دهد. از JPEG یا PNG استفاده کنید.',
  },
  list: {
    title: 'تصویرها',
    lead: 'برای اعلان‌ها بارگذاری شده‌اند. دستگاه‌ها آن‌ها را از همین سرویس می‌گیرند.',
    used: (bytes, maxBytes, count, maxCount) => `${bytes} از ${maxBytes} پر است، ${count} از ${maxCount} تصویر`,
    image: 'تصویر',
    size: 'اندازه',
    uploaded: 'زمان بارگذاری',
    by: 'بارگذاری‌کننده',
    actions: 'عملیات',
    none: 'هنوز تصویری ندارید',
    noneText: 'هنگام نوشتن پیام، کنار فیلد تصویر یکی بارگذاری کنید.',
    delete: 'حذف تصویر',
    deleteTitle: 'این تصویر حذف شود؟',
    deleteText:
      'پیام‌هایی که از آن استفاده کرده‌اند از این پس بدون تصویر نشان داده می‌شوند. دستگاه‌هایی که آن را گرفته‌اند نگهش می‌دارند.',
    deleted: 'تصویر حذف شد',
  },
}
