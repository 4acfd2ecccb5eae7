import type { reachEn } from '../en/reach.ts'

/** In Persian, why a provider cannot be reached. */
export const reachFa: typeof reachEn = {
  notReached: (provider, why) => `اتصال به ${provider} برقرار نشد: ${why}.`,
  faults: {
    'name-not-found': 'نام دامنه‌اش پیدا نشد (خطای DNS)',
    'connection-refused': 'اتصال را رد کرد',
    'timed-out': 'به‌موقع پاسخ نداد',
    certificate: 'گواهی TLS آن معتبر نیست',
    network: 'اتصال قطع شد',
  },
  troubles: {
    'name-not-found': 'در دسترس نیست: نام دامنه‌اش پیدا نمی‌شود (خطای DNS).',
    'connection-refused': 'در دسترس نیست: اتصال را رد می‌کند.',
    'timed-out': 'در دسترس نیست: به‌موقع پاسخ نمی‌دهد.',
    certificate: 'اتصال امن ممکن نیست: گواهی TLS آن معتبر نیست.',
    network: 'در دسترس نیست: اتصال قطع می‌شود.',
    'server-error': 'با خطای سرور (5xx) پاسخ می‌دهد.',
    'slow-down': 'خواسته است با سرعت کمتری ارسال کنیم.',
  },
  waitingFor: (providers, since) => `از ساعت ${since} منتظر ${providers}`,
}
