import type { sendReasonsEn } from '../../en/send/send-reasons.ts'

export const sendReasonsFa: typeof sendReasonsEn = {
  providers: { fcm: 'گوگل (FCM)', apns: 'اپل (APNs)', webpush: 'مرورگر (Web Push)' },
  why: {
    token: (provider) => `توکن پوش دستگاه از ${provider} است`,
    'no-token': () => 'دستگاه توکن پوش ندارد',
    'no-credentials': (provider) => `برنامه برای ${provider} اعتبارنامه ندارد`,
    'notifications-off': () => 'اعلان‌ها روی دستگاه مجاز نیستند',
    'not-in-channel': () => 'دستگاه عضو این کانال نیست',
    'promo-withheld': () => 'برنامه به مهمان‌ها یا دستگاه‌های جدید کد تخفیف نمی‌دهد',
    silent: () => 'اعلانی ندارد',
    'in-app': () => 'فقط در برنامهٔ باز نشان داده می‌شود',
    'live-open': () => 'برنامه همین حالا باز است',
    'live-closed': () => 'برنامه همین حالا باز نیست',
    'connected-first': (provider) => `دستگاه متصل است؛ اگر تأیید نکند از طریق ${provider} ارسال می‌شود`,
    'connected-only': () => 'دستگاه متصل است و هیچ سرویس‌دهنده‌ای به آن نمی‌رسد',
    'time-passed': () => 'این وقت در ساعت کاربر گذشته است',
  },
  waits: (why) => `${why}؛ در برنامه می‌ماند`,
  faults: {
    nobody: () => 'کسی آن را دریافت نمی‌کند.',
    paused: ({ provider, shown }) => `ارسال به ${provider} فعلاً متوقف است و ${shown} دستگاه منتظر می‌مانند:`,
    'not-sent': ({ why, shown }) => `${why}: به ${shown} دستگاه ارسال نمی‌شود.`,
    'too-large': ({ provider, bytes, allowed }) =>
      `برای ${provider} بزرگ است: یک نمونه ${bytes} بایت دارد و ${allowed} بایت مجاز است.`,
    refused: ({ provider }) => `یک نمونه برای ${provider} رد می‌شود:`,
    'no-codes': ({ shown }) => `به ${shown} کاربر ارسال نمی‌شود: کد تخفیف کافی نیست.`,
    'no-sms-gateway': () => 'برنامه درگاه پیامک ندارد: پیامک جایگزین ارسال نمی‌شود.',
    'sms-paused': () => 'ارسال پیامک فعلاً متوقف است:',
    'no-phone': ({ shown }) => `به ${shown} کاربر پیامک جایگزین ارسال نمی‌شود: شماره‌شان معلوم نیست.`,
    'unknown-variable': ({ variable, suggestion }) =>
      suggestion === undefined
        ? `هیچ کاربری ${variable} ندارد: جایش خالی می‌ماند.`
        : `هیچ کاربری ${variable} ندارد: جایش خالی می‌ماند. منظورتان ${suggestion} بود؟`,
    'no-fallback': ({ variable, shown }) => `${variable} در ${shown} دستگاه خالی است. یک مقدار جایگزین اضافه کنید.`,
    'unused-value': ({ variable }) => `هیچ متنی ${variable} را لازم ندارد.`,
    'too-slow': ({ shown }) => `به ${shown} دستگاه ارسال نمی‌شود: با این سرعت، پیش از نوبتشان پیام منقضی می‌شود.`,
  },
}
