import type { sayRefusalEn } from '../en/refusals.ts'
import { sayTemplateFault } from '../say-template-fault.ts'
import { templateFaultsFa } from './send/template-faults.ts'

const apart = (text: unknown) => `\u2068${String(text)}\u2069`

const existing: Record<string, (name: string) => string> = {
  campaign: (name) => `کمپینی با شناسهٔ «${name}» وجود دارد.`,
  segment: (name) => `سگمنتی با نام «${name}» وجود دارد.`,
  template: (name) => `قالبی با نام یا شناسهٔ «${name}» وجود دارد.`,
  member: (name) => `${name} همین حالا عضو است.`,
  'key-pair': () =>
    'این برنامه جفت کلید دارد و اشتراک مرورگرها به آن وابسته است: با جفت کلید جدید، همهٔ اشتراک‌ها تا بازدید بعدی از کار می‌افتند.',
}

const expected: Record<string, string> = {
  time: 'زمان باید تاریخ یا تعداد ساعت باشد، مانند 6h.',
  date: 'زمان باید تاریخ یا تعداد ساعت باشد، مانند 6h.',
  hours: 'تعداد ساعت را بنویسید، مانند 6h.',
  number: 'مقدار این شرط باید عدد باشد.',
  version: 'مقدار این شرط باید شمارهٔ نسخه باشد، مانند 1.10.2.',
  text: 'مقدار این شرط باید متن باشد.',
  boolean: 'مقدار این شرط باید «درست» یا «نادرست» باشد.',
  list: 'مقدار این شرط باید متن باشد.',
  tags: 'مقدار این شرط باید یک برچسب باشد.',
  channel: 'مقدار این شرط باید نام یک کانال باشد.',
}

/** Those that people meet often, with nothing left to explain. */
export const sayRefusalFa: typeof sayRefusalEn = ({ code, details = {} }) => {
  if (code === 'already-exists' && typeof details.what === 'string') {
    const text = existing[details.what]?.(apart(details.name))
    return text === undefined ? undefined : { text, isWhole: true }
  }
  if (code === 'in-use' && details.what === 'category') {
    return { text: 'این دسته برای ارسال‌های گروهی انتخاب شده است. اول دستهٔ دیگری برای آن‌ها انتخاب کنید.', isWhole: true }
  }
  if (code === 'invalid-template') {
    const text = sayTemplateFault(details.reason, templateFaultsFa)
    return text === undefined ? undefined : { text, isWhole: true }
  }
  if (code === 'invalid-file' && details.isEmpty === true) {
    return { text: 'فایل خالی است: در هر خط یک کد بنویسید.', isWhole: true }
  }
  if (code === 'invalid-file' && Array.isArray(details.lines)) {
    const lines = details.lines.map((line) => Number(line).toLocaleString('fa')).join('، ')
    return {
      text: `این خط‌ها کد نیستند: ${lines}. در هر خط یک کد از ۱ تا ۶۴ حرف A تا Z، رقم و خط تیره بنویسید.`,
      isWhole: true,
    }
  }
  const image = sayImage(code, details)
  if (image !== undefined) return { text: image, isWhole: true }
  if (code === 'invalid-segment' && typeof details.expected === 'string') {
    const text = expected[details.expected]
    return text === undefined ? undefined : { text, isWhole: true }
  }
  return undefined
}

function sayImage(code: string, details: Record<string, unknown>): string | undefined {
  if (code === 'invalid-image' && details.problem === 'type') return 'این فایل یک JPEG، PNG، WebP یا GIF کامل نیست.'
  if (code === 'invalid-image' && details.problem === 'side') return 'هر ضلع تصویر باید حداکثر ۴٬۰۹۶ پیکسل باشد.'
  if (code === 'too-large' && details.what === 'image') return 'حجم تصویر باید حداکثر ۱ مگابایت باشد.'
  if (code === 'limit-reached' && details.what === 'images')
    return 'جای تصویرهای این برنامه پر است. در تنظیمات چندتا را حذف کنید.'
  return undefined
}
