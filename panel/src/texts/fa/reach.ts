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
}
