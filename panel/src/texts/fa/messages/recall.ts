import type { recallEn } from '../../en/messages/recall.ts'

/** What taking a message back does, in Persian. */
export const recallFa: typeof recallEn = {
  button: 'پس گرفتن',
  title: 'پیام پس گرفته شود؟',
  confirm: 'پس گرفتن پیام',
  text: (waiting, sent, show) =>
    [
      ...(waiting > 0 ? [`${show(waiting)} دستگاه آن را دریافت نمی‌کنند.`] : []),
      ...(sent > 0
        ? [
            `${show(sent)} دستگاه شاید آن را داشته باشند: اعلان از صفحه برداشته می‌شود و برنامه پیام را فراموش می‌کند.`,
            'تا جایی که سیستم‌عامل اجازه دهد: دستگاه خاموش دیرتر باخبر می‌شود، و آیفونی که برنامه‌اش بسته شده، وقتی برنامه دوباره باز شود.',
          ]
        : []),
      'پیامک پس گرفته نمی‌شود. پس گرفتن برگشت‌پذیر نیست.',
    ].join(' '),
  done: ({ cancelled, cleared, notReachable, waiting = 0 }, show) =>
    [
      ...(cancelled > 0 ? [`${show(cancelled)} دستگاه آن را دریافت نکردند.`] : []),
      ...(cleared > 0 ? [`به ${show(cleared)} دستگاه گفته شد که آن را بردارند.`] : []),
      ...(waiting > 0 ? [`${show(waiting)} دستگاه هنوز باید باخبر شوند.`] : []),
      ...(notReachable > 0
        ? [`${show(notReachable)} دستگاه اکنون در دسترس نیستند و با وصل شدن برنامه باخبر می‌شوند.`]
        : []),
    ].join(' ') || 'چیزی برای پس گرفتن نبود.',
}
